import type { Tab } from './browser.ts';
import {
  checkContent,
  checkNothingLost,
  checkNothingStuck,
  checkOnce,
  checkOrder,
  checkSeen,
  compareCopies,
  openRowsOf,
  verdictsIn,
} from './check.ts';
import type { Open } from './check.ts';
import { Faults } from './faults.ts';
import { AROUND_A_RESTORE } from './kinds.ts';
import type { Fault } from './kinds.ts';
import { Ledger } from './ledger.ts';
import { People } from './people.ts';
import type { Place } from './place.ts';
import { calm } from './weather.ts';
import { isDying, Spins } from './schedule.ts';
import { World } from './world.ts';

/** The outcome of one seed. */
export interface Outcome {
  readonly seed: number;
  /** The violations; empty when the promise was kept. */
  readonly wrong: readonly string[];
  readonly digest: string;
  readonly faults: Readonly<Record<string, number>>;
  readonly verdicts: Readonly<Record<string, number>>;
  readonly states: Readonly<Record<string, number>>;
  readonly acts: Readonly<Record<string, number>>;
  readonly changes: number;
  readonly steps: number;
  readonly lines: readonly string[] | null;
}

/** How large the world of a seed is. */
export interface Size {
  readonly people: number;
  readonly presses: number;
  /** How many tabs each person has; null: as the seed decides. */
  readonly tabs: number | null;
  readonly acts: number;
  /** How long it takes from one act to the next, on average; null: as the seed decides. */
  readonly paceMs: number | null;
  /** The faults that happen; without it all that there are. */
  readonly faults?: readonly Fault[];
}

export const USUAL: Size = { people: 2, presses: 1, tabs: null, acts: 50, paceMs: null };
/** 24 hours of three people with five tabs each, in two organizations. */
export const DAY: Size = { people: 3, presses: 2, tabs: 5, acts: 1_440, paceMs: 60_000 };

/** A short history, in which the database is restored again and again. */
export const RESTORES: Size = { ...USUAL, acts: 20, paceMs: 400, faults: AROUND_A_RESTORE };

const HEALED_WITHIN_MS = 5_000;

/** A world that takes more steps than that for each act of a person is in a loop. */
const STEPS_AN_ACT = 1_000;

