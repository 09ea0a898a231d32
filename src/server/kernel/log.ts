import {
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import pino from 'pino';
import type { Logger } from 'pino';

const MOST_BYTES = 10 * 1_048_576;
const OLD_FILES = 4;
const WARN = 40;

export interface LogFile {
  /** Appends `line`; does nothing after `close`. */
  write(line: string): void;
  close(): void;
}

/** A file that never grows beyond `mostBytes`: full, it becomes `path.1`, that `path.2`, and so on. */
export function openLogFile(path: string, mostBytes = MOST_BYTES, oldFiles = OLD_FILES): LogFile {
  mkdirSync(dirname(path), { recursive: true });
  // The system gives the number of a closed file to whatever is opened next, so it is forgotten.
  let file: number | null = openSync(path, 'a');
  let size = fstatSync(file).size;
  let isOver = false;

  const close = () => {
    if (file !== null) closeSync(file);
    file = null;
  };
  const turn = () => {
    close();
    rmSync(`${path}.${oldFiles}`, { force: true });
    for (let i = oldFiles - 1; i >= 1; i -= 1)
      if (existsSync(`${path}.${i}`)) renameSync(`${path}.${i}`, `${path}.${i + 1}`);
    renameSync(path, `${path}.1`);
    size = 0;
  };

  return {
    // Each line is written at once: the lines before a crash are the ones that matter.
    write: (line) => {
      if (isOver) return;
      const bytes = Buffer.from(line);
      if (size > 0 && size + bytes.length > mostBytes) turn();
      file ??= openSync(path, 'a');
      writeSync(file, bytes);
      size += bytes.length;
    },
    close: () => {
      isOver = true;
      close();
    },
  };
}

interface LogLine {
  readonly level: number;
  readonly msg?: string;
  readonly reqId?: string;
  readonly err?: { readonly message?: string };
}

/**
 * Returns the text in one line: nothing that somebody typed may look like a line of its own, or
 * steer the terminal.
 */
const inOneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');

/** Prints warnings as a person reads them; the whole of it is in the file. */
function terminal(stream: NodeJS.WritableStream) {
  return {
    write: (json: string) => {
      const { level, msg = '', err, reqId } = JSON.parse(json) as LogLine;
      const said = [msg, err?.message]
        .filter((text) => text !== undefined && text !== '')
        .join(': ');
      const request = reqId === undefined ? '' : ` (request ${reqId})`;
      stream.write(`${level > WARN ? 'Error' : 'Warning'}: ${inOneLine(said)}${request}\n`);
    },
  };
}

/**
 * Logs everything into `file`, and warnings to the terminal too. Tokens and passwords are cut out.
 */
export function openLog(file: LogFile, stream: NodeJS.WritableStream = process.stderr): Logger {
  return pino(
    {
      base: { pid: process.pid },
      redact: {
        paths: [
          'headers',
          'req.headers',
          'token',
          'access_token',
          'password',
          '*.token',
          '*.access_token',
          '*.password',
        ],
        censor: '…',
      },
    },
    pino.multistream([
      { level: 'info', stream: file },
      { level: 'warn', stream: terminal(stream) },
    ]),
  );
}
