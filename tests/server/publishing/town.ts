import type { DataDocument, ErrorDocument, ResourceObject } from '#protocol/document.ts';
import type { Of, TypeName } from '#schema/index.ts';

import type { BundledEngine } from '#engine/bundled-engine.ts';
import type { Mail } from '#server/kernel/mail/mail-templates.ts';
import { aGroup, aMember, aRecord, newId } from '../../support/make.ts';
import { startServer } from '../../support/server.ts';
import type { ServerOptions, TestServer } from '../../support/server.ts';
import { tokenFor } from '../../support/tokens.ts';
import { zipOf, zipOfFiles } from '../../support/zips.ts';

/** One organization whose people make and publish apps, on a server of its own with its own clock. */

export interface Answer {
  readonly status: number;
  /** The record or records of the answer. */
  readonly one: ResourceObject;
  readonly many: readonly ResourceObject[];
  readonly json: Partial<DataDocument & ErrorDocument> & Readonly<Record<string, unknown>>;
  /** Code of the first error, with its rule or reason where it has one. */
  readonly refusal: string | null;
}

export const HTML = 'HTML Site to Cloud Provider';

const NAMES = ['super', 'admin', 'owner', 'author', 'member'] as const;
export type Name = (typeof NAMES)[number];

type Values = Readonly<Record<string, unknown>>;
type Links = Readonly<Record<string, readonly [type: string, id: string]>>;

export class Town {
  readonly server: TestServer;
  readonly people: Readonly<Record<Name, string>>;
  readonly organization: string;
  readonly group: string;
  readonly letters: Mail[];
  /** The errors in jobs, which nobody may see. */
  readonly faults: readonly unknown[];
  readonly #clock: { aheadMs: number };
  readonly #town: string;
  readonly #engine: Pick<BundledEngine, 'idle'>;
  readonly #lookEveryMs: number;

  private constructor(of: {
    readonly server: TestServer;
    readonly people: Readonly<Record<Name, string>>;
    readonly organization: string;
    readonly group: string;
    readonly letters: Mail[];
    readonly faults: readonly unknown[];
    readonly clock: { aheadMs: number };
    readonly town: string;
    readonly engine: Pick<BundledEngine, 'idle'> | null;
  }) {
    this.server = of.server;
    this.people = of.people;
    this.organization = of.organization;
    this.group = of.group;
    this.letters = of.letters;
    this.faults = of.faults;
    this.#clock = of.clock;
    this.#town = of.town;
    this.#engine = of.engine ?? of.server.parts.engines.bundled;
    this.#lookEveryMs = of.engine === null ? 2_000 : 30_000;
  }

  /**
   * With every store and every definition, and the bundled engine at work, unless the settings name
   * one elsewhere, with `engine` behind it.
   */
  static async found(
    options: ServerOptions = {},
    engine: Pick<BundledEngine, 'idle'> | null = null,
  ): Promise<Town> {
    const clock = { aheadMs: 0 };
    const server = await startServer({ ...options, clock: () => Date.now() + clock.aheadMs });
    const { db, mail, engines, log } = server.parts;
    const letters: Mail[] = [];
    const faults: unknown[] = [];
    log.error = (...told: readonly unknown[]) => faults.push(told);
    mail.send = (mail) => {
      letters.push(mail);
      return Promise.resolve();
    };
    if (engine === null) await engines.bundled.open();

    const town = newId().slice(-12);
    const people = {} as Record<Name, string>;
    for (const name of NAMES) people[name] = await signIn(server, name, town);
    const organization = (
      await aRecord(db, 'organization', { name: 'Lakeside Press', owner: people.admin })
    ).id;
    const group = (await aGroup(db, { owner: organization })).id;
    const roles = { admin: 'OrganizationAdmin', owner: 'AppBuilder', author: 'Author' } as const;
    for (const name of ['admin', 'owner', 'author', 'member'] as const) {
      const own = name === 'member' ? [] : [roles[name]];
      await aMember(db, organization, { user: people[name], roles: own, groups: [group] });
    }
    await makeSuperAdmin(server, people.super);
    const made = new Town({
      server,
      people,
      organization,
      group,
      letters,
      faults,
      clock,
      town,
      engine,
    });
    await made.#stock();
    return made;
  }

