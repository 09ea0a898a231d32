import type { ResourceObject } from '#protocol/document.ts';
import type { Viewer } from '#rules/viewer.ts';
import { tokenFor } from '../../support/tokens.ts';
import type { TestServer } from '../../support/server.ts';

/** One request; `body` goes as JSON:API, or, for the calls marked so, as JSON. */
export interface Ask {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly isJson?: boolean;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** `invalid/reference`, `not-found`, … of every error. */
  readonly refusals: readonly string[];
  readonly data: readonly ResourceObject[];
}

export interface Someone {
  readonly name: string;
  readonly id: string;
  readonly token: string;
  readonly signInAddress: string;
}

/** The person with their rights, once all is written. */
export interface Known extends Someone {
  readonly viewer: Viewer;
}

/** Lasts as long as the clock of the suite may be put forward. */
const LASTS_SECONDS = 86_400;

/** Someone who has just signed in for the first time. */
export async function someone(server: TestServer, name: string, mark: string): Promise<Someone> {
  const signInAddress = `${mark}@sign-in.test`;
  const token = await tokenFor(
    server.parts,
    { email: signInAddress, name: mark },
    { lastsSeconds: LASTS_SECONDS },
  );
  const me = await ask(server.url, token, { method: 'GET', path: '/api/users/current-user' });
  const id = me.data[0]?.id;
  if (id === undefined) throw new Error(`${name} cannot sign in: ${me.text}`);
  return { name, id, token, signInAddress };
}

export async function ask(url: string, token: string, request: Ask): Promise<Answer> {
  const { method, path, body, headers = {}, isJson = false } = request;
  const type = isJson ? 'application/json' : 'application/vnd.api+json';
  const answer = await fetch(`${url}${path}`, {
    method,
    redirect: 'manual',
    headers: {
      Authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'Content-Type': type }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return answerOf(answer.status, await answer.text());
}

export function answerOf(status: number, text: string): Answer {
  const body = (text === '' ? {} : JSON.parse(text)) as Answer['body'];
  const { data } = body;
  return {
    status,
    text,
    body,
    refusals: refusalsOf(body.errors),
    data: [data ?? []].flat() as never,
  };
}

interface Refusal {
  readonly code: string;
  readonly meta?: { readonly rule?: string };
}

export function refusalsOf(errors: unknown): string[] {
  return ((errors ?? []) as readonly Refusal[]).map(({ code, meta }) =>
    meta?.rule === undefined ? code : `${code}/${meta.rule}`,
  );
}

/** Returns everything that a request contains. */
export const sentIn = ({ path, body, headers }: Ask): string =>
  `${decodeURIComponent(path)} ${JSON.stringify(body ?? '')} ${JSON.stringify(headers ?? {})}`;
