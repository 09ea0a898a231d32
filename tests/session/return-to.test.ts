import { expect } from 'chai';
import { keepReturnTo, takeReturnTo } from '#session/return-to.ts';
import { World } from './world.ts';

describe('the path to return to after signing in [R26]', () => {
  it('is kept with query and hash, for another tab too, and used once [R222, R424]', () => {
    const world = new World();
    keepReturnTo('/projects/own?search=a%20b#row', world.tab());
    const tab = world.tab();
    expect(takeReturnTo(tab)).to.equal('/projects/own?search=a%20b#row');
    expect(takeReturnTo(tab)).to.equal(null);
  });

  it('never leads out of the app, nor in circles', () => {
    const tab = new World().tab();
    for (const path of [
      '//evil.test/x',
      '/\\evil.test',
      'https://evil.test/',
      'javascript:alert(1)',
      '/\t/evil.test',
      'projects',
      '',
      '/login?code=x',
    ]) {
      keepReturnTo(path, tab);
      expect(takeReturnTo(tab), path).to.equal(null);
    }
  });

  it('is checked again when it is taken: anyone may have written it', () => {
    const world = new World();
    world.storage.setItem('slipway.return-to-path', '//evil.test');
    expect(takeReturnTo(world.tab())).to.equal(null);
  });
});
