import { Console } from 'node:console';
import { Writable } from 'node:stream';
import type { Logger } from 'pino';

/** What libraries say through the console: for the log, not for the terminal. */

const early: string[] = [];
let forwardLine = (line: string): void => {
  early.push(line);
};

/** From now on the console speaks to nobody but whom `passChatterTo` names. */
export function captureConsole(): void {
  const stream = new Writable({
    write: (chunk: Buffer, _, done) => {
      forwardLine(chunk.toString().trim());
      done();
    },
  });
  globalThis.console = new Console({ stdout: stream, stderr: stream });
}

/** What was said before comes first. */
export function forwardConsoleTo(log: Logger): void {
  forwardLine = (line) => {
    log.info({ line }, 'A library says');
  };
  early.splice(0).forEach(forwardLine);
}