  /** As a browser would; null: signed out. Follows no redirect. */
  async fetch(
    who: Name | null,
    method: string,
    path: string,
    more: { readonly headers?: Record<string, string>; readonly body?: Buffer } = {},
  ): Promise<Response> {
    const token = who === null ? null : await tokenFor(this.server.parts, emailOf(who, this.#town));
    return fetch(path.startsWith('/') ? `${this.server.url}${path}` : path, {
      method,
      redirect: 'manual',
      headers: { ...(token === null ? {} : { Authorization: `Bearer ${token}` }), ...more.headers },
      ...(more.body === undefined ? {} : { body: new Uint8Array(more.body) }),
    });
  }

  async ask(who: Name, method: string, path: string, body?: unknown): Promise<Answer> {
    const contentType = { 'Content-Type': 'application/vnd.api+json' };
    const sent =
      body === undefined ? {} : { headers: contentType, body: Buffer.from(JSON.stringify(body)) };
    return this.answerOf(await this.fetch(who, method, path, sent));
  }

  async answerOf(answer: Response): Promise<Answer> {
    const text = await answer.text();
    const json = (text === '' ? {} : JSON.parse(text)) as Answer['json'];
    const [error] = json.errors ?? [];
    const why = error?.meta?.rule ?? error?.meta?.reason;
    return {
      status: answer.status,
      json,
      one: json.data as ResourceObject,
      many: json.data as readonly ResourceObject[],
      refusal:
        error === undefined ? null : `${error.code}${typeof why === 'string' ? `/${why}` : ''}`,
    };
  }

  /** Adds a record as `who`; returns its id. */
  async add(who: Name, type: string, attributes: Values, links: Links): Promise<string> {
    const relationships = Object.fromEntries(
      Object.entries(links).map(([name, [to, id]]) => [name, { data: { type: to, id } }]),
    );
    const data = { type, attributes, relationships };
    const answer = await this.ask(who, 'POST', `/api/${type}`, { data });
    if (answer.status !== 201) throw new Error(`${type}: ${answer.refusal ?? ''}`);
    return answer.one.id;
  }

  /** A project of the owner's, whose repository the engine has made. */
  async project(name = 'Harvest'): Promise<string> {
    const [type] = await this.#seeded('applicationType', 'bookapp');
    const id = await this.add(
      'owner',
      'projects',
      { name, language: 'en-US', 'is-public': true },
      {
        organization: ['organizations', this.organization],
        group: ['groups', this.group],
        owner: ['users', this.people.owner],
        type: ['application-types', type],
      },
    );
    await this.workOff();
    return id;
  }

  /** Content that a person uploads. */
  upload(project: string, content: Buffer = anApp(), who: Name = 'owner'): Promise<Response> {
    return this.fetch(who, 'PUT', `/api/projects/${project}/repository`, {
      headers: { 'Content-Type': 'application/zip' },
      body: content,
    });
  }

  /** A product that the owner adds, by the name of its definition. */
  async product(project: string, definition = HTML, store = 'slipway_web'): Promise<string> {
    const [made] = await this.#seeded('productDefinition', definition);
    const [at] = await this.#seeded('store', store);
    return this.add(
      'owner',
      'products',
      {},
      {
        project: ['projects', project],
        'product-definition': ['product-definitions', made],
        store: ['stores', at],
      },
    );
  }

  /** Gives `command` of the task that `who` has for the product; `release` in the names of the wire. */
  async command(
    who: Name,
    product: string,
    command: string,
    comment: string | null = null,
    release: Values = {},
  ): Promise<Answer> {
    const tasks = await this.ask(who, 'GET', `/api/user-tasks?include=product`);
    const task = tasks.many.find(({ relationships }) => {
      const to = relationships?.product?.data;
      return to !== null && to !== undefined && 'id' in to && to.id === product;
    });
    return this.ask(who, 'POST', '/api/task-commands', {
      data: {
        type: 'task-commands',
        attributes: { command, comment, state: task?.attributes?.status ?? 'none', ...release },
        relationships: {
          'user-task': { data: { type: 'user-tasks', id: task?.id ?? newId() } },
        },
      },
    });
  }

  /** Returns the record as `who` reads it. */
  async see(who: Name, type: string, id: string): Promise<Values> {
    return (await this.ask(who, 'GET', `/api/${type}/${id}`)).one.attributes ?? {};
  }

  async all<T extends TypeName>(type: T, where: Partial<Of<T>>): Promise<readonly Of<T>[]> {
    return this.server.parts.db.read((tx) => tx.all(type, where));
  }

  async state(product: string): Promise<string | null> {
    const { 'workflow-state': state } = await this.see('member', 'products', product);
    return state as string | null;
  }

  /** Returns the history on the product's page: state, command, comment, whether it is done. */
  async history(product: string): Promise<readonly (readonly unknown[])[]> {
    const { many } = await this.ask('member', 'GET', `/api/products/${product}/transitions`);
    return many.map(({ attributes = {} }) => [
      attributes['transition-type'],
      attributes['initial-state'],
      attributes.command,
      attributes.comment,
      attributes['date-transition'] === null ? 'to come' : 'done',
    ]);
  }

  /** Returns the ids of the messages that `who` got about the product's project, oldest first. */
  async told(who: Name): Promise<readonly Of<'notification'>[]> {
    const all = await this.all('notification', { user: this.people[who] });
    return all.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  }

  /** Time goes on; nothing happens by itself. */
  pass(ms: number): void {
    this.#clock.aheadMs += ms;
  }

  /** Time goes on in steps of 15 s, and due jobs run. */
  async live(ms: number): Promise<void> {
    const { jobs } = this.server.parts;
    for (let passed = 0; passed < ms; passed += STEP_MS) {
      this.pass(STEP_MS);
      await jobs.untilIdle();
    }
  }

  /** All due jobs run, and the engine ends its tasks; then the server gets the results. */
  async workOff(): Promise<void> {
    const { jobs } = this.server.parts;
    for (let looks = 0; looks < LOOKS; looks += 1) {
      await jobs.untilIdle();
      await this.#engine.idle();
      this.pass(this.#lookEveryMs);
    }
    await jobs.untilIdle();
  }

  stop(): Promise<void> {
    return this.server.stop();
  }

  async #seeded(type: TypeName, name: string): Promise<readonly [string]> {
    const [found] = await this.server.parts.db.read((tx) =>
      tx.all(type, { name } as unknown as Partial<Of<TypeName>>),
    );
    if (found === undefined) throw new Error(`No ${type} is called ${name}`);
    return [found.id];
  }

  async #stock(): Promise<void> {
    const { db } = this.server.parts;
    const { organization } = this;
    const stores = await this.all('store', {});
    for (const { id: store } of stores.filter(({ name }) => name.startsWith('slipway_')))
      await aRecord(db, 'organizationStore', { organization, store });
    for (const { id: productDefinition } of await this.all('productDefinition', {}))
      await aRecord(db, 'organizationProductDefinition', { organization, productDefinition });
  }
}

/** A running task is polled until it has ended. */
const LOOKS = 3;
const STEP_MS = 15_000;

const emailOf = (name: Name, town: string): string => `${name}@${town}.test`;

async function signIn(server: TestServer, name: Name, town: string): Promise<string> {
  const email = emailOf(name, town);
  const token = await tokenFor(server.parts, { email, name: `${name} person` });
  const answer = await fetch(`${server.url}/api/users/current-user`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  return ((await answer.json()) as { readonly data: ResourceObject }).data.id;
}

async function makeSuperAdmin({ parts: services }: TestServer, user: string): Promise<void> {
  const roleName = 'SuperAdmin';
  const [role] = await services.db.read((tx) => tx.all('role', { roleName }));
  await aRecord(services.db, 'userRole', {
    user,
    role: role?.id ?? '',
    roleName,
    organization: null,
  });
}

/** Pages in Markdown, as a person would write them. */
export const anApp = (words = 'Songs of the field.'): Buffer =>
  zipOfFiles({
    'index.md': `# Harvest\n\n${words}\n`,
    'field.md': '# The field\n\nIt is green.\n',
  });

/** An upload cannot tell that one of its files is not what the zip says of it; a build does. */
export const aBrokenApp = (): Buffer =>
  zipOf([{ name: 'index.md', bytes: '# Harvest\n\nSongs of the field.\n', saysBytes: 4 }]);
