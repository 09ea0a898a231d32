import { expect } from 'chai';
import { sql } from 'kysely';
import type { Of, TypeName } from '#schema/index.ts';
import type { FieldChanges } from '#server/db/database.ts';
import { sendEvent } from '#server/domain/workflow/running/run-workflow.ts';
import {
  engineJobOf,
  saveEngineJob,
  runningOf,
} from '#server/domain/workflow/running/running-workflow.ts';
import type { WorkflowEvent } from '#server/domain/workflow/step.ts';
import { makeWorld, START_WITHIN_MS } from '../../http/api/world.ts';
import type { Name, World } from '../../http/api/world.ts';

/**
 * One product of Harvest with a running workflow; its people send requests as their browsers would.
 */
class Work {
  readonly world: World;
  readonly product: string;

  constructor(world: World, product: string) {
    this.world = world;
    this.product = product;
  }

  get(): Promise<Of<'product'>> {
    return this.one('product', this.product);
  }

  async one<T extends TypeName>(type: T, id: string): Promise<Of<T>> {
    const found = await this.world.server.parts.db.read((tx) => tx.one(type, id));
    if (found === null) throw new Error(`There is no ${type} ${id}`);
    return found;
  }

  all<T extends TypeName>(type: T): Promise<readonly Of<T>[]> {
    const where = { product: this.product } as unknown as Partial<Of<T>>;
    return this.world.server.parts.db.read((tx) => tx.all(type, where));
  }

  /** Returns the people who have a task, and what they may do. */
  async tasks(): Promise<Readonly<Record<string, readonly string[]>>> {
    const { people } = this.world;
    const tasks = await this.all('userTask');
    const named = Object.entries(people).flatMap(([name, { id }]) => {
      const task = tasks.find(({ user }) => user === id);
      return task === undefined ? [] : [[name, task.commands] as const];
    });
    return Object.fromEntries(named);
  }

  async command(who: Name, command: string, comment: string | null = null) {
    const person = this.world.people[who];
    const tasks = await this.all('userTask');
    const task = tasks.find(({ user }) => user === person.id);
    const state = (await this.get()).workflowState ?? '';
    return person.ask('POST', '/api/task-commands', {
      data: {
        type: 'task-commands',
        attributes: { command, comment, state },
        relationships: {
          'user-task': { data: { type: 'user-tasks', id: task?.id ?? this.world.id() } },
        },
      },
    });
  }

  /** Sends the answer of the engine. */
  async hear(event: (awaited: string) => WorkflowEvent): Promise<void> {
    const { parts: services } = this.world.server;
    await this.world.write(async (write) => {
      const running = await runningOf(write, this.product);
      if (running === null) throw new Error('Nothing runs');
      await sendEvent({ services, write }, running, event(running.awaited ?? ''));
    });
  }

  /** The engine makes the job that the product waits for. */
  async createJob(): Promise<void> {
    const { parts: services } = this.world.server;
    await this.world.write(async (write) => {
      await saveEngineJob(write, this.product, 7);
      const running = await runningOf(write, this.product);
      if (running !== null) await sendEvent({ services, write }, running, { is: 'job created' });
    });
  }

  async history(): Promise<readonly (readonly unknown[])[]> {
    const url = `/api/products/${this.product}/transitions`;
    const rows = (await this.world.people.member.get(url)).many;
    return rows.map(({ attributes = {} }) => [
      attributes['transition-type'],
      attributes['initial-state'],
      attributes.command,
      attributes['date-transition'] === null ? 'to come' : 'done',
    ]);
  }
}

const succeeded = (about: string): WorkflowEvent => ({ is: 'build succeeded', about });

