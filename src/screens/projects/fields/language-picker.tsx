import { useEffect, useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { limits } from '#protocol/limits.ts';
import { Combobox } from '#ui/form/combobox.tsx';
import { Field } from '#ui/form/field.tsx';
import { languageNameOf, Marked } from '#ui/value/values.tsx';
import { useUiEnvironment } from '#ui/ui-environment.tsx';
import { useLanguage, useText } from '#ui/text/text.ts';
import { suggestionsFor, useLanguages } from './languages.ts';
import type { LanguageMatch } from './languages.ts';

interface Props {
  readonly value: string;
  readonly before?: string;
  readonly error?: string | null;
  /** Left out: a language has to be stated. */
  readonly isOptional?: true;
  /** Says what somebody else put there meanwhile. */
  readonly note?: ReactNode;
  readonly onChange: (value: string) => void;
}

/** A language by tag: any text counts, known ones are suggested. */
export function LanguagePicker(props: Props) {
  const { value, before = '', error = null, note = null, isOptional, onChange } = props;
  const t = useText();
  const interfaceLanguage = useLanguage();
  const { later } = useUiEnvironment();
  const { languages, want } = useLanguages();
  const [wanted, setWanted] = useState(value);
  useEffect(
    () =>
      later(() => {
        setWanted(value);
      }, limits.searchDebounceMs),
    [later, value],
  );

  const typed = value.trim();
  const known = languages?.find(({ tag }) => tag.toLowerCase() === typed.toLowerCase());
  // Until the list is here, the browser's own name stands for it.
  const name =
    languages === null ? languageNameOf(typed, interfaceLanguage) : (known?.localized ?? null);
  const isMissing = typed !== '' && languages !== null && known === undefined;
  const suggested = useMemo(
    () => (languages === null ? [] : suggestionsFor(wanted, languages)),
    [wanted, languages],
  );
  const hits = typed === '' ? [] : suggested;
  return (
    <Field
      label={t('project.language')}
      isRequired={isOptional !== true}
      error={error}
      note={note}
      {...(isMissing || isOptional !== true
        ? { help: isMissing ? t('languages.notInList') : t('languages.help') }
        : {})}
    >
      {(tied) => (
        <Combobox
          tied={tied}
          className={isMissing ? 'match-missing' : ''}
          text={value}
          onText={onChange}
          before={name === null ? undefined : <span className="language-name">{name}</span>}
          options={hits.map((hit) => ({
            id: hit.language.tag,
            label: hit.language.tag,
            content: <Suggestion hit={hit} search={wanted.trim()} />,
          }))}
          onPick={({ id }) => {
            onChange(id);
          }}
          onFocus={want}
          {...(value === before
            ? {}
            : {
                onClear: () => {
                  onChange(before);
                },
              })}
        />
      )}
    </Field>
  );
}

function Suggestion({ hit, search }: { readonly hit: LanguageMatch; readonly search: string }) {
  const t = useText();
  const { language, where, found } = hit;
  const { localized, localname = localized, name } = language;
  const others = new Set([localname, name].filter((other) => other !== localized));
  return (
    <span className="language-hit">
      <strong>
        <Marked text={localized} search={search} />
      </strong>
      {[...others].map((other) => (
        <span key={other}>
          <Marked text={other} search={search} />
        </span>
      ))}
      <span className="caption">{t('languages.code', { tag: language.tag })}</span>
      {where !== null && where !== 'tag' && (
        <span className="caption">
          {t(`languages.foundIn.${where}`)} <Marked text={found} search={search} />
        </span>
      )}
    </span>
  );
}
