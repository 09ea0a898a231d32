import { useId, useState } from 'react';
import { IMPORT_BYTES } from '#rules/valid/import-file.ts';
import { DropFile } from '#ui/form/drop-file.tsx';
import { Icon } from '#ui/picture/icon.tsx';
import { useLanguage, useText } from '#ui/text/text.ts';
import { sizeOf } from '#base/file-size.ts';

interface Props {
  /** The name of the chosen file; null: none is. */
  readonly fileName: string | null;
  /** The address of the page that explains such a file; null: there is none. */
  readonly help: string | null;
  readonly onFile: (fileName: string, text: string) => void;
}

/** The file of projects. What is larger than the server takes is not even read. */
export function FileField({ fileName, help, onFile }: Props) {
  const t = useText();
  const language = useLanguage();
  const id = useId();
  const [trouble, setTrouble] = useState<'too-large' | 'unreadable' | null>(null);
  const limit = sizeOf(IMPORT_BYTES, language);

  const take = async (file: File) => {
    if (file.size > IMPORT_BYTES) {
      setTrouble('too-large');
      return;
    }
    try {
      const text = await file.text();
      setTrouble(null);
      onFile(file.name, text);
    } catch {
      // Moved or taken away since it was chosen.
      setTrouble('unreadable');
    }
  };
  return (
    <div className={`field ${trouble === null ? '' : 'error'}`}>
      <span className="field-label" id={id}>
        {t('projectImport.file')}
        <span className="required-mark" title={t('forms.required')} aria-hidden>
          {' *'}
        </span>
      </span>
      <DropFile
        accept=".json,application/json"
        label={t(fileName === null ? 'projectImport.choose' : 'projectImport.chooseOther')}
        help={t('projectImport.drop', { limit })}
        describedBy={`${id} ${id}-file ${id}-error`}
        onFile={(file) => void take(file)}
      />
      <div className="field-help" id={`${id}-file`}>
        {fileName !== null && (
          <p>
            <bdi className="import-file-name">{fileName}</bdi>
          </p>
        )}
        {help !== null && (
          <a href={help} target="_blank" rel="noopener">
            {t('projectImport.help')}
          </a>
        )}
      </div>
      <div role="alert" id={`${id}-error`}>
        {trouble !== null && (
          <div className="field-error">
            <Icon name="error" />
            {trouble === 'too-large'
              ? t('projectImport.tooLarge', { limit })
              : t('projectImport.unreadable')}
          </div>
        )}
      </div>
    </div>
  );
}