describe('a product at work', () => {
  let world: World;

  before(async function () {
    this.timeout(START_WITHIN_MS);
    world = await makeWorld();
    const { project, reviewer } = world.ids;
    const workflowProjectUrl = 'bundled:projects/1';
    await world.write(async (w) => {
      await w.change('project', project, { workflowProjectUrl });
      await w.remove('reviewer', reviewer);
    });
  });

  /** A product of Harvest that the builder has just added, made by `scheme`. */
  async function added(scheme: string, rebuild: string | null = null): Promise<Work> {
    const of = world;
    const { lakeside, bookapp, storeType, store, project } = of.ids;
    const definition = of.id();
    await of.write(async (w) => {
      const workflow = async (
        type: 1 | 2,
        name: string,
        fields: FieldChanges<'workflowDefinition'>,
      ) => {
        const id = of.id();
        await w.insert('workflowDefinition', {
          id,
          name,
          type,
          workflowScheme: `AppBuilders_${name}`,
          workflowBusinessFlow: 'AppBuilders_Web_Flow',
          ...fields,
        });
        return id;
      };
      await w.insert('productDefinition', {
        id: definition,
        name: scheme,
        type: bookapp,
        workflow: await workflow(1, scheme, { storeType }),
        rebuildWorkflow: rebuild === null ? null : await workflow(2, rebuild, {}),
      });
      const link = { organization: lakeside, productDefinition: definition };
      await w.insert('organizationProductDefinition', { id: of.id(), ...link });
    });
    const reply = await of.people.builder.ask('POST', '/api/products', {
      data: {
        type: 'products',
        relationships: {
          project: { data: { type: 'projects', id: project } },
          'product-definition': { data: { type: 'product-definitions', id: definition } },
          store: { data: { type: 'stores', id: store } },
        },
      },
    });
    expect([reply.status, reply.refusal]).to.deep.equal([201, null]);
    return new Work(of, reply.one.id);
  }

  it('[W50] begins when it is added, with its way to come, and waits for the engine’s job [R363]', async () => {
    const work = await added('Default_Html_Cloud');
    const product = await work.get();
    expect(product.workflowState).to.equal('Product Creation');
    expect(product.productWorkflow).to.not.equal(null);
    expect(await work.tasks()).to.deep.equal({});
    expect(await work.history()).to.deep.equal([
      [2, null, null, 'done'],
      [1, 'Product Creation', null, 'to come'],
      [1, 'App Builder Configuration', 'Continue', 'to come'],
      [1, 'Product Build', null, 'to come'],
      [1, 'Verify and Publish', 'Approve', 'to come'],
      [1, 'Product Publish', null, 'to come'],
    ]);
    const project = await work.one('project', world.ids.project);
    expect(project.dateActive).to.equal(product.dateUpdated);
    expect(project.version).to.equal(product.version);
    expect(project.dateUpdated).to.not.equal(product.dateUpdated);
  });

  it('goes from task to task until it is published', async () => {
    const work = await added('Default_Html_Cloud');
    await work.createJob();
    expect(await work.tasks()).to.deep.equal({ builder: ['Continue', 'Transfer to Authors'] });

    const went = await work.command('builder', 'Continue');
    expect([went.status, went.one.attributes?.['state-after']]).to.deep.equal([
      201,
      'Product Build',
    ]);
    const [build] = await work.all('productBuild');
    expect([build?.success, build?.buildVersion]).to.deep.equal([null, null]);
    expect(await work.tasks()).to.deep.equal({});

    await work.hear(succeeded);
    expect(await work.tasks()).to.deep.equal({ builder: ['Approve', 'Reject'] });
    await work.command('builder', 'Approve', 'Fine');
    const [publication] = await work.all('productPublication');
    expect([publication?.success, publication?.channel]).to.deep.equal([null, 'production']);

    await work.hear((about) => ({ is: 'release succeeded', about }));
    const product = await work.get();
    expect([product.workflowState, product.productWorkflow]).to.deep.equal([null, null]);
    expect(await work.tasks()).to.deep.equal({});
    expect((await work.history()).map(([type, state]) => [type, state])).to.deep.equal([
      [2, null],
      [1, 'Product Creation'],
      [1, 'App Builder Configuration'],
      [1, 'Product Build'],
      [1, 'Verify and Publish'],
      [1, 'Product Publish'],
      [3, null],
    ]);
  });

  it('[W64] records the answer to what is no longer waited for, and does not move', async () => {
    const work = await added('Default_Html_Cloud');
    await work.createJob();
    await work.command('builder', 'Continue');
    await work.hear(() => succeeded(world.id()));
    expect((await work.get()).workflowState).to.equal('Product Build');
  });

  it('[11.7] refuses a command that is late, not offered, or lacks its comment', async () => {
    const work = await added('Default_Html_Cloud');
    await work.createJob();
    await work.command('builder', 'Continue');
    await work.hear(succeeded);

    const unsaid = await work.command('builder', 'Reject');
    expect(unsaid.refusal).to.equal('invalid/required');
    const unknown = await work.command('builder', 'Hold', 'Why not');
    expect([unknown.status, unknown.refusal]).to.deep.equal([409, 'action-not-allowed']);
    expect(unknown.body.errors?.[0]?.meta?.allowed).to.deep.equal(['Approve', 'Reject']);
    expect((await work.get()).workflowState).to.equal('Verify and Publish');

    const [task] = await work.all('userTask');
    await work.command('builder', 'Reject', 'The cover is wrong');
    const late = await world.people.builder.ask('POST', '/api/task-commands', {
      data: {
        type: 'task-commands',
        attributes: { command: 'Approve', state: 'Verify and Publish' },
        relationships: { 'user-task': { data: { type: 'user-tasks', id: task?.id ?? '' } } },
      },
    });
    expect([late.status, late.refusal]).to.deep.equal([409, 'workflow-state-changed']);
    expect((await work.all('userTask')).map(({ comment }) => comment)).to.deep.equal([
      'The cover is wrong',
    ]);
  });

  it('[U7] gives tasks to those who become able, and takes them from those who no longer are', async () => {
    const work = await added('Default_Html_Cloud');
    await work.createJob();
    await work.command('builder', 'Transfer to Authors');
    expect(await work.tasks()).to.deep.equal({ builder: ['Take Back'], author: ['Continue'] });
    const author = await work.one('author', world.ids.authorRow);
    expect(author.canUpload).to.equal(true);

    const { admin, builder } = world.people;
    const kept = (await work.all('userTask')).find(({ user }) => user === builder.id)?.id;
    const gone = await builder.ask('DELETE', `/api/authors/${author.id}`);
    expect(gone.status).to.equal(204);
    expect(await work.tasks()).to.deep.equal({ builder: ['Take Back'] });
    expect((await work.all('userTask')).map(({ id }) => id)).to.deep.equal([kept]);

    const passed = await admin.ask('PATCH', `/api/projects/${world.ids.project}`, {
      data: {
        type: 'projects',
        id: world.ids.project,
        relationships: { owner: { data: { type: 'users', id: admin.id } } },
      },
    });
    expect(passed.status).to.equal(200);
    expect(await work.tasks()).to.deep.equal({ admin: ['Take Back'] });
    await world.write(async (w) => {
      await w.change('project', world.ids.project, { owner: builder.id });
      const { project, authorRow } = world.ids;
      await w.insert('author', { id: authorRow, project, user: world.people.author.id });
    });
  });

  it('[U8] has no tasks while its project is put away, and those of its state again afterwards', async () => {
    const work = await added('Default_Html_Cloud');
    await work.createJob();
    const put = (dateArchived: string | null) =>
      world.people.builder.ask('PATCH', `/api/projects/${world.ids.project}`, {
        data: {
          type: 'projects',
          id: world.ids.project,
          attributes: { 'date-archived': dateArchived },
        },
      });
    expect((await put('2026-01-01T00:00:00.000Z')).status).to.equal(200);
    expect(await work.tasks()).to.deep.equal({});
    expect((await work.history()).filter(([, , , when]) => when === 'to come')).to.deep.equal([]);
    expect((await work.one('project', world.ids.project)).dateActive).to.equal(null);

    await put(null);
    expect(await work.tasks()).to.have.all.keys('builder');
    expect((await work.history()).filter(([, , , when]) => when === 'to come')).to.have.length(4);
    expect((await work.one('project', world.ids.project)).dateActive).to.not.equal(null);
  });

  it('[7] is rebuilt once however often that is asked, and the rebuild can be cancelled [R11, R207, R247]', async () => {
    const work = await added('Default_Html_Cloud', 'Default_Html_Cloud_Rebuild');
    await work.createJob();
    await work.command('builder', 'Continue');
    const url = `/api/products/${work.product}/actions`;
    const { builder } = world.people;
    const early = await builder.ask('POST', `${url}/cancel`);
    expect(early.body.errors?.[0]?.meta?.reason).to.equal('startup-cannot-be-cancelled');
    await work.hear(succeeded);
    await work.command('builder', 'Approve');
    await world.write((w) =>
      w.change('product', work.product, { datePublished: '2026-01-01T00:00:00.000Z' }),
    );
    await work.hear((about) => ({ is: 'release succeeded', about }));

    const asked = await Promise.all([1, 2].map(() => builder.ask('POST', `${url}/rebuild`)));
    expect(asked.map(({ status }) => status).sort()).to.deep.equal([200, 409]);
    expect((await work.get()).workflowState).to.equal('Product Rebuild');
    expect(await work.all('productBuild')).to.have.length(2);

    const ended = await builder.ask('POST', `${url}/cancel`);
    const { actions, types } = ended.one.attributes ?? {};
    expect([ended.status, actions, types]).to.deep.equal([200, ['rebuild'], ['rebuild']]);
    expect((await work.history()).at(-1)?.[0]).to.equal(4);
  });

  it('is told in the audit log of who moved its workflow, from where to where', async () => {
    const work = await added('Default_Html_Cloud');
    await work.createJob();
    const from = (await work.get()).workflowState;
    const { people, server } = world;
    const url = `/api/products/${work.product}/workflow/state`;
    const body = { state: 'Verify and Publish', comment: 'It hangs', from };
    const json = { 'Content-Type': 'application/json' };
    expect((await people.super.ask('POST', url, body, json)).status).to.equal(200);

    const told = await server.parts.db.read((tx) =>
      tx.query(sql`select kind, actor_id as actor, subject_name as name, before, after
        from audit_events where subject_id = ${work.product}`),
    );
    expect(told).to.deep.equal([
      {
        ...{ kind: 'workflow-moved', actor: people.super.id, name: 'Harvest' },
        ...{ before: { state: from }, after: { state: 'Verify and Publish' } },
      },
    ]);
  });

  it('is removed with all that its workflow wrote [R363]', async () => {
    const work = await added('Default_Html_Cloud');
    await work.createJob();
    const { builder } = world.people;
    expect((await builder.ask('DELETE', `/api/products/${work.product}`)).status).to.equal(204);
    const { db } = world.server.parts;
    expect(await db.read((tx) => runningOf(tx, work.product))).to.equal(null);
    expect(await db.read((tx) => engineJobOf(tx, work.product))).to.equal(null);
    expect(await work.all('userTask')).to.deep.equal([]);
  });
});
