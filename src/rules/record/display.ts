import { compareFolded, fold } from '#base/unicode.ts';
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

/** Everything of a project that a search looks through (wire 5.2). */
export function searchableTexts(project: Project, find: Find): readonly string[] {
  const owner = project.owner === null ? null : find.one('user', project.owner);
  return [
    project.name,
    project.language,
    owner === null ? null : displayNameOf(owner),
    find.one('organization', project.organization)?.name ?? null,
    find.one('group', project.group)?.name ?? null,
  ].filter((text) => text !== null);
}

/**
 * Says whether one of `texts` contains `words`, as both are folded; blank words are in everything.
 */
export function contains(texts: readonly string[], words: string): boolean {
  const key = fold(words.trim());
  return texts.some((text) => fold(text).includes(key));
}

/** Orders two texts as SQL orders their keys; null comes last, ascending or descending. */
export function compareTexts(a: string | null, b: string | null, isDescending = false): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  const order = compareFolded(fold(a), fold(b));
  return isDescending ? -order : order;
}
