import { attributesOf } from '#schema/index.ts';
import type { TypeName } from '#schema/index.ts';
import { changedFieldsOf } from '#data/model/changed-fields.ts';
import type { ChangedField } from '#data/model/changed-fields.ts';
import type { ChangeRow } from '#data/model/views.ts';
import { useText } from '#ui/text/text.ts';
import { useProductName } from '../products/refused-together.tsx';
import { isInOwnWords, useReadable } from './readable.ts';

/** A field that a change sets, in the words of the reader; null on the side that has no value. */
export interface ChangedWords {
  readonly key: string;
  readonly field: string;
  readonly before: string | null;
  readonly after: string | null;
  /** True if somebody wrote it in their own words. */
  readonly isQuoted: boolean;
}

/** The sentence of the change says all of these. */
const IN_THE_SENTENCE: ReadonlySet<string> = new Set([
  'action',
  'command',
  'dateAccepted',
  'dateArchived',
  'dateRead',
  'isLocked',
  'state',
]);

/** Says what a change does to each field that its sentence leaves open. */
export function useChangedWords(): (row: ChangeRow) => readonly ChangedWords[] {
  const t = useText();
  const { field, value, isKnown } = useReadable();
  const nameOf = useProductName();

  const wordsOf = (row: ChangeRow, changed: ChangedField): readonly ChangedWords[] => {
    const { of, field: name, before, after } = changed;
    if (IN_THE_SENTENCE.has(name) || isAsUsual(of.type, changed)) return [];
    const isReplaced = before !== undefined && after !== undefined;
    const [was, is] = [before, after].map((raw) => {
      if (raw === undefined) return null;
      return isReplaced || isKnown(of.type, name, raw) ? value(of.type, name, raw) : null;
    }) as [string | null, string | null];
    if (was === is) return [];
    const said = new Set(Object.values(row.says[1]));
    if ([was, is].every((side) => side === null || said.has(side))) return [];
    const isQuoted = isInOwnWords(of.type, name);
    const key = `${of.id} ${name}`;
    return [{ key, field: field(of.type, name), before: was, after: is, isQuoted }];
  };

  return (row) => {
    if (row.kept === null) return [];
    // A call of many products names only their number.
    if (row.kept.call !== null) {
      const products = row.touched.filter(({ type }) => type === 'product');
      const names = products.map(({ id }) => nameOf(id)).join('; ');
      const words = { key: 'products', field: t('project.products'), before: null, after: names };
      return products.length === 0 ? [] : [{ ...words, isQuoted: false }];
    }
    return changedFieldsOf(row.kept).flatMap((changed) => wordsOf(row, changed));
  };
}

/** Says whether the field of a new or removed record is as those of most are. */
function isAsUsual(type: TypeName, { field, before, after }: ChangedField): boolean {
  if (before !== undefined && after !== undefined) return false;
  const fallback = attributesOf(type).find(([name]) => name === field)?.[1].fallback ?? null;
  const raw = after ?? before;
  return raw === fallback || raw === '' || (Array.isArray(raw) && raw.length === 0);
}
