import { parseJson } from '#base/json.ts';
import { limits } from '#protocol/limits.ts';

/** The SignalR JSON protocol, version 1 (wire 10.1): JSON texts that end with 0x1E. */

const END = '\u001e';
const END_BYTE = 0x1e;
const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A client's frames cannot be read; the connection is closed with this reason. */
export class BadFrame extends Error {
  readonly reason: 'too-large' | 'invalid-document';

  constructor(reason: BadFrame['reason']) {
    super(reason);
    this.name = 'BadFrame';
    this.reason = reason;
  }
}

export interface Invocation {
  readonly is: 'invocation';
  /** Null: the client wants no answer. */
  readonly id: string | null;
  readonly target: string;
  readonly arguments: readonly unknown[];
}

export type FromClient =
  | Invocation
  | { readonly is: 'ping' | 'close' | 'unknown' }
  /** It asks for a stream, and there is none. */
  | { readonly is: 'stream'; readonly id: string };

/**
 * Assembles frames from the bytes that arrive, however they were cut. Each byte is read once: an
 * unfinished frame waits in pieces, which are joined when its end comes.
 */
export class FrameReader {
  private pieces: Uint8Array[] = [];
  private waiting = 0;

  /**
   * Yields the frames that `bytes` completes, one by one, so that those before a bad one are
   * handled.
   *
   * @throws BadFrame when one is over the limit, also while it is not whole, or is not UTF-8
   */
  *read(bytes: Buffer): Generator<string, void> {
    let start = 0;
    for (let end = bytes.indexOf(END_BYTE); end !== -1; end = bytes.indexOf(END_BYTE, start)) {
      this.keep(bytes.subarray(start, end));
      start = end + 1;
      yield this.take();
    }
    this.keep(bytes.subarray(start));
  }

  private keep(piece: Uint8Array): void {
    this.waiting += piece.length;
    if (this.waiting > limits.hubFrameBytes) throw new BadFrame('too-large');
    if (piece.length > 0) this.pieces.push(piece);
  }

  private take(): string {
    const frame = Buffer.concat(this.pieces);
    this.pieces = [];
    this.waiting = 0;
    try {
      return UTF_8.decode(frame);
    } catch {
      throw new BadFrame('invalid-document');
    }
  }
}

/** @throws BadFrame when `frame` is not JSON or no message of the protocol */
export function parseFrame(frame: string): FromClient {
  const { type, target, invocationId, arguments: parameters } = objectIn(frame);
  if (invocationId !== undefined && typeof invocationId !== 'string')
    throw new BadFrame('invalid-document');
  const id = invocationId ?? null;
  switch (type) {
    case 1:
      if (typeof target !== 'string' || !Array.isArray(parameters))
        throw new BadFrame('invalid-document');
      return { is: 'invocation', id, target, arguments: parameters };
    case 4:
      return id === null ? { is: 'unknown' } : { is: 'stream', id };
    case 6:
      return { is: 'ping' };
    case 7:
      return { is: 'close' };
    default:
      if (typeof type !== 'number') throw new BadFrame('invalid-document');
      return { is: 'unknown' };
  }
}

/**
 * Checks the first frame: returns null when it asks for what is offered, else what is wrong with
 * it.
 */
export function refusalOfHandshake(frame: string): string | null {
  const { protocol, version } = objectIn(frame);
  if (protocol !== 'json') return `The protocol '${String(protocol)}' is not supported.`;
  return version === 1 ? null : `The version '${String(version)}' is not supported.`;
}

function objectIn(frame: string): Readonly<Record<string, unknown>> {
  try {
    const value = parseJson(frame);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Readonly<Record<string, unknown>>;
  } catch {
    // Said below.
  }
  throw new BadFrame('invalid-document');
}

const frame = (message: object): string => JSON.stringify(message) + END;

export const handshakeFrame = (error: string | null): string =>
  frame(error === null ? {} : { error });
export const pingFrame = frame({ type: 6 });
export const callFrame = (target: string, ...values: readonly unknown[]): string =>
  frame({ type: 1, target, arguments: values });
export const resultFrame = (invocationId: string, result: unknown): string =>
  frame({ type: 3, invocationId, result: result ?? null });
export const errorFrame = (invocationId: string, error: string): string =>
  frame({ type: 3, invocationId, error });
export const closeFrame = (error: string | null, allowReconnect: boolean): string =>
  frame({ type: 7, ...(error === null ? {} : { error }), allowReconnect });
