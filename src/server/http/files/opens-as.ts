import type { FoundFile } from '../../domain/files/found-file.ts';
import type { Sent } from '../../domain/files/tickets.ts';

/** What a browser does with a file: it saves it, or shows it as a plain text or as a page. */
export type OpensAs = 'download' | 'text' | 'page';

export const PLAIN = 'text/plain; charset=utf-8';
const FALLBACK = 'application/octet-stream';

/** Returns the type to send it with: a text is shown as one, whatever type the engine gave it. */
export function contentTypeOf(found: FoundFile, opens: OpensAs): string {
  return opens === 'text' ? PLAIN : (found.contentType ?? FALLBACK);
}

/** Returns true for a page that is shown: `sendFile` sends it with a policy of its own. */
export const isShownPage = ({ contentType, isInline }: Sent): boolean =>
  isInline && isPage(contentType);

const isPage = (contentType: string): boolean => /^text\/html\s*(;|$)/i.test(contentType);

/** Returns what a ticket is for. What is called a page and is none is saved. */
export function sentOf(found: FoundFile & { readonly is: 'here' }, opens: OpensAs): Sent {
  const contentType = contentTypeOf(found, opens);
  const isInline = opens === 'text' || (opens === 'page' && isPage(contentType));
  return { path: found.path, filename: found.filename, contentType, isInline };
}
