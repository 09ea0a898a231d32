import { apk } from './apk.ts';
import { assetPackage } from './asset-package.ts';
import { html } from './html.ts';
import { playListing } from './play-listing.ts';
import { pwa } from './pwa.ts';
import type { BuildTarget } from './target.ts';

/** Everything that can be built, by the word an order uses. */
export const targets: ReadonlyMap<string, BuildTarget> = new Map([
  ['html', html],
  ['pwa', pwa],
  ['asset-package', assetPackage],
  ['play-listing', playListing],
  ['apk', apk],
]);
