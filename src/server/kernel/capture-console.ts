import { Console } from 'node:console';
import { Writable } from 'node:stream';
import type { Logger } from 'pino';

/** Lines that libraries write to the console: they are for the log, not for the terminal. */

const early: string[] = [];
let forwardLine = (line: string): void => {
  early.push(line);
};

/** From now on console lines are kept until `forwardConsoleTo` names a log. */
export function captureConsole(): void {
  const stream = new Writable({
    write: (chunk: Buffer, _, done) => {
      forwardLine(chunk.toString().trim());
      done();
    },
  });
  globalThis.console = new Console({ stdout: stream, stderr: stream });
}

/** Forwards console lines to the log; the lines from before come first. */
export function forwardConsoleTo(log: Logger): void {
  forwardLine = (line) => {
    log.info({ line }, 'A library says');
  };
  early.splice(0).forEach(forwardLine);
}
