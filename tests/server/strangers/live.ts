import { changesChannel } from '#protocol/hub.ts';
import type { FeedDocument, FeedOperation } from '#protocol/operations.ts';
import { wireTypeOf } from '#protocol/names.ts';
import { resourceOf } from '#schema/index.ts';
import type { TypeName } from '#schema/index.ts';
import { newId } from '../../support/make.ts';
import { listen } from '../http/hub/listener.ts';
import type { Listener } from '../http/hub/listener.ts';
import type { Known, Someone } from './person.ts';
import { isOpen } from './reading.ts';
import type { Town } from './town.ts';
import { privateTypes } from './world.ts';
import type { World } from './world.ts';

/** Types that feed and hub have, and whose records belong to someone. */
export const spokenTypes = privateTypes.filter((type) => resourceOf(type).load !== 'none');

/** Someone who reads the feed and listens while others write. */
interface Watcher {
  readonly who: Someone;
  /** For a super admin: the organization of their feed. */
  readonly organization: string | null;
  readonly channels: readonly string[];
}

/** All that reached a watcher, as text. */
interface Watched {
  readonly snapshot: string;
  readonly since: string;
  readonly heard: string;
}

/** Returns what watchers get of a change of every record of `types` in `towns`. */
async function watch(
  world: World,
  watchers: readonly Watcher[],
  towns: readonly Town[],
  types: readonly TypeName[],
): Promise<Watched[]> {
  const before = await Promise.all(watchers.map((one) => feedOf(world, one, null)));
  const listeners = await Promise.all(watchers.map((one) => listening(world, one)));
  for (const town of towns) await touch(world, town, types);
  await closeNews(world, listeners);
  const after = await Promise.all(
    watchers.map((one, n) => feedOf(world, one, before[n]?.cursor ?? null)),
  );
  const heard = listeners.map((one) => textOf(one.heard.flatMap((update) => update.operations)));
  await Promise.all(listeners.map((one) => one.stop()));
  return watchers.map((_, n) => ({
    snapshot: before[n]?.text ?? '',
    since: after[n]?.text ?? '',
    heard: heard[n] ?? '',
  }));
}

const textOf = (operations: readonly FeedOperation[]): string => JSON.stringify(operations);

/** Everything from `since` on until the reader is level. */
async function feedOf(world: World, { who, organization }: Watcher, since: string | null) {
  const headers: Record<string, string> =
    organization === null ? {} : { Organization: organization };
  let cursor = since;
  const operations: FeedOperation[] = [];
  for (;;) {
    const query = cursor === null ? '' : `?since=${cursor}`;
    const answer = await world.ask(who, { method: 'GET', path: `/api/changes${query}`, headers });
    if (answer.status !== 200) throw new Error(`${who.name}: ${answer.text}`);
    const document = answer.body as unknown as FeedDocument;
    operations.push(...document.operations);
    cursor = document.meta.cursor;
    if (!document.meta.more) return { text: textOf(operations), cursor };
  }
}

/** Opens a connection with the channels, and the one on which the end of the updates comes. */
async function listening(world: World, { who, channels }: Watcher): Promise<Listener> {
  const listener = await listen(world.server.url, who.token);
  for (const channel of [...channels, wireTypeOf('store')]) await listener.subscribe(channel);
  return listener;
}

/** One commit with every record, one with a new one, and one in which that goes again. */
async function touch(world: World, town: Town, types: readonly TypeName[]): Promise<void> {
  await world.write(async (w) => {
    for (const type of types) await w.change(type, town.ids[type], {});
  });
  if (!types.includes('group')) return;
  const id = newId();
  town.secrets.add(id, `${town.name} new group.id`);
  const { organization: owner } = town.ids;
  await world.write((w) => w.insert('group', { id, name: 'x', abbreviation: 'x', owner }));
  await world.write((w) => w.remove('group', id));
}

/** Changes a record that everyone gets, and waits until they have. */
async function closeNews(world: World, listeners: readonly Listener[]): Promise<void> {
  const { store } = world.catalogue.ids;
  if (store === undefined) throw new Error('There is no store');
  await world.write((w) => w.change('store', store, {}));
  for (const listener of listeners)
    while (!JSON.stringify(await listener.next()).includes(store)) continue;
}

