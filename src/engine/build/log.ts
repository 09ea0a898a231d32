const MOST_REMARKS = 200;

/** What a build tells people while it works. */
export interface Log {
  /** A step, such as "Rendering 12 pages". */
  say(line: string): void;
  /** Something in the content that its author may want to mend; the build goes on. */
  remark(line: string): void;
}

/** A log into `heard`. Remarks end at a number, so that bad content cannot fill the disk with them. */
export function logInto(heard: (line: string) => void): Log {
  let remarks = 0;
  return {
    say: heard,
    remark(line) {
      remarks += 1;
      if (remarks <= MOST_REMARKS) heard(`Note: ${line}`);
      if (remarks === MOST_REMARKS) heard('Note: there are more of these, which are not listed.');
    },
  };
}
