import { hubMethods } from '#protocol/hub.ts';
import { mayRead, mayReadField } from '#rules/access.ts';
import { viewerOf } from '#rules/viewer.ts';
import { resourceOf, storedTypes, toOnesOf } from '#schema/index.ts';
import type { AnyRecord, TypeName } from '#schema/index.ts';
import type { Database, WriteTransaction } from '#server/db/database.ts';
import { newId } from '../../support/make.ts';
import { Records } from '../../support/records.ts';
import { startServer } from '../../support/server.ts';
import type { TestServer } from '../../support/server.ts';
import { listen } from '../http/hub/listener.ts';
import type { Listener } from '../http/hub/listener.ts';
import { answerOf, ask, refusalsOf, someone } from './person.ts';
import type { Answer, Ask, Known, Someone } from './person.ts';
import { aMark, Secrets } from './secrets.ts';
import { makeCatalogue, makeTown, marked } from './town.ts';
import type { Catalogue, Town } from './town.ts';

/** How an operation is sent. */
export type Carrier = 'strict' | 'lenient' | 'hub';
export const CARRIERS: readonly Carrier[] = ['strict', 'lenient', 'hub'];

/** One request by address, or one operation by a carrier. */
export type Request = Ask | { readonly by: Carrier; readonly operation: unknown };

/** A record that the stranger sees, whose to-one leads to one that they do not see. */
export interface Bridge {
  readonly type: TypeName;
  readonly id: string;
  readonly field: string;
  readonly to: TypeName;
  readonly target: string;
}

const MINUTE_MS = 61_000;
/** Fewer than anyone may send in a minute. */
const BEFORE_FORWARD = 2_000;

/**
 * Outsiders see all fields but these of a town with a public project (domain 2.3, 2.4), by type.
 */
const HIDDEN_IN_PUBLIC: Readonly<Partial<Record<TypeName, readonly string[]>>> = {
  project: ['workflowProjectUrl', 'location'],
  product: ['properties', 'workflowState', 'waitingFor', 'assigned', 'failure', 'failureReason'],
  productBuild: ['logTail', 'startedBy'],
  productArtifact: [],
};
const OF_PEOPLE = ['id', 'name', 'givenName', 'familyName'];
const OF_ORGANIZATIONS = ['id', 'name', 'websiteUrl', 'logoUrl', 'owner'];
export const PUBLIC_TYPES: ReadonlySet<TypeName> = new Set([
  ...(Object.keys(HIDDEN_IN_PUBLIC) as TypeName[]),
  'organization',
]);

/** Types of which every record is for everyone signed in (domain 2.3). */
export const CATALOGUE_TYPES: ReadonlySet<TypeName> = new Set([
  'role',
  'applicationType',
  'storeType',
  'storeLanguage',
  'store',
  'workflowDefinition',
  'productDefinition',
]);
/** Types whose records belong to someone. */
export const privateTypes = storedTypes.filter(
  (type) => !CATALOGUE_TYPES.has(type) && resourceOf(type).verbs.includes('get'),
);

/**
 * Harbor with the stranger, who holds every role there but SuperAdmin; Lakeside, which is closed;
 * Millside, closed too, to which records of Harbor point; Quayside, which has a public project.
 */
export class World {
  readonly server: TestServer;
  readonly catalogue: Catalogue;
  readonly harbor: Town;
  readonly lakeside: Town;
  readonly millside: Town;
  readonly quayside: Town;
  readonly superAdmin: Known;
  readonly stranger: Known;
  readonly bridges: readonly Bridge[];
  readonly find: Records;
  readonly #hubs = new Map<string, Promise<Listener>>();
  readonly #shown = new Map<TypeName, readonly AnyRecord[]>();
  readonly #forward: () => void;
  #asked = 0;

  constructor(made: Made, forward: () => void) {
    const { server, catalogue, towns, find, bridges } = made;
    this.server = server;
    this.catalogue = catalogue;
    [this.harbor, this.lakeside, this.millside, this.quayside] = towns;
    this.find = find;
    this.bridges = bridges;
    this.stranger = this.known(this.harbor.people.member);
    this.superAdmin = this.known(made.superAdmin);
    this.#forward = forward;
  }

  known(person: Someone): Known {
    return { ...person, viewer: viewerOf(person.id, this.find) };
  }

  /** The people of `town` and the super admin. */
  candidates(town: Town): Known[] {
    return [...Object.values(town.people).map((one) => this.known(one)), this.superAdmin];
  }

