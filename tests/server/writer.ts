import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { sql } from 'kysely';
import type { Operation, Verdict } from '#protocol/operations.ts';
import { callerOf } from '#server/domain/accounts/caller.ts';
import type { Services } from '#server/domain/services.ts';
import { aGroup, aMember, anOrganization, aProject, newId } from '../support/make.ts';
import type { TestServer } from '../support/server.ts';
import { tokenFor } from '../support/tokens.ts';

const JSON_API = 'application/vnd.api+json';

type At = Pick<TestServer, 'url' | 'parts'>;

/** A person who renames a project of theirs, through whatever happens to the requests. */
export class Writer {
  readonly email: string;
  readonly user: string;
  readonly project: string;
  readonly organization: string;
  token: string;
  readonly #server: At;

  private constructor(server: At, email: string, token: string, made: Made) {
    this.#server = server;
    this.email = email;
    this.token = token;
    this.user = made.user;
    this.project = made.project;
    this.organization = made.organization;
  }

  static async on(server: At): Promise<Writer> {
    const email = `writer-${newId()}@x.test`;
    const token = await tokenFor(server.parts, { email });
    return new Writer(server, email, token, await makeFor(server.parts, token));
  }

  /** Sends one change; `base` is the name that they saw, if that matters. */
  rename(name: string, base: string | null = null, id = newId()): Operation {
    const data = { type: 'projects', id: this.project, attributes: { name } };
    const seen = base === null ? {} : { base: { attributes: { name: base } } };
    return { op: 'update', data, meta: { id, ...seen } };
  }

  post(operations: readonly unknown[], headers: Record<string, string> = {}): Promise<Response> {
    return fetch(`${this.#server.url}/api/operations`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${this.token}`,
        'Content-Type': JSON_API,
        Prefer: 'handling=lenient',
        ...headers,
      },
      body: JSON.stringify({ operations }),
    });
  }

  async verdicts(operations: readonly unknown[]): Promise<readonly Verdict[]> {
    const answer = await this.post(operations);
    if (answer.status !== 200) throw new Error(`${answer.status}: ${await answer.text()}`);
    return ((await answer.json()) as { readonly operations: readonly Verdict[] }).operations;
  }

  get(path: string): Promise<Response> {
    return fetch(`${this.#server.url}${path}`, {
      headers: { Authorization: `Bearer ${this.token}` },
    });
  }

  /** The same request as text, to be written by hand. */
  request(operations: readonly Operation[]): string {
    const body = JSON.stringify({ operations });
    return `${this.head(Buffer.byteLength(body))}${body}`;
  }

  head(bodyBytes: number): string {
    return [
      'POST /api/operations HTTP/1.1',
      'Host: localhost',
      `Authorization: Bearer ${this.token}`,
      `Content-Type: ${JSON_API}`,
      'Prefer: handling=lenient',
      `Content-Length: ${String(bodyBytes)}`,
      '\r\n',
    ].join('\r\n');
  }

  async nameNow(): Promise<string | null> {
    const project = await this.#server.parts.db.read((tx) => tx.one('project', this.project));
    return project?.name ?? null;
  }

  /**
   * Returns the ids of the changes that renamed the project, in order, each as often as it was
   * done.
   */
  async renames(): Promise<string[]> {
    const rows = await this.#server.parts.db.read((tx) =>
      tx.query(sql<{ readonly changes: readonly string[] }>`select changes from feed
        where id = ${this.project} and op = 'update' order by n`),
    );
    return rows.flatMap(({ changes }) => changes);
  }
}

interface Made {
  readonly user: string;
  readonly organization: string;
  readonly project: string;
}

async function makeFor(services: Services, token: string): Promise<Made> {
  const { db } = services;
  const user = (await callerOf(services, token)).user.id;
  const organization = (await anOrganization(db)).id;
  const group = (await aGroup(db, { owner: organization })).id;
  await aMember(db, organization, { user, roles: ['AppBuilder'], groups: [group] });
  const project = await aProject(db, { organization, group, owner: user, name: 'Harvest' });
  return { user, organization, project: project.id };
}

/** A connection on which requests are written by hand, one behind the other, or cut. */
export class Line {
  readonly #socket: Socket;
  #text = '';

  constructor({ url }: At) {
    this.#socket = connect(Number(new URL(url).port), 'localhost');
    this.#socket.on('data', (chunk: Buffer) => (this.#text += chunk.toString()));
    this.#socket.on('error', () => undefined);
  }

  send(text: string): void {
    this.#socket.write(text);
  }

  cut(): void {
    this.#socket.destroy();
  }

  /** Returns everything that came, once the server has closed the connection. */
  async end(): Promise<string> {
    await new Promise((done) => this.#socket.once('close', done));
    return this.#text;
  }
}

interface Held {
  readonly whenHeld: Promise<void>;
  readonly release: () => void;
}

/** Keeps every other writer waiting. */
export function holdWrites({ parts: services }: At): Held {
  let release: () => void = () => undefined;
  const isReleased = new Promise<void>((done) => (release = done));
  const whenHeld = new Promise<void>((held) => {
    void services.db.write({ at: services.clock(), by: null, changes: [] }, () => {
      held();
      return isReleased;
    });
  });
  return { whenHeld, release };
}
