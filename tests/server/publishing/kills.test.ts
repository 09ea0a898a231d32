import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import { sql } from 'kysely';
import type { DataDocument, ResourceObject } from '#protocol/document.ts';
import { migratedPlace, openAt } from '../../support/database.ts';
import type { Place } from '../../support/database.ts';
import { aRecord, newId } from '../../support/make.ts';
import { prepare } from '../../support/prepared.ts';
import type { Prepared } from '../../support/prepared.ts';
import { anApp, HTML } from './town.ts';

const WITHIN_MS = 400_000;
/** After this time nobody takes a process that was killed for one that is alive. */
const BETWEEN_LIVES_MS = 120_000;

const postgres = process.env.DATABASE_URL ?? '';
const databases = { embedded: '', ...(postgres === '' ? {} : { PostgreSQL: postgres }) };

/** All of them with `KILLS`; each costs a start of the server. */
const isThorough = process.env.KILLS !== undefined;

/** In their order. A build is broken off once: the second time it would count as its own fault. */
const AT_EVERY_JOB = [
  'createProject asked',
  'set-up-project done',
  'createJob asked',
  'createJob answered',
  'create-engine-job done',
  'createBuild asked',
  'createBuild answered',
  'build completed',
  'watch-build done',
  'createRelease asked',
  'createRelease answered',
  'release completed',
  'watch-release done',
];
/** The moments at which something was done outside that nobody knows yet. */
const UNHEARD = AT_EVERY_JOB.filter((moment) => /(answered|completed)$/.test(moment));
const WHILE_THE_ENGINE_WORKS = ['createProject answered', 'begin-build done', 'begin-release done'];

for (const [name, url] of Object.entries(databases)) {
  describe(`a server that is killed while it publishes (${name})`, function () {
    this.timeout(WITHIN_MS);
    let place: Place;
    let story: Story;

    before(async () => {
      place = await migratedPlace(url);
      story = await Story.begin(place);
    });
    after(async () => {
      await story.end();
      await place.remove();
    });

    const all = [
      ['before and after each job, and at each answer of the engine', AT_EVERY_JOB],
      ['while the engine is at work', WHILE_THE_ENGINE_WORKS],
    ] as const;
    const few = [['at each answer of the engine', UNHEARD]] as const;
    for (const [when, moments] of isThorough ? all : few) {
      it(`has published once in the end, killed ${when}`, async () => {
        const app = { project: newId(), product: newId() };
        for (const moment of moments)
          expect(await story.goOn(app, moment), moment).to.equal('killed');
        expect(await story.goOn(app, null)).to.equal('published');
        expect(await story.download(app)).to.be.above(0);
        await story.end();
        expect(await left(place, app)).to.deep.equal({
          builds: [{ success: true }],
          publications: [{ success: true }],
          engine: { jobs: 1, builds: 1, releases: 1 },
          told: [
            'buildCompletedSuccessfully',
            'productCreatedSuccessfully',
            'projectCreatedSuccessfully',
            'releaseCompletedSuccessfully',
            'userTaskAdded',
            'userTaskAdded',
          ],
          history: [
            null,
            'Product Creation',
            'App Builder Configuration',
            'Product Build',
            'Verify and Publish',
            'Product Publish',
            null,
          ],
          jobs: [],
        });
      });
    }
  });
}

/** The app that is made. */
interface App {
  readonly project: string;
  readonly product: string;
}

/** A server from its start to its end, followed by the lines that it prints. */
class Life {
  readonly ended: Promise<void>;
  isOver = false;
  readonly #process: ChildProcess;
  readonly #lines: string[] = [];
  #wake: () => void = () => undefined;

