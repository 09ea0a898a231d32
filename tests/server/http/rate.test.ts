import { expect } from 'chai';
import { statusOf } from '#protocol/problem.ts';
import type { ProblemError } from '#protocol/problem.ts';
import { countInMemory } from '#server/http/rate.ts';

describe('limits of how often', () => {
  let now = 1_000_000;
  const count = countInMemory(() => now);
  const refusal = (what: string): ProblemError | null => {
    try {
      count(what, 3, 60_000);
      return null;
    } catch (error) {
      return error as ProblemError;
    }
  };

  it('[fault 26] lets as many through as allowed, then says in how many seconds to come again', () => {
    expect([refusal('user a'), refusal('user a'), refusal('user a')]).to.deep.equal([
      null,
      null,
      null,
    ]);
    now += 10_500;
    const refused = refusal('user a');
    expect(refused && statusOf(refused)).to.equal(429);
    expect(refused?.headers).to.deep.equal({ 'Retry-After': '50' });
  });

  it('counts each by itself', () => {
    expect(refusal('user b')).to.equal(null);
  });

  it('begins anew when the time is over', () => {
    now += 60_000;
    expect(refusal('user a')).to.equal(null);
  });
});
