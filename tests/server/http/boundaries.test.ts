import { connect } from 'node:net';
import { expect } from 'chai';
import { startServer } from '../../support/server.ts';
import type { TestServer } from '../../support/server.ts';

/** A second request, as whoever smuggles one hides it in the body of the first. */
const HIDDEN = 'GET /api/health/live HTTP/1.1\r\nHost: x\r\n\r\n';
const LENGTH = String(HIDDEN.length);
const post = (headers: string, body: string) =>
  `POST /oidc/forgot HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\n${headers}\r\n\r\n${body}`;

const AMBIGUOUS: readonly (readonly [what: string, bytes: string])[] = [
  [
    'with a length and chunks',
    post('Content-Length: 4\r\nTransfer-Encoding: chunked', `0\r\n\r\n${HIDDEN}`),
  ],
  [
    'with chunks and a length',
    post(`Transfer-Encoding: chunked\r\nContent-Length: ${LENGTH}`, `0\r\n\r\n${HIDDEN}`),
  ],
  ['with two lengths', post(`Content-Length: 0\r\nContent-Length: ${LENGTH}`, HIDDEN)],
  ['with two lengths in one header', post(`Content-Length: 0, ${LENGTH}`, HIDDEN)],
  ['with a length that has a sign', post('Content-Length: +0', HIDDEN)],
  ['with a length in another notation', post('Content-Length: 0x0', HIDDEN)],
  ['with a length after a space', post('Content-Length : 0', HIDDEN)],
  ['with chunks after a space', post('Transfer-Encoding : chunked', `0\r\n\r\n${HIDDEN}`)],
  ['with an encoding that nobody knows', post('Transfer-Encoding: xchunked', `0\r\n\r\n${HIDDEN}`)],
  [
    'whose chunks are not the last encoding',
    post('Transfer-Encoding: chunked, identity', `0\r\n\r\n${HIDDEN}`),
  ],
  [
    'whose chunk has a size in another notation',
    post('Transfer-Encoding: chunked', `0x0\r\n\r\n${HIDDEN}`),
  ],
  [
    'whose chunk is longer than its size',
    post('Transfer-Encoding: chunked', `1\r\nab\r\n0\r\n\r\n${HIDDEN}`),
  ],
  [
    'whose header goes on in the next line',
    post('Transfer-Encoding:\r\n chunked', `0\r\n\r\n${HIDDEN}`),
  ],
  ['whose lines end with CR alone', post('X: y\rTransfer-Encoding: chunked', `0\r\n\r\n${HIDDEN}`)],
];

describe('a request whose end can be read in two ways', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer();
  });
  after(() => server.stop());

  /** The statuses of what is answered until the server closes the connection. */
  const answersTo = (bytes: string) =>
    new Promise<readonly string[]>((done) => {
      let received = '';
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1', () => {
        socket.write(bytes);
      });
      socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
      socket.on('error', () => undefined);
      socket.once('close', () => {
        done([...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status = '']) => status));
      });
    });

  for (const [what, bytes] of AMBIGUOUS)
    it(`is refused, and nothing after it is read: ${what}`, async () => {
      expect(await answersTo(bytes)).to.deep.equal(['400']);
    });

  it('is no request that is written as it should be: it and the next are both answered', async () => {
    const chunked = post('Transfer-Encoding: chunked', '1\r\na\r\n0\r\n\r\n');
    const last = HIDDEN.replace('Host: x', 'Host: x\r\nConnection: close');
    expect(await answersTo(`${chunked}${last}`)).to.deep.equal(['403', '200']);
  });
});
