import { primaryOf } from '#base/language-tag.ts';
import { compareFolded, fold, wordsOf } from '#base/unicode.ts';
import { attributesOf } from '#schema/index.ts';
import type { Of, TypeName } from '#schema/index.ts';
import type { Project } from '#schema/project.ts';
import type { User } from '#schema/user.ts';
import type { Find } from '../find.ts';

type Named = Pick<User, 'name' | 'givenName' | 'familyName'>;

/**
 * The name by which a person is called: their name, else given and family name; null when they have
 * none.
 */
export function displayNameOf({ name, givenName, familyName }: Named): string | null {
  if (isFilled(name)) return name;
  const parts = [givenName, familyName].filter(isFilled);
  return parts.length === 0 ? null : parts.join(' ');
}

const isFilled = (text: string | null): text is string => text !== null && text.trim() !== '';

/**
 * Names by the subtag of their language, folded and joined by U+0000 (wire 13.2); empty until they
 * are here.
 */
export type LanguageNames = ReadonlyMap<string, string>;

/** Reads the file of wire 13.2. */
export const languageNamesIn = (file: unknown): LanguageNames =>
  new Map(Object.entries(file as Readonly<Record<string, string>>));

/** What a search looks through of a project (wire 5.2), folded. */
function textsOf(project: Project, find: Find, names: LanguageNames): readonly string[] {
  const { owner, organization, group } = project;
  const language = fold(project.language);
  const products = find.all('product', { project: project.id });
  return [
    fold(project.name),
    language,
    names.get(primaryOf(language)) ?? '',
    foldedName(owner === null ? null : find.one('user', owner), displayNameOf),
    foldedName(find.one('organization', organization), nameOf),
    foldedName(find.one('group', group), nameOf),
    ...products.map(({ productDefinition }) =>
      foldedName(find.one('productDefinition', productDefinition), nameOf),
    ),
  ];
}

const nameOf = ({ name }: { readonly name: string | null }): string | null => name;

/** Records do not change, and thousands of projects name the same ones. */
const foldedNames = new WeakMap<WeakKey, string>();

function foldedName<R extends object>(record: R | null, of: (record: R) => string | null): string {
  if (record === null) return '';
  const folded = foldedNames.get(record) ?? fold(of(record) ?? '');
  foldedNames.set(record, folded);
  return folded;
}

/**
 * Returns all that a search looks through of `record`, folded and joined by U+0000: the texts of a
 * project, as wire 5.2 says, and every line of another record.
 */
export function searchTextOf<T extends TypeName>(
  type: T,
  record: Of<T>,
  find: Find,
  names: LanguageNames,
): string {
  const texts =
    type === 'project'
      ? textsOf(record as unknown as Project, find, names)
      : linesOf(type, record as never).map(fold);
  return texts.join('\0');
}

function linesOf(type: TypeName, record: Readonly<Record<string, unknown>>): readonly string[] {
  return attributesOf(type).flatMap(([name, { kind }]) => {
    const value = kind === 'line' || kind === 'email' ? record[name] : null;
    return typeof value === 'string' ? value : [];
  });
}

/** Says whether each word of `search` is in one of `texts`; without words it is in everything. */
export function contains(texts: readonly string[], search: string): boolean {
  const folded = texts.map(fold).join('\0');
  return wordsOf(search).every((word) => folded.includes(word));
}

/** What a list is ordered by: a number, or the fold of a text. */
export type SortKey = string | number | null;

/** Orders two keys as SQL does; null comes last, ascending or descending. */
export function compareKeys(a: SortKey, b: SortKey, isDescending = false): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  const order =
    typeof a === 'string' && typeof b === 'string' ? compareFolded(a, b) : Number(a) - Number(b);
  return isDescending ? -order : order;
}

/** Orders two texts as SQL orders their keys; null comes last, ascending or descending. */
export function compareTexts(a: string | null, b: string | null, isDescending = false): number {
  const keyOf = (text: string | null) => (text === null ? null : fold(text));
  return compareKeys(keyOf(a), keyOf(b), isDescending);
}
