import { sql } from 'kysely';
import { flatten, recordFrom } from '#data/model/record.ts';
import { typeOfWire, wireFieldOf } from '#protocol/names.ts';
import { resourceOf, storedTypes } from '#schema/index.ts';
import type { Person, Tab } from './browser.ts';
import { typedOf } from './ledger.ts';
import type { Intent, Ledger } from './ledger.ts';
import type { World, WireRecord } from './world.ts';

/** The changes as the server's database has them. */
export interface Verdicts {
  /** Commits by change that was accepted. */
  readonly accepted: ReadonlyMap<string, number | null>;
  readonly refused: ReadonlySet<string>;
  /** Changes that took effect in more than one commit. */
  readonly twice: readonly string[];
}

/** Reads what was decided, outside of the world's time. */
export async function verdictsIn(world: World): Promise<Verdicts> {
  const { db } = world.server.parts;
  return db.read(async (tx) => {
    const rows = await tx.query(
      sql<{ id: string; verdict: { is: string }[] }>`select id, verdict from changes order by id`,
    );
    const commits = await tx.query(
      sql<{ n: number; changes: string[] }>`select distinct n, changes from told order by n`,
    );
    const byChange = new Map<string, Set<number>>();
    for (const { n, changes } of commits)
      for (const id of changes) byChange.set(id, (byChange.get(id) ?? new Set()).add(n));
    const accepted = new Map<string, number | null>();
    const refused = new Set<string>();
    for (const { id, verdict } of rows) {
      if (verdict.every(({ is }) => is === 'done'))
        accepted.set(id, [...(byChange.get(id) ?? [])][0] ?? null);
      else refused.add(id);
    }
    const twice = [...byChange].flatMap(([id, ns]) => (ns.size > 1 ? [id] : []));
    return { accepted, refused, twice };
  });
}

/** The records that a client has of one type, by id, as text to compare. */
type Copy = ReadonlyMap<string, string>;

const firstTypes = storedTypes.filter((type) => resourceOf(type).load === 'first');

function copyOf(tab: Tab): Copy {
  const copy = new Map<string, string>();
  const { data } = tab;
  if (data === null) return copy;
  for (const type of firstTypes)
    for (const record of data.find.all(type, {})) copy.set(`${type}:${record.id}`, textOf(record));
  return copy;
}

function copyOnServer(seen: ReadonlyMap<string, WireRecord>): Copy {
  const copy = new Map<string, string>();
  for (const wire of seen.values()) {
    const type = typeOfWire(wire.type);
    if (type === null || resourceOf(type).load !== 'first') continue;
    copy.set(`${type}:${wire.id}`, textOf(flatten(recordFrom(wire))));
  }
  return copy;
}

