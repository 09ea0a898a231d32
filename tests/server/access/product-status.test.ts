import { expect } from 'chai';
import { sql } from 'kysely';
import {
  buildStatuses,
  buildStatusOf,
  ENGINE_STATES,
  PRODUCT_STATUS_WORDS,
  productStatusOf,
} from '#rules/product-status.ts';
import type { ProductStatusWord } from '#rules/product-status.ts';
import { inScope } from '#rules/scope.ts';
import { viewerOf } from '#rules/viewer.ts';
import type { Viewer } from '#rules/viewer.ts';
import type { Of } from '#schema/index.ts';
import { productStatusSql } from '#server/access/query/special-sql.ts';
import type { Database, DatabaseTransaction } from '#server/db/database.ts';
import { NO_FLAGS } from '#server/domain/workflow/guards.ts';
import type { WorkflowFacts } from '#server/domain/workflow/guards.ts';
import { machines } from '#server/domain/workflow/machines/machines.ts';
import type { Machine } from '#server/domain/workflow/machine.ts';
import { isFinal, isPersons, START } from '#server/domain/workflow/steps.ts';
import type { State } from '#server/domain/workflow/steps.ts';
import { tasksOf, waitOf } from '#server/domain/workflow/tasks.ts';
import { testDatabase } from '../../support/database.ts';
import { aGroup, aMember, aRecord, aRole, aUser, newId } from '../../support/make.ts';
import { recordOf, Records } from '../../support/records.ts';
import { migrated } from '../publishing/migrated.ts';

// Covers rules/product-status.ts and server/access/query/special-sql.ts.

/** Returns the states in which a workflow of `machine` can stand. */
function statesOf({ steps }: Machine): State[] {
  const states = steps.flatMap(({ from, to }) => [from, to]);
  return [...new Set(states)].filter((state) => state !== START && !isFinal(state));
}

const PEOPLE = ['owner', 'author', 'admin', 'fellow', 'outsider', 'super'] as const;
type Person = (typeof PEOPLE)[number];
const KINDS = [0, 1, 2, 3, 4, 5, 6, 7].map((bits) => ({
  hasAuthors: (bits & 1) > 0,
  hasAdmins: (bits & 2) > 0,
  isArchived: (bits & 4) > 0,
}));
type Kind = (typeof KINDS)[number];

