import { useState } from 'react';
import { Link } from 'react-router-dom';
import { Note } from '#ui/status/boxes.tsx';
import { Dot, LanguageName } from '#ui/value/values.tsx';
import { Cell } from '#ui/table/table.tsx';
import { useLanguage, useText, useTextOf } from '#ui/text/text.ts';
import { sizeOf } from '#base/file-size.ts';
import { IMPORT_BYTES } from '#rules/valid/import-file.ts';
import { FilesTable } from '../../products/files-table.tsx';
import type { PreviewOf, PreviewRow } from './use-preview.ts';
import type { Broken } from '#rules/valid/broken.ts';

const SHOWN_AT_FIRST = 20;

/** Shows what the file will make, what is there already, and every mistake with its place. */
export function Preview({ rows, products, unknown, mistakes, brokenAt }: PreviewOf) {
  const t = useText();
  const made = rows.filter(({ isNew }) => isNew).length;
  return (
    <section className="import-preview" aria-label={t('projectImport.preview')}>
      <h2>{t('projectImport.preview')}</h2>
      {mistakes.length > 0 && <Mistakes mistakes={mistakes} brokenAt={brokenAt} />}
      {unknown.length > 0 && (
        <Note tone="warning">
          {t('projectImport.unknown')}{' '}
          {unknown.slice(0, SHOWN_AT_FIRST).map((at) => (
            <code key={at}>{placeOf(at)}</code>
          ))}
          {unknown.length > SHOWN_AT_FIRST && ' …'}
        </Note>
      )}
      {rows.length > 0 && (
        <>
          {mistakes.length === 0 && (
            <p>
              {t('projectImport.will', { count: made })}
              {rows.length > made &&
                ` ${t('projectImport.skipped', { count: rows.length - made })}`}
            </p>
          )}
          {products.length > 0 && (
            <>
              <p>{t('projectImport.products', { count: products.length })}</p>
              <ul>
                {products.map(({ at, name, store }) => (
                  <li key={at}>
                    <bdi>{name}</bdi>
                    {store !== null && (
                      <>
                        <Dot />
                        <bdi>{store}</bdi>
                      </>
                    )}
                  </li>
                ))}
              </ul>
            </>
          )}
          <Rows rows={rows} />
        </>
      )}
    </section>
  );
}

function Rows({ rows }: Pick<PreviewOf, 'rows'>) {
  const t = useText();
  const [showsAll, setShowsAll] = useState(false);
  const shown = showsAll ? rows : rows.slice(0, SHOWN_AT_FIRST);
  return (
    <>
      <FilesTable
        label={t('projectImport.preview')}
        columns={['project.name', 'project.language', 'projectImport.outcome']}
      >
        {/* A file may name a project twice. */}
        {shown.map((row, index) => (
          <Row key={index} row={row} />
        ))}
      </FilesTable>
      {shown.length < rows.length && (
        <button
          type="button"
          className="link-button"
          onClick={() => {
            setShowsAll(true);
          }}
        >
          {t('projectImport.showMore', { count: rows.length - shown.length })}
        </button>
      )}
    </>
  );
}

function Row({ row: { name, language, there } }: { readonly row: PreviewRow }) {
  const t = useText();
  return (
    <tr role="row">
      <Cell label={t('project.name')}>
        {there === null ? <bdi>{name}</bdi> : <Link to={`/projects/${there}`}>{name}</Link>}
      </Cell>
      <Cell label={t('project.language')}>
        <LanguageName tag={language} />
      </Cell>
      <Cell label={t('projectImport.outcome')}>
        {there === null ? (
          t('projectImport.isNew')
        ) : (
          <span className="soft">{t('projectImport.exists')}</span>
        )}
      </Cell>
    </tr>
  );
}

const SHOWN = 20;

/** A place in the file as people count: `/Projects/2/Name` is "Projects 3 Name". */
function placeOf(at: string): string {
  return at
    .split('/')
    .filter((part) => part !== '')
    .map((part) => (/^\d+$/.test(part) ? String(Number(part) + 1) : part))
    .join(' ');
}

/** Every mistake of the file, with its place; the first of many. */
function Mistakes({ mistakes, brokenAt }: Pick<PreviewOf, 'mistakes' | 'brokenAt'>) {
  const t = useText();
  const limit = sizeOf(IMPORT_BYTES, useLanguage());
  const textOf = useTextOf();
  const wordsOf = ({ rule, meta }: Broken, at: string) => {
    if (rule === 'mismatch' && at.startsWith('/Projects/')) return t('projectImport.twin');
    if (rule === 'too-long' && at === '') return t('projectImport.tooLarge', { limit });
    if (rule === 'json' && brokenAt !== null)
      return t('products.properties.faultAt', {
        fault: t('products.properties.fault.json'),
        ...brokenAt,
      });
    const field = at.split('/').at(-1) ?? '';
    const name = field === '' ? t('projectImport.file') : field;
    const most = typeof meta.limit === 'number' ? meta.limit : '';
    return textOf(`rules.${rule}`, rule, { field: name, limit: most });
  };
  return (
    <Note tone="error">
      <strong>{t('projectImport.mistakes', { count: mistakes.length })}</strong>
      <ul className="import-mistakes">
        {mistakes.slice(0, SHOWN).map((mistake, index) => {
          const at = typeof mistake.meta.at === 'string' ? mistake.meta.at : '';
          return (
            <li key={index}>
              {at !== '' && <code>{placeOf(at)}</code>} {wordsOf(mistake, at)}
            </li>
          );
        })}
      </ul>
      {mistakes.length > SHOWN &&
        t('projectImport.moreMistakes', { count: mistakes.length - SHOWN })}
    </Note>
  );
}