  constructor(
    env: Readonly<Record<string, string | undefined>>,
    moment: string | null,
    ahead: number,
  ) {
    const script = new URL('./killed-server.ts', import.meta.url).pathname;
    const args = ['--import', 'tsx', script, moment ?? '', String(ahead)];
    this.#process = spawn(process.execPath, args, {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.ended = new Promise((done) => {
      this.#process.once('exit', () => {
        this.isOver = true;
        this.#wake();
        done();
      });
    });
    const { stdout } = this.#process;
    if (stdout === null) throw new Error('It cannot be heard');
    createInterface({ input: stdout }).on('line', (line) => {
      this.#lines.push(line);
      this.#wake();
    });
  }

  /** Returns the number of lines that it has printed. */
  get said(): number {
    return this.#lines.length;
  }

  /** Resolves once it has printed more, or is over. */
  async saidMoreThan(lines: number): Promise<void> {
    while (!this.isOver && this.#lines.length <= lines)
      await new Promise<void>((done) => {
        this.#wake = done;
      });
  }

  async ready(): Promise<void> {
    for (let n = 0; !this.isOver && !this.#lines.includes('ready'); n = this.said)
      await this.saidMoreThan(n);
  }

  async kill(): Promise<void> {
    this.#process.kill('SIGKILL');
    await this.ended;
  }

  get signal(): NodeJS.Signals | null {
    return this.#process.signalCode;
  }
}

/** One person who makes apps, at one server after the other. */
class Story {
  readonly #prepared: Prepared;
  readonly #definition: string;
  readonly #store: string;
  #life: Life | null = null;
  #lives = 0;

  private constructor(prepared: Prepared, definition: string, store: string) {
    this.#prepared = prepared;
    this.#definition = definition;
    this.#store = store;
  }

  static async begin(place: Place): Promise<Story> {
    const prepared = await prepare(place);
    const { db, close } = await openAt(place);
    try {
      const { organization } = prepared;
      const [definition] = await db.read((tx) => tx.all('productDefinition', { name: HTML }));
      const [store] = await db.read((tx) => tx.all('store', { name: 'slipway_web' }));
      const productDefinition = definition?.id ?? '';
      await aRecord(db, 'organizationProductDefinition', { organization, productDefinition });
      await aRecord(db, 'organizationStore', { organization, store: store?.id ?? '' });
      return new Story(prepared, productDefinition, store?.id ?? '');
    } finally {
      await close();
    }
  }

  /** Runs the next steps for the app until it is published, or the server is killed at `moment`. */
  async goOn(app: App, moment: string | null): Promise<'published' | 'killed'> {
    const life = new Life(this.#prepared.env, moment, this.#lives * BETWEEN_LIVES_MS);
    this.#life = life;
    this.#lives += 1;
    await life.ready();
    while (!life.isOver) {
      const { said } = life;
      const did = await this.#next(app).catch(() => 'asked a server that is gone' as const);
      if (did === 'published' && moment === null) return 'published';
      if (did === 'waits' || did === 'published') await life.saidMoreThan(said);
      if (did === 'asked a server that is gone') await life.ended;
    }
    expect(life.signal, 'ended by').to.equal('SIGKILL');
    return 'killed';
  }

  /** Returns the bytes of what was published, as any member gets it. */
  async download({ product }: App): Promise<number> {
    const found = await this.#fetch('GET', `/api/products/${product}/files/published/html`);
    const file = await fetch(found.headers.get('Location') ?? '');
    return (await file.arrayBuffer()).byteLength;
  }

  async end(): Promise<void> {
    await this.#life?.kill();
  }

  /** Reads the state, and does one thing if there is one to do. */
  async #next({ project, product }: App): Promise<'did' | 'waits' | 'published'> {
    const { user, organization, group, type } = this.#prepared;
    const made = await this.#get(`/api/projects/${project}`);
    if (made === null) {
      const to = { organization: ['organizations', organization], group: ['groups', group] };
      const links = { ...to, owner: ['users', user], type: ['application-types', type] };
      await this.#add('projects', project, { name: 'Harvest', language: 'en' }, links);
      return 'did';
    }
    if (made.attributes?.['workflow-project-url'] === null) return 'waits';
    const app = await this.#get(`/api/products/${product}`);
    if (app === null) {
      await this.#fetch('PUT', `/api/projects/${project}/repository`, anApp(), 'application/zip');
      const links = { project: ['projects', project], store: ['stores', this.#store] };
      const definition = ['product-definitions', this.#definition];
      await this.#add('products', product, {}, { ...links, 'product-definition': definition });
      return 'did';
    }
    if (app.attributes?.['date-published'] !== null) return 'published';
    const state = app.attributes['workflow-state'];
    const [task] = (await this.#many('/api/user-tasks')).filter(
      ({ attributes }) => attributes?.status === state,
    );
    if (task === undefined) return 'waits';
    const command = state === 'Verify and Publish' ? 'Approve' : 'Continue';
    const links = { 'user-task': ['user-tasks', task.id] };
    await this.#add('task-commands', newId(), { command, state }, links);
    return 'did';
  }

  async #add(
    type: string,
    id: string,
    attributes: Readonly<Record<string, unknown>>,
    links: Readonly<Record<string, readonly string[]>>,
  ): Promise<void> {
    const relationships = Object.fromEntries(
      Object.entries(links).map(([name, [to, at]]) => [name, { data: { type: to, id: at } }]),
    );
    const data = { type, id, attributes, relationships };
    const body = Buffer.from(JSON.stringify({ data }));
    const answer = await this.#fetch('POST', `/api/${type}`, body, 'application/vnd.api+json');
    expect(answer.status, await answer.text()).to.equal(201);
  }

  async #get(path: string): Promise<ResourceObject | null> {
    const answer = await this.#fetch('GET', path);
    if (answer.status === 404) return null;
    return ((await answer.json()) as DataDocument).data as ResourceObject;
  }

  async #many(path: string): Promise<readonly ResourceObject[]> {
    const answer = await this.#fetch('GET', path);
    return ((await answer.json()) as DataDocument).data as readonly ResourceObject[];
  }

  #fetch(method: string, path: string, body?: Buffer, type?: string): Promise<Response> {
    const { env, token } = this.#prepared;
    return fetch(`${env.PUBLIC_URL ?? ''}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        Authorization: `Bearer ${token}`,
        ...(type === undefined ? {} : { 'Content-Type': type }),
      },
      ...(body === undefined ? {} : { body: new Uint8Array(body) }),
    });
  }
}

/** Returns what there is of the app once nobody works on it. */
async function left(place: Place, { project, product }: App) {
  const { db, close } = await openAt(place);
  try {
    return await db.read(async (tx) => {
      const builds = await tx.all('productBuild', { product });
      const publications = await tx.all('productPublication', { product });
      const rows = await tx.all('productTransition', { product });
      const notifications = (await tx.all('notification', {})).filter(
        ({ linkUrl }) => linkUrl?.includes(product) === true || linkUrl?.includes(project) === true,
      );
      const [engine] = await tx.query(
        sql<Readonly<Record<string, number>>>`select count(distinct job.id)::int as jobs,
            count(distinct build.id)::int as builds, count(distinct release.id)::int as releases
          from engine_jobs job left join engine_builds build on build.job_id = job.id
          left join engine_releases release on release.build_id = build.id
          where job.request_id = ${product}`,
      );
      // Mail waits for its minute.
      const jobs = await tx.query(
        sql<{ readonly name: string }>`select name from queued_jobs
          where data <> 'null'::jsonb and name <> 'mail-notifications'`,
      );
      return {
        builds: builds.map(({ success }) => ({ success })),
        publications: publications.map(({ success }) => ({ success })),
        engine,
        told: notifications.map(({ messageId }) => messageId).sort(),
        history: rows
          .filter(({ dateTransition }) => dateTransition !== null)
          .toSorted((a, b) => ((a.dateTransition ?? '') < (b.dateTransition ?? '') ? -1 : 1))
          .map(({ initialState }) => initialState),
        jobs,
      };
    });
  } finally {
    await close();
  }
}
