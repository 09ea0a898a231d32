import type { Broken } from '#rules/valid/broken.ts';
import { Note } from '#ui/status/boxes.tsx';
import { useText, useTextOf } from '#ui/text/text.ts';

const SHOWN = 20;

/** A place in the file as people count: `/Projects/2/Name` is "Projects 3 Name". */
export function placeOf(at: string): string {
  return at
    .split('/')
    .filter((part) => part !== '')
    .map((part) => (/^\d+$/.test(part) ? String(Number(part) + 1) : part))
    .join(' ');
}

/** Every mistake of the file, with its place; the first of many. */
export function Mistakes({ mistakes }: { readonly mistakes: readonly Broken[] }) {
  const t = useText();
  const textOf = useTextOf();
  const wordsOf = ({ rule, meta }: Broken, at: string) => {
    if (rule === 'mismatch' && at.startsWith('/Projects/')) return t('projectImport.twin');
    const field = at.split('/').at(-1) ?? '';
    const name = field === '' ? t('projectImport.file') : field;
    const limit = typeof meta.limit === 'number' ? meta.limit : '';
    return textOf(`rules.${rule}`, rule, { field: name, limit });
  };
  return (
    <Note tone="error">
      <strong>{t('projectImport.mistakes', { count: mistakes.length })}</strong>
      <ul className="import-mistakes">
        {mistakes.slice(0, SHOWN).map((mistake) => {
          const at = typeof mistake.meta.at === 'string' ? mistake.meta.at : '';
          return (
            <li key={`${at} ${mistake.rule}`}>
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
