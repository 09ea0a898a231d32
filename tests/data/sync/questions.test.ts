import { expect } from 'chai';
import { turns } from '../../support/device.ts';
import { Stored } from '../../support/stored.ts';

describe('a question to the server', () => {
  let at: Stored;
  beforeEach(() => {
    at = new Stored();
  });
  afterEach(() => at.close());

  it('that gets no answer keeps nobody from saving an edit on the device [issue 14, 10]', async () => {
    const { network } = at.device;
    let isHanging = false;
    let hanging = 0;
    const data = await at.level({
      fetch: (address, request) => {
        if (!isHanging || !address.startsWith('/api/product-transitions'))
          return network.fetch(address, request);
        hanging += 1;
        return new Promise((_, fail) => {
          request.signal?.addEventListener('abort', () => {
            fail(new Error('aborted'));
          });
        });
      },
    });
    isHanging = true;
    const close = data.lists
      .open('productTransition', { product: at.world.project })
      .subscribe(() => undefined);
    for (let n = 0; n < 50 && hanging === 0; n += 1) {
      await turns(5);
      await at.device.pass(100);
    }
    expect(hanging).to.equal(1);
    await at.rename(data, 'Typed while it hangs');
    expect(at.name(data)).to.equal('Typed while it hangs');
    close();
  });
});