  record(type: TypeName, id: string): AnyRecord | null {
    return this.find.one(type, id);
  }

  mayRead({ viewer }: Known, type: TypeName, id: string, field?: string): boolean {
    const record = this.find.one(type, id);
    if (record === null || !mayRead(viewer, type, record, this.find)) return false;
    return field === undefined || mayReadField(viewer, type, field, record, this.find);
  }

  /** Records that the stranger sees. */
  shownRows(type: TypeName): readonly AnyRecord[] {
    const known = this.#shown.get(type);
    if (known !== undefined) return known;
    const all = this.find.all(type, {}) as unknown as readonly AnyRecord[];
    const rows = all.filter(({ id }) => this.mayRead(this.stranger, type, id));
    this.#shown.set(type, rows);
    return rows;
  }

  /** Returns the labels of what is nobody's business in Harbor. */
  secretsIn(answer: string, sent: string): string[] {
    return [this.lakeside, this.millside, this.quayside].flatMap(({ secrets }) =>
      secrets.in(answer, sent),
    );
  }

  async ask(who: Someone, request: Request): Promise<Answer> {
    this.#asked += 1;
    if (this.#asked % BEFORE_FORWARD === 0) this.#forward();
    if (!('by' in request)) return ask(this.server.url, who.token, request);
    const { by, operation } = request;
    const answer =
      by === 'hub'
        ? answerOf(200, await this.#perform(who, operation))
        : await ask(this.server.url, who.token, {
            method: 'POST',
            path: '/api/operations',
            body: { operations: [operation] },
            headers: { Prefer: `handling=${by}` },
          });
    return ofOperation(answer);
  }

  async #perform(who: Someone, operation: unknown): Promise<string> {
    const { hub } = await this.hubOf(who);
    return hub.invoke(hubMethods.perform, JSON.stringify({ operations: [operation] }));
  }

  /** A connection of theirs for operations. */
  hubOf(who: Someone): Promise<Listener> {
    const known = this.#hubs.get(who.id) ?? listen(this.server.url, who.token);
    this.#hubs.set(who.id, known);
    return known;
  }

  async write(work: (write: WriteTransaction) => Promise<void>): Promise<void> {
    const { db, clock } = this.server.parts;
    await db.write({ at: clock(), by: null, changes: [] }, work);
  }

  /**
   * Nothing that is written during `work` stays, whoever writes it: they are answered as if it had.
   * So every request can be made by someone entitled, on the same records.
   */
  async undoing<T>(work: () => Promise<T>): Promise<T> {
    const { parts: services } = this.server;
    const { db } = services;
    Object.assign(services, { db: undoingOf(db) });
    try {
      return await work();
    } finally {
      Object.assign(services, { db });
    }
  }

  async close(): Promise<void> {
    for (const one of this.#hubs.values()) await (await one).stop();
    await this.server.stop();
  }
}

/** The one entry of an answer to operations, or the refusal of the whole. */
function ofOperation(answer: Answer): Answer {
  const [entry] = (answer.body.operations ?? []) as readonly {
    readonly data?: unknown;
    readonly errors?: unknown;
    readonly meta: { readonly status: number };
  }[];
  if (entry === undefined) {
    const [error] = (answer.body.errors ?? []) as readonly { readonly status: string }[];
    const refusals = refusalsOf(answer.body.errors);
    return { ...answer, status: Number(error?.status ?? answer.status), refusals };
  }
  return {
    ...answer,
    status: entry.meta.status,
    refusals: refusalsOf(entry.errors),
    data: [entry.data ?? []].flat() as never,
  };
}

class Undone extends Error {
  readonly result: unknown;

  constructor(result: unknown) {
    super('Undone');
    this.result = result;
  }
}

function undoingOf(db: Database): Database {
  const write: Database['write'] = async <T>(
    cause: Parameters<Database['write']>[0],
    work: (write: WriteTransaction) => Promise<T>,
  ) => {
    try {
      return await db.write<T>(cause, async (w) => {
        throw new Undone(await work(w));
      });
    } catch (error) {
      if (error instanceof Undone) return error.result as T;
      throw error;
    }
  };
  return {
    kind: db.kind,
    identity: db.identity,
    secrets: db.secrets,
    read: (work) => db.read(work),
    write,
    transact: (work) => db.transact(work),
    close: () => db.close(),
  };
}

interface Made {
  readonly server: TestServer;
  readonly catalogue: Catalogue;
  readonly towns: readonly [Town, Town, Town, Town];
  readonly superAdmin: Someone;
  readonly find: Records;
  readonly bridges: readonly Bridge[];
}

export async function makeWorld(): Promise<World> {
  let late = 0;
  const server = await startServer({ clock: () => Date.now() + late });
  const { db, clock } = server.parts;
  const write = <T>(work: (w: WriteTransaction) => Promise<T>) =>
    db.write({ at: clock(), by: null, changes: [] }, work);
  const catalogue = await write(makeCatalogue);
  const town = (name: string, isPublic = false, memberIsAll = false) =>
    makeTown(server, catalogue, { name, isPublic, memberIsAll });
  const towns = [
    await town('harbor', false, true),
    await town('lakeside'),
    await town('millside'),
    await town('quayside', true),
  ] as const;
  const superAdmin = await someone(server, 'super admin', aMark('super'));
  await write(async (w) => {
    const [role] = await w.all('role', { roleName: 'SuperAdmin' });
    const { id: user } = superAdmin;
    const held = {
      user,
      role: role?.id ?? '',
      roleName: 'SuperAdmin',
      organization: null,
    } as const;
    await w.insert('userRole', { id: newId(), ...held });
  });
  const [harbor, , millside, quayside] = towns;
  const bridges = await makeBridges(await recordsIn(db), write, harbor, millside);
  const find = await recordsIn(db);
  freePublic(quayside, find);
  return new World({ server, catalogue, towns, superAdmin, find, bridges }, () => {
    late += MINUTE_MS;
  });
}

async function recordsIn(db: Database): Promise<Records> {
  const records = new Records();
  await db.read(async (tx) => {
    for (const type of storedTypes)
      for (const record of await tx.all(type, {})) records.put(type, record);
  });
  return records;
}

const SET_BY_THE_DATABASE = new Set(['version', 'dateCreated', 'dateUpdated']);

/** For every to-one that can lead out of Harbor without taking its record along. */
async function makeBridges(
  find: Records,
  write: (work: (w: WriteTransaction) => Promise<void>) => Promise<void>,
  harbor: Town,
  millside: Town,
): Promise<Bridge[]> {
  const viewer = viewerOf(harbor.people.member.id, find);
  const bridges: Bridge[] = [];
  for (const type of privateTypes) {
    // A membership is what makes a member: that would be no stranger.
    if (type === 'organizationMembership') continue;
    const own = find.one(type, harbor.ids[type]) as AnyRecord;
    for (const [field, { to }] of toOnesOf(type)) {
      const target = millside.ids[to];
      const record = {
        ...own,
        id: newId(),
        ...marked(type, 'harbor', new Secrets()),
        [field]: target,
      };
      const isOut = privateTypes.includes(to) && own[field] !== target;
      if (!isOut || !mayRead(viewer, type, record as never, find)) continue;
      if (type === 'userRole') Object.assign(record, { roleName: own.roleName });
      bridges.push({ type, id: record.id, field, to, target });
      const fields = Object.fromEntries(
        Object.entries(record).filter(([name]) => !SET_BY_THE_DATABASE.has(name)),
      );
      await write(async (w) => {
        // A project has one product of a definition.
        if (type === 'product' && field !== 'project') {
          const definition = find.one('productDefinition', own.productDefinition as string);
          fields.productDefinition = newId();
          const made = { name: 'strangers bridge', type: definition?.type ?? '' };
          const workflow = definition?.workflow ?? '';
          await w.insert('productDefinition', { id: fields.productDefinition, ...made, workflow });
        }
        await w.insert(type, fields as never);
      });
    }
  }
  // To-ones are stated, even for a person who does not see their targets.
  for (const { target } of bridges) millside.secrets.free(target);
  return bridges;
}

function freePublic(town: Town, find: Records): void {
  const free = (type: TypeName, id: string, isFreed: (field: string) => boolean) => {
    const record = find.one(type, id) as AnyRecord;
    for (const [field, value] of Object.entries(record))
      if (isFreed(field) && value !== null) town.secrets.free(JSON.stringify(value));
  };
  for (const [type, hidden] of Object.entries(HIDDEN_IN_PUBLIC))
    free(type as TypeName, town.ids[type as TypeName], (field) => !hidden.includes(field));
  free('organization', town.ids.organization, (field) => OF_ORGANIZATIONS.includes(field));
  for (const who of ['owner', 'admin'] as const)
    free('user', town.people[who].id, (field) => OF_PEOPLE.includes(field));
}
