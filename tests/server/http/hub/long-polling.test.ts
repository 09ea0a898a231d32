import { expect } from 'chai';
import { LongPolling } from '#server/http/hub/long-polling.ts';
import { OwnTime } from '../../../support/own-time.ts';

it('a long poll whose client has left already takes no frames [issue 14]', async () => {
  const listener = {
    received: () => undefined,
    alive: () => undefined,
    drained: () => undefined,
    closed: () => undefined,
  };
  const polling = new LongPolling(listener, new OwnTime());
  await polling.receivePoll();
  polling.send('frame');
  expect(await polling.receivePoll(AbortSignal.abort())).to.equal(null);
  expect(await polling.receivePoll()).to.equal('frame');
  expect(polling.isPolled()).to.equal(false);
});