/** Lets people work while everything goes wrong, heals everything, and looks whether the promise was kept. */
export async function runSeed(
  place: Place,
  seed: number,
  isTraced = false,
  size: Size = USUAL,
): Promise<Outcome> {
  const { people: persons, presses } = size;
  const steps = size.acts * STEPS_AN_ACT;
  const world = await World.make(place, { seed, isTraced, people: persons, presses, steps });
  const ledger = new Ledger();
  const people = new People(world, ledger);
  const faults = new Faults(world, ledger, size.faults);
  const states = new Map<string, number>();
  const wrong: string[] = [];
  const broken = (error: unknown): void => {
    wrong.push(`bug: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  };
  const stray = new Map<Promise<unknown>, unknown>();
  const strayed = (error: unknown, promise: Promise<unknown>): void => {
    // Nobody hears what a tab that is gone has to complain of.
    if (!isDying()) stray.set(promise, error);
  };
  const found = (promise: Promise<unknown>): void => {
    stray.delete(promise);
  };
  process.on('unhandledRejection', strayed);
  process.on('rejectionHandled', found);
  try {
    openDevices(world, size);
    await work(world, people, faults, states, size);
    await heal(world, faults);
    wrong.push(...(await judge(world, ledger, faults)));
    wrong.push(...people.bugs.map((bug) => `bug: ${bug}`));
  } catch (error) {
    if (error instanceof Spins) wrong.push(error.message);
    else broken(error);
  } finally {
    process.off('unhandledRejection', strayed);
    process.off('rejectionHandled', found);
    for (const error of stray.values()) broken(error);
    world.server.kill();
  }
  return {
    seed,
    wrong,
    digest: world.schedule.digest(),
    faults: Object.fromEntries(faults.happened),
    verdicts: verdictsOf(world),
    states: Object.fromEntries(states),
    acts: Object.fromEntries(people.done),
    changes: ledger.intents.length,
    steps: world.schedule.steps,
    lines: world.schedule.lines,
  };
}

function openDevices(world: World, { tabs }: Size): void {
  const chance = world.chance.branch('devices');
  if (tabs !== null) {
    for (const [i, person] of world.people.entries()) {
      const device = world.addDevice(String.fromCharCode(97 + i), person);
      for (let tab = 0; tab < tabs; tab += 1) device.open(person);
    }
    return;
  }
  const [ana, ben, cleo] = world.people;
  if (ana === undefined || ben === undefined) throw new Error('Nobody is there');
  const a = world.addDevice('a', ana);
  a.open(ana);
  a.open(ana);
  const b = world.addDevice('b', ben);
  b.open(ben);
  if (chance.is(0.3)) b.open(ben);
  if (chance.is(0.15)) world.addDevice('c', cleo ?? ana).open(cleo ?? ana);
}

async function work(
  world: World,
  people: People,
  faults: Faults,
  states: Map<string, number>,
  { acts, paceMs }: Size,
): Promise<void> {
  const chance = world.chance.branch('pace');
  const pace = paceMs ?? chance.any([300, 1_000, 2_000]);
  await world.pass(chance.any([0, 500, 3_000]));
  const look = (): void => {
    count(states, world.tabs);
  };
  for (let act = 0; act < acts; act += 1) {
    await faults.perhaps(act / acts);
    const tabs = world.tabs.filter(({ isFrozen }) => !isFrozen);
    if (tabs.length > 0) people.act(chance.any(tabs));
    await world.pass(chance.wait(pace));
    look();
  }
}

function count(states: Map<string, number>, tabs: readonly Tab[]): void {
  for (const { data } of tabs) {
    if (data === null) continue;
    const view = data.changes.view();
    const reached = new Set<string>(view.rows.map(({ state }) => state));
    reached.add(`status ${view.status}`);
    for (const state of reached) states.set(state, (states.get(state) ?? 0) + 1);
  }
}

/** The network is there again, everyone is signed in, and each device has a tab. */
async function heal(world: World, faults: Faults): Promise<void> {
  await world.startServer();
  await faults.end();
  world.network.weather = calm(world.network.chance);
  world.hintDelayMs = () => 0;
  await world.startServer();
  for (const device of world.devices) {
    device.isOnline = true;
    device.storageFault = () => null;
    device.channelDelayMs = () => 0;
    const person = device.person ?? device.tabs[0]?.account;
    if (person === undefined) continue;
    for (const tab of device.live) {
      tab.isFrozen = false;
      tab.isVisible = true;
    }
    world.network.cutAll(device);
    if (!device.live.some(({ account }) => account === person)) device.open(person);
    device.signIn(person);
    device.pageChanged();
  }
}

async function judge(world: World, ledger: Ledger, faults: Faults): Promise<string[]> {
  const wrong: string[] = [];
  await world.pass(HEALED_WITHIN_MS);
  const patience = world.network.patienceUntil - world.schedule.now;
  if (patience > 0) await world.pass(patience + HEALED_WITHIN_MS);
  const judged = world.tabs.filter((tab) => tab.account === tab.device.person);
  wrong.push(...checkNothingStuck(judged));
  await world.pass(10_000);
  wrong.push(...(await compareCopies(world, judged, 'healed')));
  const before = judged.map(openRowsOf);
  const again = await reopen(world, judged);
  wrong.push(...(await compareCopies(world, again, 'reopened')));
  const after = again.map(openRowsOf);
  wrong.push(...sameRows(before, after));

  const verdicts = await verdictsIn(world);
  const sealed = await openSealed(world);
  wrong.push(...checkNothingLost(world, ledger, verdicts, [...after, ...sealed]));
  wrong.push(...(await checkOnce(world, verdicts)));
  wrong.push(...checkContent(world), ...world.network.wrong);
  wrong.push(...checkOrder(world, ledger, verdicts));
  wrong.push(...(await checkSeen(world, ledger, verdicts)));
  wrong.push(...faults.wrong);
  return wrong;
}

/** Every tab dies; new ones find on the disk what there is to find, without a network. */
async function reopen(world: World, judged: readonly Tab[]): Promise<Tab[]> {
  const again: Tab[] = [];
  const places = new Map(judged.map((tab) => [tab.device, tab.account]));
  for (const device of world.devices) {
    const person = places.get(device);
    device.isOnline = false;
    for (const tab of device.live)
      world.schedule.plan(device, `${tab.name} dies`, () => {
        tab.kill();
      });
    await world.pass(10);
    if (person !== undefined) again.push(device.open(person));
  }
  await world.pass(3_000);
  return again;
}

/** What people left behind on devices in which someone else is signed in now. */
async function openSealed(world: World): Promise<Open[]> {
  const open: Open[] = [];
  for (const device of world.devices) {
    const others = new Set(device.tabs.map(({ account }) => account));
    for (const person of others) {
      if (device.live.some(({ account }) => account === person)) continue;
      const tab = device.open(person);
      await world.pass(1_000);
      open.push(openRowsOf(tab));
    }
  }
  return open;
}

function sameRows(before: readonly Open[], after: readonly Open[]): string[] {
  return before.flatMap(({ person, device, rows }) => {
    const found = after.find((other) => other.person === person && other.device === device);
    return rows.flatMap(({ id, state }) =>
      found?.rows.some((row) => row.id === id && row.state === state) === true
        ? []
        : [`gone after a reload: ${state} ${id} of ${person.name} on ${device}`],
    );
  });
}

function verdictsOf(world: World): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { verdicts } of world.network.deliveries) {
    for (const { meta, errors } of verdicts ?? []) {
      const replayed = meta.replayed === true ? ' again' : '';
      const what = `${meta.status} ${errors?.[0]?.code ?? 'ok'}${replayed}`;
      counts[what] = (counts[what] ?? 0) + 1;
    }
  }
  return counts;
}
