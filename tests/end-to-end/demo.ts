import { storageStateOf } from './storage-state.ts';
import { testWithServers } from './world.ts';

interface Options {
  /** Who is signed in in `page` from the start; nobody unless a test says so. */
  readonly account: string | null;
}

/** For tests at the demo that a worker has for all of them. */
export const test = testWithServers.extend<Options>({
  account: [null, { option: true }],
  baseURL: async ({ demo }, give) => {
    await give(demo.url);
  },
  storageState: async ({ demo, account }, give) => {
    await give(account === null ? undefined : await storageStateOf(demo, account));
  },
});