describe('the status of a product [domain 5.4]', function () {
  this.timeout(300_000);
  let db: Database;
  let people: Readonly<Record<Person, string>>;
  const viewers = {} as Record<Person, Viewer>;
  const records = new Records();
  /** The products, the kinds of their projects, and what was written. */
  const made = new Map<string, { readonly kind: Kind; readonly state: State | null }>();

  before(async () => {
    ({ db } = await testDatabase());
    people = Object.fromEntries(
      await Promise.all(PEOPLE.map(async (name) => [name, (await aUser(db)).id] as const)),
    ) as Record<Person, string>;
    await aRole(db, people.super, 'SuperAdmin', null);
    const [group, other] = [await someOrganization(false), await someOrganization(true)];
    await aMember(db, (await aRecord(db, 'organization')).id, { user: people.outsider });

    const places = await Promise.all(
      KINDS.map(async (kind) => {
        const of = kind.hasAdmins ? other : group;
        const dateArchived = kind.isArchived ? '2026-01-01T00:00:00.000Z' : null;
        const fields = { group: of.id, organization: of.owner, owner: people.owner, dateArchived };
        const project = await aRecord(db, 'project', { ...fields, isPublic: true });
        if (kind.hasAuthors)
          await aRecord(db, 'author', { project: project.id, user: people.author });
        return { kind, project: project.id };
      }),
    );
    const workflow = await aRecord(db, 'workflowDefinition');
    const type = (await aRecord(db, 'applicationType')).id;
    await db.write({ at: Date.now(), by: null, changes: [] }, async (write) => {
      for (const machine of machines.values())
        for (const state of [...statesOf(machine), null]) {
          const productDefinition = newId();
          const definition = {
            name: `${machine.name} ${state ?? ''}`,
            type,
            workflow: workflow.id,
          };
          await write.insert('productDefinition', { id: productDefinition, ...definition });
          for (const { kind, project } of places) {
            const id = newId();
            const facts = factsOf(kind);
            const at = state === null ? null : { state, flags: NO_FLAGS };
            await write.insert('product', {
              id,
              project,
              productDefinition,
              workflowState: state,
              ...(at === null ? {} : waitOf(machine, at, facts)),
              ...someFields(made.size, state),
            });
            if (state !== null)
              await write.query(sql`insert into running_workflows (product_id, scheme, flags)
                values (${id}, ${machine.name}, '{}')`);
            for (const task of at === null ? [] : tasksOf(machine, at, facts, null))
              await write.insert('userTask', { id: newId(), product: id, ...task });
            made.set(id, { kind, state });
          }
        }
    });
    await db.read(async (tx) => {
      for (const type of READ)
        for (const record of await tx.all(type, {})) records.put(type, record);
    });
    for (const name of PEOPLE) viewers[name] = viewerOf(people[name], records);
  });

  const READ = [
    'userRole',
    'organizationMembership',
    'groupMembership',
    'group',
    'project',
    'author',
    'product',
    'userTask',
  ] as const;

  async function someOrganization(hasAdmin: boolean): Promise<Of<'group'>> {
    const { id: organization } = await aRecord(db, 'organization', { owner: people.fellow });
    const group = await aGroup(db, { owner: organization });
    const join = (user: string, ...roles: readonly ('Author' | 'OrganizationAdmin')[]) =>
      aMember(db, organization, { user, roles, groups: [group.id] });
    await join(people.owner);
    await join(people.author, 'Author');
    await join(people.admin, ...(hasAdmin ? (['OrganizationAdmin'] as const) : []));
    await join(people.fellow);
    return group;
  }

  const factsOf = ({ hasAuthors, hasAdmins, isArchived }: Kind): WorkflowFacts => ({
    actors: {
      Owner: [people.owner],
      OrgAdmin: hasAdmins ? [people.admin] : [],
      Author: hasAuthors ? [people.author] : [],
    },
    hasReviewers: false,
    hasJob: true,
    newestBuild: null,
    awaited: null,
    isArchived,
    parameters: {},
  });

  const productOf = (id: string): Of<'product'> => {
    const product = records.one('product', id);
    if (product === null) throw new Error('There is no product');
    return product;
  };

  for (const name of PEOPLE)
    it(`is the same by the rule and by SQL in every state of every machine, for the ${name}`, async () => {
      const viewer = viewers[name];
      const ids = [...made.keys()];
      const seen = new Set<string>();
      const statuses = ids.map(
        (id) => [id, productStatusOf(viewer, productOf(id), records).is] as const,
      );
      for (const some of [...PRODUCT_STATUS_WORDS.map((word) => [word]), ...SEVERAL]) {
        const words = new Set(some);
        const byRule = statuses.flatMap(([id, is]) => (words.has(is) ? [id] : []));
        const rows = await db.read((tx) =>
          tx.query(sql<{ readonly id: string }>`select id from products p
            where id = any(${ids}::uuid[]) and ${productStatusSql(words, 'p', viewer)}`),
        );
        expect(rows.map(({ id }) => id).sort(), some.join()).to.deep.equal(byRule.toSorted());
        const [word = ''] = some;
        if (some.length === 1 && byRule.length > 0) seen.add(word);
      }
      expect([...seen]).to.have.members(KNOWN[name]);
    });

  it('is waiting-for-you for those alone who can go on, and not for an owner who can take back', () => {
    const mine = (name: Person) =>
      [...made].flatMap(([id, { kind, state }]) =>
        productStatusOf(viewers[name], productOf(id), records).is === 'waiting-for-you'
          ? [{ state, ...kind }]
          : [],
      );
    const handed = ['Author Configuration', 'Author Download', 'Author Upload'];
    expect(mine('author').map(({ state }) => state)).to.have.members(
      [...made.values()].flatMap(({ kind, state }) =>
        kind.hasAuthors && !kind.isArchived && handed.includes(state ?? '') ? [state] : [],
      ),
    );
    expect(mine('owner').some(({ state }) => handed.includes(state ?? ''))).to.equal(false);
    expect(mine('admin').every(({ hasAdmins }) => hasAdmins)).to.equal(true);
    for (const name of ['fellow', 'outsider', 'super'] as const)
      expect(mine(name)).to.deep.equal([]);
  });

  it('is filled in for older products by their state as the code writes it', async () => {
    const read = (tx: DatabaseTransaction) =>
      tx.query(sql`select id, waiting_for, assigned_id from products
        where id = any(${[...made.keys()]}::uuid[]) order by id`);
    expect(await migrated(db, read)).to.deep.equal(await db.read(read));
  });

  it('names who is waited for, what failed and which version is out', () => {
    const of = (fields: Partial<Of<'product'>>) => {
      const [first = ''] = made.keys();
      const product = { ...productOf(first), workflowState: null, ...NOTHING, ...fields };
      return productStatusOf(viewers.fellow, product, records);
    };
    expect(of({ waitingFor: 'owner', assigned: people.owner })).to.deep.equal({
      is: 'waiting',
      role: 'owner',
      person: people.owner,
    });
    const failure = { failure: 'rejected', failureReason: 'Too early' } as const;
    expect(of({ ...failure, waitingFor: 'owner' })).to.deep.equal({
      is: 'failed',
      what: 'rejected',
      reason: 'Too early',
    });
    expect(
      of({ datePublished: '2026-01-01T00:00:00.000Z', versionPublished: '1.4' }),
    ).to.deep.equal({ is: 'published', version: '1.4' });
    expect(of({})).to.deep.equal({ is: 'not-started' });
  });

  it('of a build is one of three, for whoever sees it', () => {
    const words = [null, false, true].map((success) => {
      const build = recordOf('productBuild', { success });
      return Object.entries(buildStatuses).flatMap(([word, scope]) =>
        inScope(scope, viewers.outsider, 'productBuild', build, records) ? [word] : [],
      );
    });
    expect(words).to.deep.equal([['building'], ['failed'], ['built']]);
    expect([null, false, true].map((success) => [buildStatusOf({ success })])).to.deep.equal(words);
  });

  it('is building in the states that lead on by themselves, and in no other', () => {
    const waiting = [...machines.values()].flatMap((machine) =>
      statesOf(machine).filter((state) =>
        machine.steps.every((step) => step.from !== state || !isPersons(step)),
      ),
    );
    expect([...new Set(waiting)]).to.have.members([...ENGINE_STATES]);
  });
});

