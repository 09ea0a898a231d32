import { createData } from '#data/data.ts';
import type { Data } from '../../src/data/model/data.ts';
import type { BroadcastChannelLike, Environment } from '#data/model/environment.ts';
import * as jsonApi from '#data/sync/json-api.ts';

/**
 * The real `src/data`, through what screens use of it. The server is a text for the first load and
 * messages for the hub; IndexedDB is the browser's.
 */
export const VIEWER = new URLSearchParams(location.search).get('viewer') ?? '';

/** Lets the feed answer. */
export let answer: (text: string) => void = () => undefined;
/** Delivers a message of the hub. */
export let hear: (text: string) => void = () => undefined;

/** The feed answers once, with the text; no other request ever gets an answer. */
const feed = new Promise<string>((resolve) => (answer = resolve));
let isFirst = true;
let takesChanges = false;

/** From now on the server accepts every change that it is sent. */
export function takeChanges(): void {
  takesChanges = true;
}

const answerOf = (text: Promise<string>): Promise<Response> =>
  Promise.resolve({
    status: 200,
    headers: new Headers({ 'Content-Type': 'application/vnd.api+json' }),
    text: () => text,
  } as unknown as Response);

/** Accepts each change of `body`; its effects come by the feed. */
function acceptanceOf(body: string): Promise<string> {
  const { operations } = JSON.parse(body) as { operations: { meta: { id: string } }[] };
  const verdicts = operations.map(({ meta }) => ({ meta: { ...meta, status: 200 } }));
  return Promise.resolve(JSON.stringify({ operations: verdicts }));
}

export const environment: Environment = {
  clock: () => Date.now(),
  random: (bytes) => {
    crypto.getRandomValues(bytes as Uint8Array<ArrayBuffer>);
    return bytes;
  },
  timers: {
    set: (run, afterMs) => setTimeout(run, afterMs),
    clear: (timer) => {
      clearTimeout(timer as number);
    },
  },
  fetch: (_, { method, body }) => {
    if (method === 'POST' && takesChanges) return answerOf(acceptanceOf(body as string));
    if (!isFirst) return new Promise<Response>(() => undefined);
    isFirst = false;
    return answerOf(feed);
  },
  indexedDB,
  locks: navigator.locks,
  channel: (name) => new BroadcastChannel(name) as BroadcastChannelLike,
  hub: () => ({
    start: () => Promise.resolve(),
    stop: () => Promise.resolve(),
    on: (_, handler) => {
      hear = handler;
    },
    onclose: () => undefined,
    invoke: () => Promise.resolve({ cursor: '' }),
  }),
  jsonApi: () => Promise.resolve(jsonApi),
  languageNames: () => Promise.resolve(new Map()),
  accessToken: () => Promise.resolve('token'),
  onToken: () => () => undefined,
  page: { isOnline: () => true, isVisible: () => true, onChange: () => () => undefined },
  storage: null,
  copyMarkers: null,
  idle: (run) => {
    setTimeout(run, 1_000);
  },
  frame: (run) => {
    requestAnimationFrame(run);
  },
  report: (what, cause) => {
    throw new Error(what, { cause });
  },
};

export const openCopy = (): Data => createData(environment, VIEWER);

/** Resolves when the text of the feed is taken in, calling `loaded` at once. */
export function loadInto(data: Data, text: string, loaded: () => void): Promise<void> {
  return new Promise((resolve) => {
    const roles = data.lists.open('role', {});
    const end = roles.subscribe(() => {
      if (roles.view().state !== 'ready') return;
      end();
      loaded();
      resolve();
    });
    answer(text);
  });
}
