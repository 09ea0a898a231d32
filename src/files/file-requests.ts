import { JSON_API } from '#protocol/document.ts';
import { VERSION } from '#protocol/limits.ts';
import type { ErrorObject } from '#protocol/problem.ts';
import type { FilesEnvironment, FileResponse } from './environment.ts';

/** The reason why a file request failed. */
export type FileRequestFailure =
  /** Nothing was decided: it may be tried again. */
  | { readonly is: 'no-answer' }
  | { readonly is: 'sign-in' }
  | { readonly is: 'refused'; readonly problem: ErrorObject };

export type FileRequestResult<T> = { readonly is: 'done'; readonly value: T } | FileRequestFailure;

const ANSWER_WITHIN_MS = 60_000;

/** The result of a call that answers JSON. */
export async function fetchJson<T>(
  environment: FilesEnvironment,
  method: 'GET' | 'POST',
  address: string,
  more: Readonly<Record<string, string>> = {},
): Promise<FileRequestResult<T>> {
  const result = await signed(environment, async (signedHeaders) => {
    const signal = environment.abortAfter(ANSWER_WITHIN_MS);
    const headers = { ...signedHeaders, ...more };
    const answer = await environment.fetch(address, { method, headers, signal });
    return { status: answer.status, text: await answer.text() };
  });
  if (result.is !== 'done') return result;
  const value = objectIn(result.value.text);
  return value === null ? { is: 'no-answer' } : { is: 'done', value: value as T };
}

/**
 * Sends with a valid token, and once more with a fresh one when the server says that it has
 * expired.
 */
export async function signed(
  { accessToken }: FilesEnvironment,
  send: (headers: Readonly<Record<string, string>>) => Promise<FileResponse>,
): Promise<FileRequestResult<FileResponse>> {
  let refused: string | null = null;
  try {
    for (;;) {
      const token = await accessToken(refused === null ? {} : { refused });
      if (token === null) return { is: 'sign-in' };
      const response = await send({
        Accept: JSON_API,
        Authorization: `Bearer ${token}`,
        'X-Slipway-Version': VERSION,
      });
      const result = resultOf(response);
      if (result.is !== 'sign-in' || refused !== null) return result;
      refused = token;
    }
  } catch {
    return { is: 'no-answer' };
  }
}

function resultOf(response: FileResponse): FileRequestResult<FileResponse> {
  if (response.status >= 200 && response.status < 300) return { is: 'done', value: response };
  const errors = objectIn(response.text)?.errors;
  const [problem] = Array.isArray(errors) ? (errors as readonly ErrorObject[]) : [];
  // A proxy's page comes from the network, not from the server.
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