function textOf(record: object): string {
  return JSON.stringify(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Every client equals the server plus its own changes that wait for the person. */
export async function compareCopies(
  world: World,
  tabs: readonly Tab[],
  when: string,
): Promise<string[]> {
  const wrong: string[] = [];
  const servers = new Map<Person, Copy>();
  for (const tab of tabs) {
    const person = tab.account;
    const server = servers.get(person) ?? copyOnServer(await world.seenBy(person));
    servers.set(person, server);
    wrong.push(...differences(tab, server).map((what) => `${when}: ${tab.name} ${what}`));
    for (const key of surplus(tab, server))
      if (!(await world.mayRead(person, key)))
        wrong.push(`${when}: ${tab.name} has ${key} that is not on the server`);
  }
  return wrong;
}

function differences(tab: Tab, server: Copy): string[] {
  const client = copyOf(tab);
  const wrong: string[] = [];
  for (const [key, text] of server) {
    const has = client.get(key);
    if (has === undefined) wrong.push(`lacks ${key}`);
    else if (has !== text) wrong.push(`has ${key} otherwise: ${firstDifference(has, text)}`);
  }
  return wrong;
}

/**
 * The records that a tab has beyond the working set, without those that its person is about to
 * create.
 */
function surplus(tab: Tab, server: Copy): string[] {
  const open = (tab.data?.changes.view().rows ?? []).filter(({ state }) => state !== 'done');
  const own = new Set(open.map(({ about }) => `${about.type}:${about.id}`));
  return [...copyOf(tab).keys()].filter((key) => !server.has(key) && !own.has(key));
}

function firstDifference(client: string, server: string): string {
  const is = JSON.parse(client) as [string, unknown][];
  const should = new Map(JSON.parse(server) as [string, unknown][]);
  return is
    .filter(([field, value]) => JSON.stringify(value) !== JSON.stringify(should.get(field)))
    .map(
      ([field, value]) =>
        `${field} ${JSON.stringify(value)} ≠ ${JSON.stringify(should.get(field))}`,
    )
    .join(', ');
}

/** Nothing is on its way any more. */
export function checkNothingStuck(tabs: readonly Tab[]): string[] {
  return tabs.flatMap((tab) => {
    const view = tab.data?.changes.view();
    if (view === undefined) return [];
    const rows = view.rows.filter(({ state }) => state === 'waiting' || state === 'sending');
    return rows.map(
      ({ id, state, says }) => `stuck in ${tab.name}: ${state} ${id} ${says[0]} (${view.status})`,
    );
  });
}

/** Rows that are not done, as a person finds them in the changes panel. */
export interface Open {
  readonly person: Person;
  readonly device: string;
  readonly rows: readonly {
    readonly id: string;
    readonly state: string;
    readonly record: string;
    readonly isRemoval: boolean;
    readonly typed: Readonly<Record<string, unknown>>;
  }[];
}

export function openRowsOf(tab: Tab): Open {
  const { data } = tab;
  const rows = (data?.changes.view().rows ?? []).filter(({ state }) => state !== 'done');
  return {
    person: tab.account,
    device: tab.device.name,
    rows: rows.map((row) => ({
      id: row.id,
      state: row.state,
      record: row.about.id,
      isRemoval: row.kept?.operations.some(({ op }) => op === 'removeRecord') ?? false,
      typed: data === null ? {} : typedOf(data, row),
    })),
  };
}

/** Every change of which the device said "saved" is somewhere. */
export function checkNothingLost(
  world: World,
  ledger: Ledger,
  verdicts: Verdicts,
  open: readonly Open[],
): string[] {
  const isStated = acceptedValues(world, ledger, verdicts);
  return ledger.intents.flatMap((intent) => {
    if (intent.savedAt === null || isFound(intent, ledger, verdicts, isStated, open)) return [];
    // A removal that was tried again, with what it depends on, went by another name.
    if (intent.fields === null && isRemoved(world, intent, verdicts)) return [];
    const { tab, type, id, fields, change, n } = intent;
    return [
      `lost: ${tab.name} saved ${JSON.stringify(fields)} of ${type} ${id} (intent ${n}, change ${String(change)})`,
    ];
  });
}

/**
 * Tells whether an accepted change stated the value; it may be another change than the intent
 * became.
 */
type IsStated = (intent: Intent, stated: readonly [field: string, value: unknown]) => boolean;

function acceptedValues(world: World, ledger: Ledger, { accepted }: Verdicts): IsStated {
  const texts = new Set<string>();
  const all: { readonly key: string; readonly change: string; readonly at: number }[] = [];
  for (const { operations, person, device, at } of world.network.deliveries)
    for (const { data, meta } of operations) {
      const isAccepted = accepted.has(meta.id) || ledger.acceptedBefore.has(meta.id);
      if (data === undefined || !isAccepted) continue;
      for (const { data: linked } of Object.values(data.relationships ?? {}))
        if (linked !== null) texts.add(`${data.id} ${linked.id}`);
      for (const [field, value] of Object.entries(data.attributes ?? {})) {
        texts.add(`${data.id} ${String(value)}`);
        const key = `${person.id} ${device} ${data.id} ${field} ${String(value)}`;
        all.push({ key, change: meta.id, at });
      }
    }
  return (intent, [name, value]) => {
    const { id, type, tab, askedAt, n } = intent;
    if (typeof value === 'string') return texts.has(`${id} ${value}`);
    // A text is of one intent alone, but a switch is on or off again and again: only what the same
    // device sent since counts, and not what the person had stated before.
    const key = `${tab.account.id} ${tab.device.name} ${id} ${wireFieldOf(type, name)} ${String(value)}`;
    const before = new Set(ledger.intents.slice(0, n).map(({ change }) => change));
    return all.some((one) => one.key === key && one.at >= askedAt && !before.has(one.change));
  };
}

/** Tells whether the same device has sent a removal of the record since, which was accepted. */
function isRemoved({ network }: World, intent: Intent, verdicts: Verdicts): boolean {
  const { id, tab, askedAt } = intent;
  return network.deliveries.some(
    ({ operations, person, device, at }) =>
      person === tab.account &&
      device === tab.device.name &&
      at >= askedAt &&
      operations.some(
        ({ op, ref, meta }) => op === 'remove' && ref?.id === id && isAccepted(meta.id, verdicts),
      ),
  );
}

function isFound(
  intent: Intent,
  ledger: Ledger,
  verdicts: Verdicts,
  isStated: IsStated,
  open: readonly Open[],
): boolean {
  const { change, fields, id, tab } = intent;
  if (ledger.isGivenUp(intent)) return true;
  if (change !== null) {
    if (ledger.acceptedBefore.has(change)) return true;
    if (isAccepted(change, verdicts) && fields === null) return true;
  }
  const mine = open.filter(
    ({ person, device }) => person === tab.account && device === tab.device.name,
  );
  const rows = mine.flatMap((one) => one.rows);
  if (change !== null && rows.some((row) => row.id === change)) return true;
  if (fields === null)
    return (
      // A removal that was sent once more, with what it depends on, goes by another name.
      rows.some(({ record, isRemoval }) => record === id && isRemoval) ||
      isFollowed(intent, ledger, []) ||
      change === null ||
      verdicts.refused.has(change)
    );
  // Of several fields some may have been stated anew since, some given up then, and others have come
  // in another change.
  const isThere = ([name, value]: [string, unknown]): boolean =>
    isFollowed(intent, ledger, [name]) ||
    ledger.isValueGivenUp(id, [name, value]) ||
    (change !== null && isAccepted(change, verdicts)) ||
    isStated(intent, [name, value]) ||
    rows.some(({ record, typed }) => record === id && typed[name] === value);
  const stated = Object.entries(fields);
  const texts = stated.filter(([, value]) => typeof value === 'string');
  if (texts.length > 0) return texts.every(isThere);
  return stated.every(isThere) || change === null || verdicts.refused.has(change);
}

const isAccepted = (change: string, { accepted }: Verdicts): boolean => accepted.has(change);

/** The same person, on the same device, stated the fields anew, took them back, or gave them up. */
function isFollowed(intent: Intent, ledger: Ledger, names: readonly string[]): boolean {
  const own = ledger.intents.filter((one) => isOfSame(one, intent) && !one.isRefused);
  const isSame = (one: Intent): boolean => names.every(statesAs(one, intent));
  // To try something again is not to state it later than what was stated on top of it.
  const first = intent.isAgain && names.length > 0 ? own.find(isSame) : intent;
  const isLater = (one: Intent): boolean =>
    one.n > intent.n || (one.n > (first ?? intent).n && !isSame(one));
  return own.some(
    (one) =>
      isLater(one) && (one.fields === null || names.every((name) => name in (one.fields ?? {}))),
  );
}

/** The intents about one record, by the same person on the same device. */
function isOfSame({ tab, id }: Intent, intent: Intent): boolean {
  return id === intent.id && tab.device === intent.tab.device && tab.account === intent.tab.account;
}

const statesAs =
  (one: Intent, intent: Intent) =>
  (name: string): boolean =>
    one.fields?.[name] === intent.fields?.[name];

/** Checks that accepted changes took effect once, and that each name went to one record. */
export async function checkOnce(world: World, verdicts: Verdicts): Promise<string[]> {
  const { db } = world.server.parts;
  const names = await db.read((tx) =>
    tx.query(
      sql<{ name: string }>`select name from projects group by name having count(*) > 1
        union all select name from reviewers group by name having count(*) > 1`,
    ),
  );
  return [
    ...verdicts.twice.map((id) => `twice: change ${id} took effect in two commits`),
    ...names.map(({ name }) => `twice: "${name}" is there more than once`),
  ];
}

/** Checks that a change keeps its content for ever once it was sent. */
export function checkContent(world: World): string[] {
  const sent = new Map<string, string>();
  const wrong = new Set<string>();
  for (const { operations } of world.network.deliveries) {
    const ids = new Set(operations.map(({ meta }) => meta.id));
    for (const id of ids) {
      const text = JSON.stringify(operations.filter(({ meta }) => meta.id === id));
      if (sent.has(id) && sent.get(id) !== text) wrong.add(`content: ${id} was sent as another`);
      sent.set(id, text);
    }
  }
  return [...wrong];
}

/** Checks that the changes of one person on one device took effect in their order. */
export function checkOrder(world: World, ledger: Ledger, { accepted }: Verdicts): string[] {
  const wrong: string[] = [];
  const known = ledger.intents.filter(
    ({ change, fields }) =>
      change !== null && fields !== null && typeof accepted.get(change) === 'number',
  );
  const firsts = known.filter((intent) => !ledger.isFolded(intent));
  for (const before of firsts) {
    for (const after of firsts) {
      const isSame =
        before.tab.device === after.tab.device && before.tab.account === after.tab.account;
      if (!isSame || before.savedAt === null) continue;
      if (before.savedAt + heardAfterMs(before, after) > after.askedAt) continue;
      if (before.n >= after.n || isOfTheNetworkAlone(world, ledger, before.change)) continue;
      const [a, b] = [accepted.get(before.change ?? ''), accepted.get(after.change ?? '')];
      if (typeof a === 'number' && typeof b === 'number' && a > b)
        wrong.push(
          `order: ${before.tab.device.name} intent ${before.n} (${String(before.change)}) took effect at ${a}, after ${after.n} at ${b}`,
        );
    }
  }
  return wrong;
}

/**
 * Says whether a change that was accepted, and lost with the database that was put back, is there
 * again only because the network brought its request twice.
 */
function isOfTheNetworkAlone(world: World, ledger: Ledger, change: string | null): boolean {
  if (change === null || !ledger.acceptedBefore.has(change)) return false;
  const last = world.network.deliveries.findLast(({ operations }) =>
    operations.some(({ meta }) => meta.id === change),
  );
  return last?.isRepeat === true;
}

/** Messages between tabs may take a while; until then each goes on by itself. */
function heardAfterMs(before: Intent, after: Intent): number {
  return before.tab === after.tab ? 0 : 10_000;
}

/** Nobody's text was replaced by someone who had not seen it, and what is there is what came last. */
export async function checkSeen(
  world: World,
  ledger: Ledger,
  { accepted }: Verdicts,
): Promise<string[]> {
  const wrong: string[] = [];
  const last = new Map<string, { value: string | null; person: Person | null; device: string }>();
  for (const write of writesInOrder(world, ledger, accepted)) {
    for (const field of ['name', 'description']) {
      if (!(field in write.attributes)) continue;
      const value = (write.attributes[field] ?? null) as string | null;
      const key = `${write.id} ${field}`;
      const before = last.get(key);
      last.set(key, { value, person: write.person, device: write.device });
      if (before === undefined || before.value === null || before.value === value) continue;
      if (before.person === write.person && before.device === write.device) continue;
      if (write.person === null) continue;
      // What is taken back is what they typed themselves, even where someone put that there again.
      const hadSeen = ledger.intents.some(
        (intent) =>
          intent.tab.account === write.person &&
          intent.tab.device.name === write.device &&
          intent.id === write.id &&
          intent.askedAt <= write.at &&
          (intent.seen[field] === before.value || intent.fields?.[field] === before.value),
      );
      if (!hadSeen)
        wrong.push(
          `unseen: ${write.person.name} on ${write.device} replaced "${before.value}" of ${before.person?.name ?? 'someone else'} by "${String(value)}"`,
        );
    }
  }
  if (ledger.acceptedBefore.size > 0) return wrong;
  const { db } = world.server.parts;
  const rows = await db.read((tx) =>
    tx.query(
      sql<{
        id: string;
        name: string;
        description: string | null;
      }>`select id, name, description from projects`,
    ),
  );
  for (const row of rows) {
    for (const field of ['name', 'description'] as const) {
      const should = last.get(`${row.id} ${field}`)?.value;
      if (should !== undefined && row[field] !== should)
        wrong.push(
          `other: ${field} of ${row.id} is "${String(row[field])}", not "${String(should)}"`,
        );
    }
  }
  return wrong;
}

interface Write {
  readonly n: number;
  readonly at: number;
  readonly id: string;
  /** Null: someone who is not simulated. */
  readonly person: Person | null;
  readonly device: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

function writesInOrder(
  world: World,
  { elsewhere }: Ledger,
  accepted: Verdicts['accepted'],
): Write[] {
  const seen = new Set<string>();
  const writes: Write[] = elsewhere.map((write) => ({
    ...write,
    at: 0,
    person: null,
    device: 'elsewhere',
  }));
  for (const { operations, person, device, at } of world.network.deliveries) {
    const fresh = operations.filter(({ meta }) => !seen.has(meta.id));
    for (const { meta } of operations) seen.add(meta.id);
    for (const { data, meta, op } of fresh) {
      const n = accepted.get(meta.id);
      if (typeof n !== 'number' || data?.type !== 'projects') continue;
      if (op !== 'add' && op !== 'update') continue;
      writes.push({ n, at, id: data.id, person, device, attributes: data.attributes ?? {} });
    }
  }
  return writes.sort((a, b) => a.n - b.n);
}