const SEVERAL: readonly (readonly ProductStatusWord[])[] = [
  ['failed', 'waiting-for-you'],
  ['building', 'waiting', 'not-started'],
  PRODUCT_STATUS_WORDS,
];

const NOTHING = {
  failure: null,
  failureReason: null,
  waitingFor: null,
  assigned: null,
  datePublished: null,
  versionPublished: null,
} as const;

/** Every third product was published before; where a step can have failed, two of five did. */
function someFields(n: number, state: State | null): Partial<Of<'product'>> {
  const mayFail = state === null || state === 'Synchronize Data';
  return {
    datePublished: n % 3 === 0 ? '2026-01-01T00:00:00.000Z' : null,
    ...(mayFail && n % 5 < 2 ? { failure: 'build', failureReason: 'It is broken' } : {}),
  };
}

const OUTSIDE = ['published', 'not-started'] as const;
const INSIDE = ['building', 'failed', 'waiting', ...OUTSIDE] as const;
const KNOWN: Readonly<Record<Person, readonly string[]>> = {
  owner: [...INSIDE, 'waiting-for-you'],
  author: [...INSIDE, 'waiting-for-you'],
  admin: [...INSIDE, 'waiting-for-you'],
  fellow: INSIDE,
  outsider: OUTSIDE,
  super: INSIDE,
};
