import { mentionOf, partsOf } from '#rules/mention.ts';

/** Ids of people by the name that stands for them in a field. */
export type MentionLabels = Readonly<Record<string, string>>;

/** A text as people type it: `@Name` stands for each person whom `labels` name. */
export interface TypedComment {
  readonly text: string;
  readonly labels: MentionLabels;
}

/** Names a person so that nobody else in `labels` has the name. */
export function labelFor(user: string, name: string, labels: MentionLabels): string {
  const known = Object.entries(labels).find(([, id]) => id === user)?.[0];
  if (known !== undefined) return known;
  let label = name;
  for (let n = 2; Object.hasOwn(labels, label); n += 1) label = `${name} (${String(n)})`;
  return label;
}

/** The text of a comment as it is typed into a field. */
export function typedOf(text: string, nameOf: (user: string) => string): TypedComment {
  let labels: MentionLabels = {};
  const typed = partsOf(text).map((part) => {
    if (part.is === 'words') return part.text;
    const label = labelFor(part.user, nameOf(part.user), labels);
    labels = { ...labels, [label]: part.user };
    return `@${label}`;
  });
  return { text: typed.join(''), labels };
}

/** Letters and digits behind a name make another one of it. */
const GOES_ON = /^[\p{L}\p{N}]/u;

/** The text of a comment from what was typed: the longest name that fits is meant. */
export function commentOf({ text, labels }: TypedComment): string {
  const names = Object.keys(labels).sort((a, b) => b.length - a.length);
  let rest = text;
  let comment = '';
  for (;;) {
    const at = rest.indexOf('@');
    if (at < 0) return comment + rest;
    const after = rest.slice(at + 1);
    const name = names.find(
      (one) => after.startsWith(one) && !GOES_ON.test(after.slice(one.length, one.length + 2)),
    );
    const user = name === undefined ? undefined : labels[name];
    comment += rest.slice(0, at) + (user === undefined ? '@' : mentionOf(user));
    rest = after.slice(name?.length ?? 0);
  }
}

/** The words after the `@` that the caret stands behind; null: there is none. */
export function searchAt(text: string, caret: number): string | null {
  const before = text.slice(0, caret);
  const at = before.lastIndexOf('@');
  // An address has letters before it, and nobody has a name of several lines.
  if (at < 0 || /\S/.test(before.charAt(at - 1))) return null;
  const words = before.slice(at + 1);
  return words.length > 40 || words.includes('\n') ? null : words;
}
