import { limits } from '#protocol/limits.ts';

/** The SignalR JSON protocol, version 1 (wire 10.1): JSON texts that end with 0x1E. */

const END = '\u001e';

/** Why a client's frames cannot be read; the connection is closed with it. */
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

/** Puts frames together from what arrives, however it was cut. */
export class FrameReader {
  private rest = '';

  /** The frames that `text` completes. @throws BadFrame when one is over the limit */
  read(text: string): string[] {
    const frames = (this.rest + text).split(END);
    this.rest = frames.pop() ?? '';
    if ([...frames, this.rest].some(isTooLarge)) throw new BadFrame('too-large');
    return frames;
  }
}

function isTooLarge(frame: string): boolean {
  // A character is at least one byte, so the exact count is needed in between only.
  if (frame.length > limits.hubFrameBytes) return true;
  return frame.length * 3 > limits.hubFrameBytes && Buffer.byteLength(frame) > limits.hubFrameBytes;
}

/** @throws BadFrame when `frame` is not JSON or no message of the protocol */
export function parseFrame(frame: string): FromClient {
  const { type, target, invocationId, arguments: given } = objectIn(frame);
  const id = typeof invocationId === 'string' ? invocationId : null;
  switch (type) {
    case 1:
      if (typeof target !== 'string' || !Array.isArray(given))
        throw new BadFrame('invalid-document');
      return { is: 'invocation', id, target, arguments: given };
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

/** The first frame: null when it asks for what is offered, else what is wrong with it. */
export function refusalOfHandshake(frame: string): string | null {
  const { protocol, version } = objectIn(frame);
  if (protocol !== 'json') return `The protocol '${String(protocol)}' is not supported.`;
  return version === 1 ? null : `The version '${String(version)}' is not supported.`;
}

function objectIn(frame: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(frame);
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
