import { newId } from '#base/id.ts';
import type { DataDocument, ErrorDocument, ResourceObject } from '#protocol/document.ts';
import type { VerdictsDocument } from '#protocol/operations.ts';
import type { RoleName } from '#schema/role.ts';
import type { Mail } from '#server/kernel/mail/mail-templates.ts';
import type { WriteTransaction } from '#server/db/database.ts';
import { closeAtTheEnd } from '../../../support/hooks.ts';
import { startServer } from '../../../support/server.ts';
import type { TestServer } from '../../../support/server.ts';
import { tokenFor } from '../../../support/tokens.ts';
import { expectDescribed } from './described.ts';

/**
 * A small world with two organizations, and a way to ask the server as each of its people. Every
 * answer has to fit the description of the API.
 */

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Partial<DataDocument & ErrorDocument & VerdictsDocument> &
    Readonly<Record<string, unknown>>;
  /** The record or records of the answer. */
  readonly one: ResourceObject;
  readonly many: readonly ResourceObject[];
  /** Code of the first error, with its rule where it has one: `invalid/required`. */
  readonly refusal: string | null;
}

export interface Person {
  readonly id: string;
  /** The verified sign-in address. */
  readonly email: string;
  readonly token: string;
  ask(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Reply>;
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Reply>;
}

export type Name = 'super' | 'admin' | 'builder' | 'author' | 'member' | 'stranger' | 'nobody';

export interface World {
  readonly server: TestServer;
  readonly people: Readonly<Record<Name, Person>>;
  /** Ids of what is there from the start, by name. */
  readonly ids: Readonly<Record<Thing, string>>;
  readonly id: () => string;
  /** Every mail that the server has sent. */
  readonly letters: readonly Mail[];
  write<T>(work: (write: WriteTransaction) => Promise<T>): Promise<T>;
}

const THINGS = [
  'lakeside',
  'harbor',
  'north',
  'south',
  'pier',
  'bookapp',
  'project',
  'public',
  'archived',
  'pierProject',
  'reviewer',
  'authorRow',
  'definition',
  'workflow',
  'store',
  'storeType',
  'product',
  'build',
  'artifact',
  'publication',
  'transition',
  'comment',
  'task',
  'notification',
  'import',
  'publicProduct',
] as const;
type Thing = (typeof THINGS)[number];

const NAMES: readonly Name[] = [
  'super',
  'admin',
  'builder',
  'author',
  'member',
  'stranger',
  'nobody',
];

/** The time that the first suite waits for its server, on a busy machine too. */
export const START_WITHIN_MS = 120_000;

let shared: Promise<TestServer> | null = null;

/** One server for all suites of the API: each makes people and organizations of its own. */
function sharedServer(): Promise<TestServer> {
  shared ??= startShared();
  return shared;
}

const letters: Mail[] = [];

async function startShared(): Promise<TestServer> {
  const server = await startServer();
  keepLetters(server);
  closeAtTheEnd(() => server.stop());
  return server;
}

/** Adds the mails of `server` to `letters` of every world. */
function keepLetters({ parts: { mail } }: TestServer): void {
  mail.send = (mail) => {
    letters.push(mail);
    return Promise.resolve();
  };
}

/** @param own a server that nobody else uses, with a clock of its own, and how long tokens last there */
export async function makeWorld(
  own: { readonly server: TestServer; readonly lastsSeconds: number } | null = null,
): Promise<World> {
  const server = own?.server ?? (await sharedServer());
  if (own !== null) keepLetters(server);
  const { parts: services } = server;
  const id = () => newId(services.clock, services.random);
  const town = id().slice(-12);
  const entries = await Promise.all(
    NAMES.map(
      async (name) => [name, await personOf(server, name, town, own?.lastsSeconds)] as const,
    ),
  );
  const people = Object.fromEntries(entries) as Record<Name, Person>;
  const ids = Object.fromEntries(THINGS.map((thing) => [thing, id()])) as Record<Thing, string>;
  const write = <T>(work: (write: WriteTransaction) => Promise<T>) =>
    services.db.write({ at: services.clock(), by: null, changes: [] }, work);
  await write((w) => fill(w, id, people, ids));
  return { server, people, ids, id, write, letters };
}

async function personOf(
  server: TestServer,
  name: Name,
  town: string,
  lastsSeconds?: number,
): Promise<Person> {
  const email = `${name}@${town}.test`;
  const token = await tokenFor(
    server.parts,
    { email, name: `${name} person` },
    lastsSeconds === undefined ? {} : { lastsSeconds },
  );
  const ask: Person['ask'] = async (method, path, body, headers = {}) => {
    const answer = await fetch(`${server.url}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        Authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'Content-Type': 'application/vnd.api+json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    await expectDescribed(method, path, answer);
    const text = await answer.text();
    return replyOf(answer.status, answer.headers, text);
  };
  const me = await ask('GET', '/api/users/current-user');
  return {
    id: me.one.id,
    email,
    token,
    ask,
    get: (path, headers) => ask('GET', path, undefined, headers),
  };
}

function replyOf(status: number, headers: Headers, text: string): Reply {
  const body = (text === '' ? {} : JSON.parse(text)) as Reply['body'];
  const [error] = body.errors ?? [];
  const rule = error?.meta?.rule;
  return {
    status,
    headers,
    text,
    body,
    one: body.data as ResourceObject,
    many: body.data as readonly ResourceObject[],
    refusal:
      error === undefined ? null : `${error.code}${typeof rule === 'string' ? `/${rule}` : ''}`,
  };
}

async function fill(
  w: WriteTransaction,
  id: () => string,
  people: Readonly<Record<Name, Person>>,
  ids: Readonly<Record<Thing, string>>,
): Promise<void> {
  const of = (name: Name) => people[name].id;
  const give = async (name: Name, roleName: RoleName, organization: string | null) => {
    const [role] = await w.all('role', { roleName });
    await w.insert('userRole', {
      id: id(),
      user: of(name),
      role: role?.id ?? '',
      roleName,
      organization,
    });
  };
  const admit = (name: Name, organization: string) =>
    w.insert('organizationMembership', {
      id: id(),
      user: of(name),
      organization,
      dateAccepted: '2026-01-31T09:30:00.000Z',
    });
  const into = (name: Name, group: string) =>
    w.insert('groupMembership', { id: id(), user: of(name), group });

  const { lakeside, harbor, north, south, pier, bookapp } = ids;
  await w.insert('organization', { id: lakeside, name: 'Lakeside Press', owner: of('admin') });
  await w.insert('organization', { id: harbor, name: 'Harbor Media', owner: of('stranger') });
  for (const name of ['admin', 'builder', 'author', 'member'] as const) await admit(name, lakeside);
  await admit('stranger', harbor);
  await give('super', 'SuperAdmin', null);
  await give('admin', 'OrganizationAdmin', lakeside);
  await give('builder', 'AppBuilder', lakeside);
  await give('author', 'Author', lakeside);
  await give('stranger', 'OrganizationAdmin', harbor);
  await give('stranger', 'AppBuilder', harbor);
  await w.insert('group', {
    id: north,
    name: 'Lakeside North',
    abbreviation: 'LN',
    owner: lakeside,
  });
  await w.insert('group', {
    id: south,
    name: 'Lakeside South',
    abbreviation: 'LS',
    owner: lakeside,
  });
  await w.insert('group', { id: pier, name: 'Pier', abbreviation: 'P', owner: harbor });
  for (const name of ['builder', 'author', 'admin'] as const) await into(name, north);
  await into('stranger', pier);

  await w.insert('applicationType', { id: bookapp, name: 'testapp' });
  const common = { language: 'en', type: bookapp, organization: lakeside, group: north };
  const owner = of('builder');
  await w.insert('project', {
    ...common,
    id: ids.project,
    name: 'Harvest',
    owner,
    isPublic: false,
  });
  await w.insert('project', {
    ...common,
    id: ids.public,
    name: 'Öffentlich',
    owner,
    isPublic: true,
  });
  const dateArchived = '2026-01-01T00:00:00.000Z';
  await w.insert('project', { ...common, id: ids.archived, name: 'Old', owner, dateArchived });
  await w.insert('project', {
    id: ids.pierProject,
    name: 'Tides',
    language: 'fr',
    type: bookapp,
    organization: harbor,
    group: pier,
    owner: of('stranger'),
    isPublic: false,
  });
  await catalogue(w, ids);
  await things(w, id, ids, { owner, author: of('author') });
}

async function catalogue(w: WriteTransaction, ids: Readonly<Record<Thing, string>>): Promise<void> {
  await w.insert('storeType', { id: ids.storeType, name: 'shop' });
  await w.insert('store', { id: ids.store, name: 'shop one', storeType: ids.storeType });
  await w.insert('workflowDefinition', {
    id: ids.workflow,
    name: 'startup',
    type: 1,
    storeType: ids.storeType,
  });
  await w.insert('productDefinition', {
    id: ids.definition,
    name: 'Android App',
    type: ids.bookapp,
    workflow: ids.workflow,
  });
}

async function things(
  w: WriteTransaction,
  id: () => string,
  ids: Readonly<Record<Thing, string>>,
  { owner, author }: { readonly owner: string; readonly author: string },
): Promise<void> {
  const { project, product, lakeside, definition, store, build } = ids;
  await w.insert('organizationProductDefinition', {
    id: id(),
    organization: lakeside,
    productDefinition: definition,
  });
  await w.insert('organizationStore', { id: id(), organization: lakeside, store });
  await w.insert('reviewer', {
    id: ids.reviewer,
    name: 'Rita',
    email: 'rita@x.test',
    locale: 'en-US',
    project,
  });
  await w.insert('author', { id: ids.authorRow, user: author, project });
  await w.insert('product', { id: product, project, productDefinition: definition, store });
  await w.insert('product', {
    id: ids.publicProduct,
    project: ids.public,
    productDefinition: definition,
    store,
    properties: '{}',
    workflowState: 'Approval',
    waitingFor: 'owner',
    assigned: owner,
    failure: 'build',
    failureReason: 'It is broken',
  });
  await w.insert('productBuild', { id: build, product, buildVersion: '1.0', success: true });
  await w.insert('productArtifact', {
    id: ids.artifact,
    product,
    productBuild: build,
    artifactType: 'apk',
  });
  await w.insert('productPublication', { id: ids.publication, product, productBuild: build });
  await w.insert('productTransition', { id: ids.transition, product, transitionType: 1 });
  await w.insert('productComment', { id: ids.comment, product, user: owner, text: 'Fine' });
  await w.insert('userTask', {
    id: ids.task,
    product,
    user: owner,
    status: 'Approval',
    commands: ['Continue'],
  });
  await w.insert('notification', { id: ids.notification, user: owner, message: 'Hello' });
  await w.insert('projectImport', {
    id: ids.import,
    importData: '{}',
    organization: lakeside,
    group: ids.north,
    type: ids.bookapp,
    owner,
  });
}
