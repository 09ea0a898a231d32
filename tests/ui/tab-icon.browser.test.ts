import { expect } from 'chai';
import { showTabIcon } from '#ui/picture/tab-icon.ts';
import { colorAt, dotOf, placeTabIcon } from '../support/tab-icon.ts';

describe('the icon of the tab', () => {
  let placed: ReturnType<typeof placeTabIcon>;
  afterEach(async () => {
    await showTabIcon(null);
    placed.remove();
  });

  it('has a dot in the colour of the status, with an edge, over the icon that the page came with', async () => {
    placed = placeTabIcon();
    const { link } = placed;
    for (const [status, color] of [
      ['busy', 'blue'],
      ['bad', 'red'],
      ['yours', 'yellow'],
    ] as const) {
      await showTabIcon(status);
      expect(await dotOf(link)).to.equal(color);
    }
    expect(await colorAt(link, 46, 30)).to.equal('white');
    expect(await colorAt(link, 8, 8)).to.equal('grey');
    expect(link.type).to.equal('image/png');
  });

  it('is what it was once nothing is to be said', async () => {
    placed = placeTabIcon();
    const { link, href } = placed;
    await showTabIcon('bad');
    expect(link.href).not.to.equal(href);
    await showTabIcon(null);
    expect(link.href).to.equal(href);
    expect(link.type).to.equal('image/svg+xml');
  });

  it('follows the colours of the page', async () => {
    placed = placeTabIcon();
    await showTabIcon('bad');
    const { style } = document.documentElement;
    style.setProperty('--bad', 'light-dark(var(--accent), var(--warn))');
    for (const [scheme, color] of [
      ['light', 'blue'],
      ['dark', 'yellow'],
    ] as const) {
      style.colorScheme = scheme;
      await showTabIcon('bad');
      expect(await dotOf(placed.link)).to.equal(color);
    }
    style.colorScheme = '';
  });

  it('says the newest, however long an earlier one takes to draw', async () => {
    placed = placeTabIcon();
    const earlier = showTabIcon('bad');
    await showTabIcon(null);
    await earlier;
    expect(placed.link.href).to.equal(placed.href);
  });

  it('stays as it is where it cannot be drawn', async () => {
    placed = placeTabIcon('data:image/svg+xml,broken');
    await showTabIcon('bad');
    expect(placed.link.href).to.equal(placed.href);
  });
});
