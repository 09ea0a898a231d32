import type { WriteTransaction } from '../db/database.ts';
import { claim } from '../domain/builds/package-names.ts';
import type { OrganizationKey } from './accounts.ts';
import { productOf } from './products.ts';
import { DEMO_AT, demoId } from './script.ts';

interface DemoName {
  readonly name: string;
  readonly holder: OrganizationKey;
  /** The scene whose app is built under it; null: an app that is not in the demo. */
  readonly scene: number | null;
  readonly day: number;
}

const names: readonly DemoName[] = [
  { name: 'test.lakeside.orchard', holder: 'lakeside', scene: 13, day: 0 },
  { name: 'test.lakeside.songs', holder: 'lakeside', scene: 16, day: 1 },
  { name: 'test.lakeside.tides', holder: 'lakeside', scene: null, day: 2 },
  { name: 'test.harbor.charts', holder: 'harbor', scene: null, day: 3 },
];

const DAY_MS = 86_400_000;

/** Claims some package names, and has apps of the demo built under two of them. */
export async function claimPackageNames(write: WriteTransaction): Promise<void> {
  for (const { name, holder, scene, day } of names) {
    const product = scene === null ? demoId(name) : productOf(scene);
    const at = new Date(DEMO_AT + day * DAY_MS).toISOString();
    await claim(write, name, { product, organization: demoId(holder) }, at);
    if (scene === null || (await write.one('product', product)) === null) continue;
    const properties = JSON.stringify({ environment: { PACKAGE_NAME: name } });
    await write.change('product', product, { properties });
  }
}
