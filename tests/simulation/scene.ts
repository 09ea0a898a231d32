import type { Data } from '../../src/data/model/data.ts';
import type { Of } from '#schema/index.ts';
import { closeAtTheEnd } from '../support/hooks.ts';
import type { Device, Person, Tab } from './browser.ts';
import type { Fate } from './network.ts';
import { Place } from './place.ts';
import { calm } from './weather.ts';
import { World } from './world.ts';

let place: Promise<Place> | null = null;

/** The one database in memory of a run of tests. */
function thePlace(): Promise<Place> {
  place ??= Place.open().then((opened) => {
    closeAtTheEnd(() => opened.close());
    return opened;
  });
  return place;
}

/** A world in which what goes wrong is written down: Ana and Ben, who share some projects. */
export class Scene {
  readonly world: World;
  readonly ana: Person;
  readonly ben: Person;
  /** News from the hub does not arrive. */
  isDeaf = false;
  /** What becomes of the requests to come, one after the other; then all is well. */
  readonly fates: Fate[] = [];

  private constructor(world: World, ana: Person, ben: Person) {
    this.world = world;
    this.ana = ana;
    this.ben = ben;
    const { network } = world;
    network.weather = {
      ...calm(network.chance),
      frameFate: () => (this.isDeaf ? 'lost' : 'well'),
      fateOf: (_, { address }) =>
        (address.startsWith('/api/operations') ? this.fates.shift() : undefined) ?? { is: 'well' },
    };
  }

  static async set(seed = 1): Promise<Scene> {
    const world = await World.make(await thePlace(), { seed });
    const [ana, ben] = world.people;
    if (ana === undefined || ben === undefined) throw new Error('Nobody is there');
    return new Scene(world, ana, ben);
  }

  /** A new device of `person` with that many tabs, once they show what there is. */
  async device(person: Person, tabs = 1): Promise<Device> {
    const device = this.world.addDevice(
      String.fromCharCode(97 + this.world.devices.length),
      person,
    );
    for (let i = 0; i < tabs; i += 1) device.open(person);
    await this.until(() => device.live.every(isReady), 'the first load');
    return device;
  }

  async tab(device: Device): Promise<Tab> {
    const tab = device.open(device.person ?? this.ana);
    await this.until(() => isReady(tab), 'a new tab');
    return tab;
  }

  /** Something that a person does in `tab`; resolves once the device has it. */
  async act<T>(tab: Tab, deed: (data: Data) => Promise<T>): Promise<T> {
    const results: T[] = [];
    const errors: unknown[] = [];
    this.world.schedule.plan(tab, 'act', () => {
      deed(dataOf(tab)).then(
        (result) => results.push(result),
        (error: unknown) => errors.push(error),
      );
    });
    await this.until(() => results.length + errors.length > 0, 'what was done');
    if (errors.length > 0) throw errors[0];
    return results[0] as T;
  }

  pass(ms: number): Promise<void> {
    return this.world.pass(ms);
  }

  async until(holds: () => boolean, what: string, withinMs = 60_000): Promise<void> {
    if (!(await this.world.until(holds, withinMs))) throw new Error(`Never came: ${what}`);
  }

  /** A project as the database has it. */
  async stored(id: string): Promise<Of<'project'> | null> {
    return this.world.server.parts.db.read((tx) => tx.one('project', id));
  }

  /** Projects with that name in the database. */
  async called(name: string): Promise<number> {
    const { db } = this.world.server.parts;
    return (await db.read((tx) => tx.all('project', { name }))).length;
  }

  /** Verdicts that the server gave, as `200 ok` or `409 changed-elsewhere`, in order. */
  get verdicts(): string[] {
    return this.world.network.deliveries.flatMap(({ verdicts }) =>
      (verdicts ?? []).map(
        ({ meta, errors }) =>
          `${meta.status} ${errors?.[0]?.code ?? (meta.replayed === true ? 'again' : 'ok')}`,
      ),
    );
  }

  end(): void {
    this.world.server.kill();
  }
}

export function dataOf(tab: Tab): Data {
  if (tab.data === null) throw new Error('The tab has not begun');
  return tab.data;
}

/** The tab of a device that has just one, or one of several. */
export function tabOf(device: Device, i = 0): Tab {
  const tab = device.live[i];
  if (tab === undefined) throw new Error('There is no such tab');
  return tab;
}

export function aProjectIn(tab: Tab, i = 0): Of<'project'> {
  const project = dataOf(tab).find.all('project', {})[i];
  if (project === undefined) throw new Error('There is no project');
  return project;
}

export function nameIn(tab: Tab, id: string): string | undefined {
  return dataOf(tab).find.one('project', id)?.name;
}

function isReady(tab: Tab): boolean {
  const { data } = tab;
  if (data?.viewerStatus.view() !== 'ready') return false;
  return data.lists.open('project', {}).view().asOf !== null;
}
