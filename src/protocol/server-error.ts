import { isObject } from '#base/is-object.ts';

/** An answer of 500 or more, of the server or of what stands before it (requirement 374). */
export interface ServerError {
  readonly status: string;
  /** The code of its problem; empty where the answer is none. */
  readonly code: string;
  /** The problem's title, or the beginning of the answer's text; may be empty. */
  readonly title: string;
}

interface Answer {
  readonly status: number;
  /** Its problems as they came; left out where it is no document. */
  readonly errors?: unknown;
  readonly text?: string;
}

/** What an answer says of a server that is broken; undefined where it says something else. */
export function serverErrorOf({ status, errors, text = '' }: Answer): ServerError | undefined {
  if (status < 500) return undefined;
  const [first] = Array.isArray(errors) ? (errors as unknown[]) : [];
  const { code, title } = isObject(first) ? first : { title: text };
  return {
    status: String(status),
    code: typeof code === 'string' ? code : '',
    title: beginningOf(typeof title === 'string' ? title : ''),
  };
}

/** What a person can read of the beginning of a page or a text. */
function beginningOf(text: string): string {
  return text
    .slice(0, 2_000)
    .replace(/<(head|script|style)\b[^]*?(<\/\1>|$)/gi, ' ')
    .replace(/<[^>]*>?|\p{Bidi_Control}/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 200);
}
