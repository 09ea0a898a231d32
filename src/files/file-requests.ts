import { JSON_API } from '#protocol/document.ts';
import { VERSION } from '#protocol/limits.ts';
import type { ErrorObject } from '#protocol/problem.ts';
import type { FilesEnvironment, FileResponse } from './environment.ts';

/** Why a file did not go where it should. */
export type FileRequestFailure =
  /** Nothing was decided: it may be tried again. */
  | { readonly is: 'no-answer' }
  | { readonly is: 'sign-in' }
  | { readonly is: 'refused'; readonly problem: ErrorObject };

export type FileRequestResult<T> = { readonly is: 'done'; readonly value: T } | FileRequestFailure;

const ANSWER_WITHIN_MS = 60_000;

/** What a call that answers JSON came to. */
export async function fetchJson<T>(
  environment: FilesEnvironment,
  method: 'GET' | 'POST',
  address: string,
): Promise<FileRequestResult<T>> {
  const outcome = await signed(environment, async (headers) => {
    const signal = environment.abortAfter(ANSWER_WITHIN_MS);
    const answer = await environment.fetch(address, { method, headers, signal });
    return { status: answer.status, text: await answer.text() };
  });
  if (outcome.is !== 'done') return outcome;
  const value = objectIn(outcome.value.text);
  return value === null ? { is: 'no-answer' } : { is: 'done', value: value as T };
}

/** Asks with a good token, and once more with a fresh one when the server holds it for over. */
export async function signed(
  { accessToken }: FilesEnvironment,
  send: (headers: Readonly<Record<string, string>>) => Promise<FileResponse>,
): Promise<FileRequestResult<FileResponse>> {
  let refused: string | null = null;
  try {
    for (;;) {
      const token = await accessToken(refused === null ? {} : { refused });
      if (token === null) return { is: 'sign-in' };
      const heard = await send({
        Accept: JSON_API,
        Authorization: `Bearer ${token}`,
        'X-Slipway-Version': VERSION,
      });
      const outcome = outcomeOf(heard);
      if (outcome.is !== 'sign-in' || refused !== null) return outcome;
      refused = token;
    }
  } catch {
    return { is: 'no-answer' };
  }
}

function outcomeOf(heard: FileResponse): FileRequestResult<FileResponse> {
  if (heard.status >= 200 && heard.status < 300) return { is: 'done', value: heard };
  const errors = objectIn(heard.text)?.errors;
  const [problem] = Array.isArray(errors) ? (errors as readonly ErrorObject[]) : [];
  // A proxy's page is the network's, not the server's.
  if (problem === undefined || problem.code === 'unavailable') return { is: 'no-answer' };
  return problem.code === 'not-signed-in' ? { is: 'sign-in' } : { is: 'refused', problem };
}

function objectIn(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
}
