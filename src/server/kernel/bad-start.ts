/** The reasons why the server cannot start: one line each, with its remedy; never a stack. */
export class BadStart extends Error {
  readonly lines: readonly string[];

  constructor(...lines: readonly string[]) {
    super(lines.join('\n'));
    this.name = 'BadStart';
    this.lines = lines;
  }
}
