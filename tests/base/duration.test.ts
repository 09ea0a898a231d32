import { expect } from 'chai';
import { durationOf } from '#base/duration.ts';

describe('how long something took', () => {
  it('is written as a clock does, in minutes and seconds, and in hours where it took so long', () => {
    expect([0, 400, 42_000, 725_000, 3_729_000].map(durationOf)).to.deep.equal([
      '0:00',
      '0:00',
      '0:42',
      '12:05',
      '1:02:09',
    ]);
  });

  it('is nothing where two clocks disagree', () => {
    expect(durationOf(-5_000)).to.equal('0:00');
  });
});