/** The name of a watcher's way in, and what reached them on it that must not have. */
export async function liveLeaks(world: World, types: readonly TypeName[]): Promise<string[]> {
  const { stranger, lakeside, millside, quayside } = world;
  const towns = [lakeside, millside, quayside];
  const refusals = await leakingChannels(world, towns, types);
  const openChannels = types
    .filter((type) => isOpen(world, quayside, type))
    .map((type) => channelOf(type, quayside));
  const watchers = [
    { who: stranger, organization: null, channels: [changesChannel(null)] },
    { who: stranger, organization: null, channels: types.map(wireTypeOf) },
    { who: stranger, organization: null, channels: openChannels },
  ];
  const watched = await watch(world, watchers, towns, types);
  const names = ['changes', 'types', 'records'];
  const told = watched.flatMap(({ snapshot, since, heard }, n) => [
    ...leak(world, 'feed snapshot', snapshot),
    ...leak(world, 'feed since', since),
    ...leak(world, `hub ${names[n] ?? ''}`, heard),
  ]);
  return [...new Set([...refusals, ...told])];
}

function leak(world: World, way: string, text: string): string[] {
  const secrets = world.secretsIn(text, '');
  return secrets.length === 0 ? [] : [`${way}: ${secrets.slice(0, 3).join(', ')}`];
}

const channelOf = (type: TypeName, town: Town): string => `${wireTypeOf(type)}/${town.ids[type]}`;

/** Channels of closed records, and of organizations, that the stranger gets. */
async function leakingChannels(
  world: World,
  towns: readonly Town[],
  types: readonly TypeName[],
): Promise<string[]> {
  const { hub } = await world.hubOf(world.stranger);
  const found: string[] = [];
  for (const town of towns) {
    const closed = types.filter((type) => !isOpen(world, town, type));
    for (const type of closed)
      if (await isSubscribed(hub, channelOf(type, town), 'not-found'))
        found.push(`hub record: ${town.name} ${type}`);
    if (await isSubscribed(hub, changesChannel(town.ids.organization), 'forbidden'))
      found.push(`hub changes: ${town.name}`);
  }
  return found;
}

/** False when it is refused with that very error; leaves the channel again. */
async function isSubscribed(
  hub: Listener['hub'],
  channel: string,
  refusal: string | null,
): Promise<boolean> {
  try {
    await hub.invoke('SubscribeTo', channel);
  } catch (error) {
    return refusal === null ? false : !String(error).includes(refusal);
  }
  await hub.invoke('UnsubscribeFrom', channel);
  return true;
}

/** Types that nobody entitled found: in feed and hub, and by the record's own channel. */
export async function failedLiveTwins(world: World, types: readonly TypeName[]): Promise<string[]> {
  const { lakeside } = world;
  const { organization } = lakeside.ids;
  const people = [world.superAdmin, lakeside.people.admin, lakeside.people.member];
  const watchers = people.flatMap((who): Watcher[] => {
    const selected = who === world.superAdmin ? organization : null;
    const whole = { who, organization: selected, channels: [changesChannel(selected)] };
    return [whole, { ...whole, channels: types.map(wireTypeOf) }];
  });
  const watched = await watch(world, watchers, [lakeside], types);
  const whole = watched.filter((_, n) => n % 2 === 0);
  const byType = watched.filter((_, n) => n % 2 === 1);
  const failed: string[] = [];
  const expectIn = (way: string, type: TypeName, texts: readonly string[]) => {
    const isFound = texts.some((text) => text.includes(lakeside.ids[type]));
    if (!isFound) failed.push(`${way}: ${type}`);
  };
  for (const type of types) {
    const isFirst = resourceOf(type).load === 'first';
    if (isFirst)
      expectIn(
        'feed snapshot',
        type,
        whole.map(({ snapshot }) => snapshot),
      );
    expectIn(
      'feed since',
      type,
      whole.map(({ since }) => since),
    );
    expectIn(
      'hub changes',
      type,
      whole.map(({ heard }) => heard),
    );
    expectIn(
      'hub types',
      type,
      byType.map(({ heard }) => heard),
    );
    const reader = readerIn(world, lakeside, type);
    const { hub } = await world.hubOf(reader);
    if (!(await isSubscribed(hub, channelOf(type, lakeside), null)))
      failed.push(`hub record: ${type}`);
  }
  return failed;
}

function readerIn(world: World, town: Town, type: TypeName): Known {
  const reader = world.candidates(town).find((one) => world.mayRead(one, type, town.ids[type]));
  if (reader === undefined) throw new Error(`Nobody reads the ${type} of ${town.name}`);
  return reader;
}

/** How many questions `liveLeaks` puts. */
export const liveCells = (world: World, types: readonly TypeName[]): number => {
  const towns = [world.lakeside, world.millside, world.quayside];
  const each = types.map((type) => (resourceOf(type).load === 'first' ? 4 : 3) + 1);
  return towns.length * (each.reduce((a, b) => a + b, 0) + 1);
};
