import { expect } from 'chai';
import { sendThroughCuts } from '../support/over-http.ts';

describe('300 changes over real HTTP, with answers cut at random bytes', function () {
  this.timeout(180_000);

  it('[fault 1] [fault 4] are each applied exactly once and in order [R332]', async () => {
    const figures = await sendThroughCuts(300, 1);
    expect(figures).to.include({ changes: 300, attention: 0 });
    expect(figures.cut).to.be.greaterThan(0);
    for (const wrong of ['missing', 'twice', 'outOfOrder', 'differing'] as const)
      expect(figures[wrong], wrong).to.deep.equal([]);
  });
});
