import { useId, useState } from 'react';
import { useOrganization } from '#session/organization.ts';
import { knownConfig } from '#session/public-config.ts';
import { importProjects } from '#data/actions/imports.ts';
import { useData, useRecord } from '#data/react/hooks.ts';
import { useText, useLanguage } from '#ui/text/text.ts';
import { FormPage } from '../../app/page/form-page.tsx';
import { useForm } from '../../app/page/form/use-form.ts';
import { PlaceFields } from '../fields/place-fields.tsx';
import { useBack } from '../fields/use-back.ts';
import { usePlace } from '../fields/use-place.ts';
import { EarlierImports } from './earlier-imports.tsx';
import { Preview } from './preview.tsx';
import { usePreview } from './use-preview.ts';
import '../../products/files/product-files.css';
import './import.css';
import { IMPORT_BYTES } from '#rules/valid/import-file.ts';
import { DropFile } from '#ui/form/drop-file.tsx';
import { Icon } from '#ui/picture/icon.tsx';
import { sizeOf } from '#base/file-size.ts';

/** `/projects/import` */
export function ImportProjects() {
  const organization = useOrganization();
  return organization === null ? null : (
    <ImportInto key={organization} organization={organization} />
  );
}

function ImportInto({ organization }: { readonly organization: string }) {
  const t = useText();
  const back = useBack();
  const data = useData();
  const { record: of } = useRecord('organization', organization);
  const form = useForm('import-projects', { group: '', type: '', fileName: '', text: '' });
  const { fields, set } = form;
  const place = usePlace(organization, fields);
  const { group, type } = place;
  const hasFile = fields.fileName !== '';
  const preview = usePreview(organization, hasFile ? fields.text : null);
  const count = preview?.rows.filter(({ isNew }) => isNew).length ?? 0;
  const [begun, setBegun] = useState(0);

  const whyNotFile = () => {
    if (preview === null) return t('projectImport.needsFile');
    if (preview.mistakes.length > 0) return t('projectImport.hasMistakes');
    return count === 0 ? t('projectImport.nothingNew') : null;
  };
  const isPlaced = group !== undefined && type !== undefined;
  const whyNot = isPlaced ? whyNotFile() : t('project.noAvailableGroups');
  const save = async () => {
    if (!isPlaced) return null;
    const request = { organization, group: group.id, type: type.id, importData: fields.text };
    await importProjects(data, request, count);
    setBegun(begun + 1);
    return null;
  };
  const help = knownConfig()?.links.importHelp ?? null;

  return (
    <FormPage
      title={t('projectImport.title')}
      context={<bdi>{of?.name}</bdi>}
      after={<EarlierImports organization={organization} begun={begun} />}
      form={form}
      className="import-form"
      whyNot={whyNot}
      speaking={[]}
      saveLabel={
        whyNotFile() === null ? t('projectImport.import', { count }) : t('projects.import')
      }
      success={t('projectImport.createSuccess')}
      onSave={save}
      onCancel={back}
    >
      <div className="import-place">
        <PlaceFields place={place} onChange={set} />
      </div>
      <FileField
        fileName={hasFile ? fields.fileName : null}
        help={help}
        onFile={(fileName, text) => {
          set({ fileName, text });
        }}
      />
      <div role="status">{preview !== null && <Preview {...preview} />}</div>
    </FormPage>
  );
}

interface FileFieldProps {
  /** The name of the chosen file; null: none is. */
  readonly fileName: string | null;
  /** The address of the page that explains such a file; null: there is none. */
  readonly help: string | null;
  readonly onFile: (fileName: string, text: string) => void;
}

/** The file of projects. What is larger than the server takes is not even read. */
function FileField({ fileName, help, onFile }: FileFieldProps) {
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
