import { JSON_API } from '#protocol/document.ts';
import { wireFieldOf, wireTypeOf } from '#protocol/names.ts';
import { paths } from '#protocol/paths.ts';
import type { ErrorObject } from '#protocol/problem.ts';
import type { Of } from '#schema/index.ts';
import { browserEnvironment, NoAnswerError } from './environment.ts';
import type { SessionEnvironment } from './environment.ts';
import { objectIn } from './json.ts';

const TYPE = 'organizationInviteRequest';
const ANSWER_WITHIN_MS = 20_000;

/** What somebody states who wants their organization on Slipway. */
export type AccessRequest = Pick<Of<typeof TYPE>, 'name' | 'orgAdminEmail' | 'websiteUrl'>;

/** Null: it was taken. Otherwise what is wrong with it, with a `title` at least. */
export type AccessRefusal = Pick<ErrorObject, 'title' | 'source' | 'meta'> & {
  readonly code: string;
};

/**
 * Asks for an organization on Slipway, without an account (wire 11.1): super admins are told.
 *
 * @returns null once it was taken, or the first thing that is wrong with it
 * @throws NoAnswerError when nothing is known of it
 */
export async function requestAccess(
  request: AccessRequest,
  { fetch, abortAfter }: Pick<SessionEnvironment, 'fetch' | 'abortAfter'> = browserEnvironment(),
): Promise<AccessRefusal | null> {
  const attributes = Object.fromEntries(
    Object.entries(request).map(([name, value]) => [wireFieldOf(TYPE, name), value]),
  );
  let answer: Response;
  let text: string;
  try {
    answer = await fetch(paths.inviteRequests, {
      method: 'POST',
      headers: { Accept: JSON_API, 'Content-Type': JSON_API },
      body: JSON.stringify({ data: { type: wireTypeOf(TYPE), attributes } }),
      signal: abortAfter(ANSWER_WITHIN_MS),
    });
    text = await answer.text();
  } catch (cause) {
    throw new NoAnswerError(paths.inviteRequests, cause);
  }
  if (answer.ok) return null;
  const { errors } = (objectIn(text) ?? {}) as { readonly errors?: readonly AccessRefusal[] };
  return errors?.[0] ?? { code: '', title: answer.statusText };
}
