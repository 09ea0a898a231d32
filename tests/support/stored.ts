import { editProject } from '#data/actions/projects.ts';
import type { Data } from '../../src/data/model/data.ts';
import type { Environment } from '#data/model/environment.ts';
import { Device, until } from './device.ts';
import { FaultyIndexedDB } from './faulty-indexeddb.ts';
import type { StorageTab } from './faulty-indexeddb.ts';
import { aWorld } from './world.ts';
import type { World } from './world.ts';

/** A person at work on a device whose storage fails as planned. */
export class Stored {
  readonly world: World = aWorld();
  readonly device = new Device(this.world.server);
  readonly storage = new FaultyIndexedDB();
  readonly #open: { readonly data: Data; readonly tab: StorageTab }[] = [];

  /** Opens a tab; nothing is awaited. */
  tab(changes: Partial<Environment> = {}, tab: StorageTab = this.storage.tab()): Data {
    const data = this.device.open(this.world.me, { indexedDB: tab.factory, ...changes });
    this.#open.push({ data, tab });
    return data;
  }

  /** A tab that has all, and has written it. */
  async level(changes: Partial<Environment> = {}): Promise<Data> {
    const data = this.tab(changes);
    await this.isLevel(data);
    return data;
  }

  async isLevel(data: Data): Promise<void> {
    await until(() => data.lists.open('project', {}).view().asOf !== null, 'the first load');
    await this.device.pass(100);
  }

  /** A tab that had all before it went offline, where the project was renamed then. */
  async renamedOffline(name: string): Promise<Data> {
    const data = await this.level();
    this.offline();
    await this.rename(data, name);
    return data;
  }

  /** Goes offline and leaves a change for the next tab: the project renamed 'Waiting'. */
  async leaveWaiting(): Promise<void> {
    const data = await this.renamedOffline('Waiting');
    await this.device.pass(100);
    await data.close();
  }

  /** Reloads the page that `data` is in. */
  async reload(data: Data, changes: Partial<Environment> = {}): Promise<Data> {
    await data.close();
    const again = this.tab(changes);
    await again.restored;
    return again;
  }

  offline(): void {
    this.world.server.isDown = true;
    this.world.server.hangUp();
  }

  online(): void {
    this.world.server.isDown = false;
  }

  name(data: Data, id = this.world.project): string | undefined {
    return data.find.one('project', id)?.name;
  }

  rename(data: Data, name: string, id = this.world.project): Promise<void> {
    const project = data.find.one('project', id);
    if (project === null) throw new Error('The project is not here');
    return editProject(data, project, { name });
  }

  inServer(id = this.world.project): unknown {
    return this.world.server.get('project', id)?.attributes?.name;
  }

  /** Lets time pass until all is answered. */
  async answered(data: Data): Promise<void> {
    for (let i = 0; i < 40 && data.changes.view().waiting > 0; i += 1)
      await this.device.pass(3_000);
    await until(() => data.changes.view().waiting === 0, 'every answer');
  }

  /** A killed tab closes nothing: what it was writing has no end that it could wait for. */
  async close(): Promise<void> {
    for (const { data, tab } of this.#open) if (!tab.isKilled) await data.close();
  }
}

/** Why `edit` was not kept. */
export async function whyNot(edit: Promise<unknown>): Promise<unknown> {
  const error: unknown = await edit.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Error) || error.name !== 'NotSavedError') throw new Error(String(error));
  return (error as Error & { why: unknown }).why;
}
