import { request } from 'node:http';
import type { Attack } from './texts.ts';

export interface Sent {
  /** Null: the connection ended without an answer. */
  readonly status: number | null;
  readonly text: string;
}

/**
 * Sends a request as it is, from an address of its own if `from` names one: limits by address then
 * leave room for the rest.
 */
export function send(
  server: string,
  token: string,
  attack: Attack,
  from = '127.0.0.1',
): Promise<Sent> {
  const { hostname, port } = new URL(server);
  const bytes = attack.body === null ? null : Buffer.from(attack.body);
  const headers = {
    ...(attack.isSignedIn ? { Authorization: `Bearer ${token}` } : {}),
    ...(bytes === null ? {} : { 'Content-Length': bytes.length }),
    ...attack.headers,
  };
  return new Promise((done) => {
    const options = { host: hostname, port, method: attack.method, path: attack.path, headers };
    const clientRequest = request({ ...options, localAddress: from, agent: false }, (answer) => {
      let text = '';
      answer.on('data', (chunk: Buffer) => (text += chunk.toString()));
      answer.on('end', () => {
        done({ status: answer.statusCode ?? null, text });
      });
      answer.on('error', () => {
        done({ status: answer.statusCode ?? null, text });
      });
    });
    // A body that is too large is answered before all of it is sent.
    clientRequest.on('error', () => {
      done({ status: null, text: '' });
    });
    clientRequest.end(bytes);
  });
}
