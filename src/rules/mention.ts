import type { Project } from '#schema/project.ts';
import type { Find } from './find.ts';
import { mayOpenProject } from './project.ts';
import { viewerOf } from './viewer.ts';

/** A mention of a person in the text of a comment: `@[` their id in lower case `]`. */
const MENTION = /@\[([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\]/g;

/** The most people that one comment mentions. */
export const MENTIONS_MOST = 10;

/** A piece of the text of a comment: words, or the id of a person who is mentioned. */
export type CommentPart =
  | { readonly is: 'words'; readonly text: string }
  | { readonly is: 'mention'; readonly user: string };

/** Takes the text of a comment apart, in its order; no piece is empty. */
export function partsOf(text: string): readonly CommentPart[] {
  const parts: CommentPart[] = [];
  let end = 0;
  for (const match of text.matchAll(MENTION)) {
    const words = text.slice(end, match.index);
    if (words !== '') parts.push({ is: 'words', text: words });
    parts.push({ is: 'mention', user: match[1] ?? '' });
    end = match.index + match[0].length;
  }
  if (end < text.length) parts.push({ is: 'words', text: text.slice(end) });
  return parts;
}

/** Lists the ids of the people who are mentioned in `text`, each once, in the order of the text. */
export function mentionsIn(text: string): readonly string[] {
  const ids = partsOf(text).flatMap((part) => (part.is === 'mention' ? [part.user] : []));
  return [...new Set(ids)];
}

/** Returns the mention of a person as it stands in a text. */
export const mentionOf = (user: string): string => `@[${user}]`;

/** Writes names in place of mentions. */
export function writtenWithNames(text: string, nameOf: (user: string) => string): string {
  return partsOf(text)
    .map((part) => (part.is === 'words' ? part.text : `@${nameOf(part.user)}`))
    .join('');
}

/**
 * Says whether the person is of the project: owner, group, author, or admin of its organization. A
 * super admin is not as such, for whom members do not know.
 */
export function isOfProject(user: string, project: Project, find: Find): boolean {
  return mayOpenProject({ ...viewerOf(user, find), isSuperAdmin: false }, project, find);
}
