import { expect } from 'chai';
import { LongPolling } from '#server/http/hub/long-polling.ts';
import { OwnTime } from '../../../support/own-time.ts';

it('a long poll whose client has left already takes no frames [issue 14]', async () => {
  const ears = {
    received: () => undefined,
    alive: () => undefined,
    drained: () => undefined,
    closed: () => undefined,
  };
  const polling = new LongPolling(ears, new OwnTime());
  await polling.ask();
  polling.send('frame');
  expect(await polling.ask(AbortSignal.abort())).to.equal(null);
  expect(await polling.ask()).to.equal('frame');
  expect(polling.isAsked()).to.equal(false);
});
