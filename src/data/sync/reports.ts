import type { Clock } from '#base/id.ts';
import type { ReportedError } from '../model/views.ts';

const KEPT = 50;
const FRAMES = 3;

/** Keeps the last errors from which the app recovered, for diagnostics, and logs them. */
export class Reports {
  readonly #clock: Clock;
  readonly #log: (what: string, cause: unknown) => void;
  #last: readonly ReportedError[] = [];

  constructor(clock: Clock, log: (what: string, cause: unknown) => void) {
    this.#clock = clock;
    this.#log = log;
  }

  readonly report = (what: string, cause: unknown): void => {
    const reported = { at: new Date(this.#clock()).toISOString(), what, why: whyOf(cause) };
    this.#last = [reported, ...this.#last].slice(0, KEPT);
    this.#log(what, cause);
  };

  /** The newest first. */
  get last(): readonly ReportedError[] {
    return this.#last;
  }
}

/** The cause as text, without what anybody typed: it may be sent to somebody. */
function whyOf(cause: unknown): string {
  if (cause instanceof Error) {
    const below = cause.cause === undefined ? '' : ` (${whyOf(cause.cause)})`;
    return `${cause.name}: ${messageOf(cause)}${framesOf(cause)}${below}`;
  }
  if (typeof cause === 'string') return clean(cause);
  const { status, code, id } = (cause ?? {}) as Partial<Record<string, unknown>>;
  return [status, code, id].filter((part) => typeof part === 'string').join(' ');
}

/** The message of a parser is left out: it quotes what it could not read. */
const messageOf = (error: Error): string =>
  error instanceof SyntaxError ? '' : clean(error.message);

function clean(text: string): string {
  return text
    .replace(/"[^"]*"|'[^']*'|“[^“”]*”|‘[^‘’]*’/g, '…')
    .replace(/\S+/g, (word) => (/@|[\w-]{8}\.[\w-]{8,}\./.test(word) ? '…' : word))
    .slice(0, 200);
}

function framesOf({ stack = '' }: Error): string {
  const frames = stack.split('\n').filter((line) => line.trimStart().startsWith('at '));
  return frames
    .slice(0, FRAMES)
    .map((line) => ` ${line.trim()}`)
    .join('');
}
