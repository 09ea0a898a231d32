import { Readable } from 'node:stream';
import { expect } from 'chai';
import type { FastifyRequest } from 'fastify';
import { limits } from '#protocol/limits.ts';
import { ProblemError } from '#protocol/problem.ts';
import { bytesOf } from '#server/http/media.ts';
import { OwnTime } from '../../../support/own-time.ts';

describe('a file that is uploaded', () => {
  const asked = (bodyBytes: number) =>
    ({ url: '/', routeOptions: { config: { bodyBytes } } }) as unknown as FastifyRequest;

  async function taken(body: Readable, most: number, time = new OwnTime()) {
    const chunks: Uint8Array[] = [];
    try {
      for await (const chunk of bytesOf(asked(most), body, time)) chunks.push(chunk);
      return Buffer.concat(chunks).toString();
    } catch (error) {
      if (error instanceof ProblemError) return error.problem.code;
      throw error;
    }
  }

  const coming = (...chunks: readonly string[]) =>
    Readable.from(
      chunks.map((chunk) => Buffer.from(chunk)),
      { objectMode: false },
    );

  it('is taken as it comes, up to the last byte that is allowed', async () => {
    expect(await taken(coming('12345', '67890'), 10)).to.equal('1234567890');
  });

  it('is refused once it is longer, and the rest of it can still be thrown away', async () => {
    const body = coming('12345', '678901', '2');
    expect(await taken(body, 10)).to.equal('too-large');
    expect(body.destroyed).to.equal(false);
  });

  it('is refused when it breaks off', async () => {
    const body = new Readable({ read: () => undefined });
    body.push('12345');
    const result = taken(body, 10);
    body.destroy(new Error('The connection was cut'));
    expect(await result).to.equal('invalid-document');
  });

  it('is waited for as long as it goes on coming, and no longer', async () => {
    const time = new OwnTime();
    const body = new Readable({ read: () => undefined });
    const bytes = bytesOf(asked(10), body, time);
    for (const chunk of ['a', 'b', 'c']) {
      const next = bytes.next();
      time.pass(limits.bodyWithinMs - 1);
      body.push(chunk);
      expect(Buffer.from((await next).value ?? []).toString()).to.equal(chunk);
    }
    const last = bytes.next().then(
      () => null,
      (error: unknown) => error,
    );
    time.pass(limits.bodyWithinMs);
    const refusal = await last;
    expect(refusal).to.be.instanceOf(ProblemError);
    expect((refusal as ProblemError).problem.code).to.equal('timed-out');
    expect(body.destroyed).to.equal(false);
  });
});
