import { phaseLine, remarkLine } from '#protocol/builds/build-log.ts';

const MOST_REMARKS = 200;

/** The words of a build to people while it works. */
export interface Log {
  /** A step, such as "Rendering 12 pages". */
  say(line: string): void;
  /** Begins a phase of the build, which ends where the next one begins. */
  phase(line: string): void;
  /** Notes something in the content that its author may want to correct; the build goes on. */
  remark(line: string): void;
}

/**
 * Makes a log that gives its lines to `onLine`. Remarks end at a number, so that bad content cannot
 * fill the disk with them.
 */
export function logInto(onLine: (line: string) => void): Log {
  let remarks = 0;
  return {
    say: onLine,
    phase(line) {
      onLine(phaseLine(line));
    },
    remark(line) {
      remarks += 1;
      if (remarks <= MOST_REMARKS) onLine(remarkLine(line));
      if (remarks === MOST_REMARKS)
        onLine(remarkLine('there are more of these, which are not listed.'));
    },
  };
}
