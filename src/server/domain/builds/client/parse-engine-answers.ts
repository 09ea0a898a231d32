import { isObject } from '#base/is-object.ts';
import { EngineError } from '#protocol/engine.ts';
import type {
  Artifacts,
  EngineBuild,
  EngineJob,
  EngineProject,
  EngineRelease,
} from '#protocol/engine.ts';

/** Answers of an engine over HTTP. A value without a usable form counts as missing. */

type EngineAnswer = Readonly<Record<string, unknown>>;

export function projectIn(body: unknown): EngineProject {
  const answer = answerIn(body);
  const url = textIn(answer.url);
  // Addresses of the bundled engine open what others keep there, so another engine may not give
  // one.
  return { ...engineTaskStatusIn(answer), url: url?.startsWith('bundled:') === true ? null : url };
}

export function jobIn(body: unknown): EngineJob {
  const answer = answerIn(body);
  return {
    id: idIn(answer),
    requestId: textIn(answer.request_id),
    gitUrl: textIn(answer.git_url),
    publisherId: textIn(answer.publisher_id),
  };
}

export function buildIn(body: unknown): EngineBuild {
  const answer = answerIn(body);
  return {
    ...engineTaskStatusIn(answer),
    targets: textIn(answer.targets),
    artifacts: artifactsIn(answer.artifacts),
    updated: instantIn(answer.updated),
    started: null,
    finished: null,
    logTail: null,
    hasLog: false,
    queuePosition: null,
  };
}

export function buildsIn(body: unknown): readonly EngineBuild[] {
  if (!Array.isArray(body)) throw new EngineError('no-usable-answer');
  return body.map(buildIn).sort((a, b) => a.id - b.id);
}

export function releaseIn(body: unknown): EngineRelease {
  const answer = answerIn(body);
  return {
    ...engineTaskStatusIn(answer),
    channel: textIn(answer.channel),
    artifacts: artifactsIn(answer.artifacts),
    consoleText: addressIn(answer.console_text) ?? addressIn(answer.consoleText),
    updated: instantIn(answer.updated),
  };
}

function answerIn(body: unknown): EngineAnswer {
  if (!isObject(body)) throw new EngineError('no-usable-answer');
  return body;
}

/** Returns the id; an engine that could not store what was requested answers with the id 0. */
function idIn({ id }: EngineAnswer): number {
  const number = typeof id === 'string' && /^\d+$/.test(id) ? Number(id) : id;
  if (typeof number === 'number' && Number.isSafeInteger(number) && number > 0) return number;
  throw new EngineError('no-usable-answer');
}

function engineTaskStatusIn(answer: EngineAnswer) {
  const { status } = answer;
  if (typeof status !== 'string') throw new EngineError('no-usable-answer');
  const [result, error] = [textIn(answer.result), textIn(answer.error)];
  return { id: idIn(answer), status, result, error };
}

/** Returns the text without NUL, which the database would not take. */
function textIn(value: unknown): string | null {
  const text = typeof value === 'string' ? value.replaceAll('\0', '') : '';
  return text === '' ? null : text;
}

/**
 * Returns the artifacts that have an address; an engine also names types without one, and an empty
 * list for none.
 */
function artifactsIn(value: unknown): Artifacts {
  if (!isObject(value)) return {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([type, url]) => {
      const address = addressIn(url);
      return address === null ? [] : [[type, address] as const];
    }),
  );
}

/** Returns an address to which people are led: only the schemes of the web are allowed. */
function addressIn(value: unknown): string | null {
  if (typeof value !== 'string' || !URL.canParse(value)) return null;
  return ['http:', 'https:'].includes(new URL(value).protocol) ? value : null;
}

/** Returns the ISO form; a time without a zone is taken as UTC. Null when it is no time. */
export function instantIn(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const [, date, time] = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d(?:\.\d+)?)$/.exec(value) ?? [];
  const at = new Date(date === undefined ? value : `${date}T${time ?? ''}Z`);
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
}
