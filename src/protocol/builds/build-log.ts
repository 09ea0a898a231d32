import { plainTextOf } from '#base/terminal/ansi.ts';

/**
 * The form of the log that the bundled engine writes (wire 12.1): each line begins with the instant
 * at which it came, and some with a mark. Texts of other engines have neither.
 */

/** Begins a phase of the build, which lasts until the next one. */
const PHASE = '== ';
/** Begins what the author of the content may want to correct. */
const REMARK = 'Note: ';
/** Begins the last line of a build that failed. */
const FAILURE = 'Failed: ';

const TIMED = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) /;

export const phaseLine = (text: string): string => `${PHASE}${text}`;
export const remarkLine = (text: string): string => `${REMARK}${text}`;
export const failureLine = (text: string): string => `${FAILURE}${text}`;

/** Returns the line as it stands in the file, without its break. */
export const timedLine = (at: string, line: string): string => `${at} ${line}`;

/** Returns a line without the mark of a phase, as clients know it that show the end of a log. */
export const withoutPhaseMark = (line: string): string =>
  line.startsWith(PHASE) ? line.slice(PHASE.length) : line;

/** A line of a log as people read it. */
export interface BuildLogLine {
  /** ISO; null where the engine that wrote it gives no times. */
  readonly at: string | null;
  readonly is: 'phase' | 'remark' | 'failure' | 'text';
  /** The line without time and without the mark of a phase. */
  readonly text: string;
}

/** Reads a line of a log, without its break. */
export function parseBuildLogLine(line: string): BuildLogLine {
  const [found = '', time = null] = TIMED.exec(line) ?? [];
  const isTimed = time !== null && !Number.isNaN(Date.parse(time));
  const [whole, at] = isTimed ? [found, time] : ['', null];
  const rest = line.slice(whole.length);
  // Only who writes times writes phases: in another text the mark is part of what is said.
  if (at !== null && rest.startsWith(PHASE))
    return { at, is: 'phase', text: rest.slice(PHASE.length) };
  const plain = plainTextOf(rest);
  const is = plain.startsWith(FAILURE) ? 'failure' : plain.startsWith(REMARK) ? 'remark' : 'text';
  return { at, is, text: rest };
}

/** A phase of a build: from its line to that of the next one. */
export interface BuildPhase {
  /** The index of its line. */
  readonly line: number;
  readonly text: string;
  /** Null: it is the last one, so that the end of the log alone can say how long it was. */
  readonly lastedMs: number | null;
}

/** Lists the phases; none in a text without times. */
export function phasesIn(lines: readonly BuildLogLine[]): readonly BuildPhase[] {
  const begun = lines.flatMap(({ is, at, text }, line) =>
    is === 'phase' && at !== null ? [{ line, text, atMs: Date.parse(at) }] : [],
  );
  return begun.map(({ line, text, atMs }, index) => {
    const next = begun[index + 1];
    return { line, text, lastedMs: next === undefined ? null : Math.max(0, next.atMs - atMs) };
  });
}

const SEARCHED = 200;
const TROUBLE = /\b(error|fatal|exception|failed)\b/i;

/**
 * Returns the index of the line that says why a failed build failed: the last one that begins with
 * `Failed: `; without one, the first of the last 200 that has a word of trouble; else the last. Null
 * of an empty log.
 */
export function failingLineIn(lines: readonly BuildLogLine[]): number | null {
  const failure = lines.findLastIndex(({ is }) => is === 'failure');
  if (failure !== -1) return failure;
  const from = Math.max(0, lines.length - SEARCHED);
  const found = lines.findIndex(
    ({ text }, index) => index >= from && TROUBLE.test(plainTextOf(text)),
  );
  if (found !== -1) return found;
  return lines.length === 0 ? null : lines.length - 1;
}
