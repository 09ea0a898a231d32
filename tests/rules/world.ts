import type { RoleName } from '#schema/role.ts';
import { ROLE_NAMES } from '#schema/role.ts';
import { viewerOf } from '#rules/viewer.ts';
import type { Viewer } from '#rules/viewer.ts';
import { typeNames } from '#schema/index.ts';
import type { Of, TypeName } from '#schema/index.ts';
import { Records } from '../support/records.ts';
import { sampleOf } from '../support/sample.ts';

/** The people of Lakeside Press (domain 2.1), and two of Harbor Media and of nowhere. */
export type Person =
  'SA' | 'OA' | 'AB' | 'PO' | 'GM' | 'AU' | 'OM' | 'subject' | 'harbor' | 'nobody';

/**
 * Two organizations. Lakeside has a project with everything below it; `subject` is a plain member
 * to whom the records that are someone's own belong; everyone but SA, harbor and nobody is a member.
 */
export function aWorld() {
  const db = new Records();
  const roles = Object.fromEntries(
    ROLE_NAMES.map((roleName) => [roleName, db.add('role', { roleName })]),
  ) as Record<RoleName, ReturnType<typeof db.add<'role'>>>;
  const person = (name: string) =>
    db.add('user', { name, email: `${name}@slipway.test`, phone: '1', profileVisibility: 0 });
  const people = {
    SA: person('SA'),
    OA: person('OA'),
    AB: person('AB'),
    PO: person('PO'),
    GM: person('GM'),
    AU: person('AU'),
    OM: person('OM'),
    subject: person('subject'),
    harbor: person('harbor'),
    nobody: person('nobody'),
  };

  const lakeside = db.add('organization', { name: 'Lakeside Press', owner: people.OA.id });
  const harbor = db.add('organization', { name: 'Harbor Media', owner: people.harbor.id });
  const north = db.add('group', { name: 'Lakeside North', owner: lakeside.id });
  const south = db.add('group', { name: 'Lakeside South', owner: lakeside.id });
  const harborGroup = db.add('group', { name: 'Harbor', owner: harbor.id });

  const join = (user: { id: string }, organization: { id: string }) =>
    db.add('organizationMembership', { user: user.id, organization: organization.id });
  const give = (user: { id: string }, roleName: RoleName, organization: { id: string } | null) =>
    db.add('userRole', {
      user: user.id,
      role: roles[roleName].id,
      roleName,
      organization: organization?.id ?? null,
    });
  const enter = (user: { id: string }, group: { id: string }) =>
    db.add('groupMembership', { user: user.id, group: group.id });

  const { SA, OA, AB, PO, GM, AU, OM, subject } = people;
  const memberships = [OA, AB, PO, GM, AU, OM, subject].map((user) => join(user, lakeside));
  join(people.harbor, harbor);
  for (const name of ['OrganizationAdmin', 'AppBuilder', 'Author'] as const) {
    give(people.harbor, name, harbor);
  }
  enter(people.harbor, harborGroup);
  give(SA, 'SuperAdmin', null);
  give(OA, 'OrganizationAdmin', lakeside);
  give(AB, 'AppBuilder', lakeside);
  give(AU, 'Author', lakeside);
  enter(GM, north);
  // The builder and the admin are in a group of their own, so that GM alone is in the project's.
  enter(AB, south);
  enter(OA, south);

  const of = { organization: lakeside.id };
  const type = db.add('applicationType');
  const storeType = db.add('storeType');
  const store = db.add('store', { storeType: storeType.id });
  const workflow = db.add('workflowDefinition', { storeType: storeType.id, type: 1 });
  const definition = db.add('productDefinition', { type: type.id, workflow: workflow.id });
  const project = db.add('project', {
    ...of,
    type: type.id,
    group: north.id,
    owner: PO.id,
    isPublic: false,
    workflowProjectUrl: 'https://engine.test/1',
    location: 'https://engine.test/1',
  });
  const product = db.add('product', {
    project: project.id,
    productDefinition: definition.id,
    store: store.id,
    workflowState: 'Approval',
  });
  const build = db.add('productBuild', { product: product.id, logTail: 'tail' });
  const task = db.add('userTask', { user: subject.id, product: product.id });

  const viewers = Object.fromEntries(
    Object.entries(people).map(([name, user]) => [name, viewerOf(user.id, db)]),
  ) as Record<Person, Viewer>;

  const known: Partial<{ [T in TypeName]: Of<T> }> = {
    user: subject,
    role: roles.Author,
    userRole: give(subject, 'AppBuilder', lakeside),
    organization: lakeside,
    organizationMembership: memberships[6] ?? join(subject, lakeside),
    group: north,
    groupMembership: enter(subject, south),
    applicationType: type,
    storeType,
    store,
    workflowDefinition: workflow,
    productDefinition: definition,
    project,
    projectImport: db.add('projectImport', {
      ...of,
      group: south.id,
      type: type.id,
      owner: subject.id,
    }),
    author: db.add('author', { project: project.id, user: AU.id }),
    product,
    productBuild: build,
    productComment: db.add('productComment', { text: 'A', user: GM.id, product: product.id }),
    userTask: task,
    savedView: db.add('savedView', {
      ...of,
      name: 'Failed builds',
      list: 'all',
      owner: subject.id,
      isShared: true,
    }),
  };
  /** One record of every type, as seen from Lakeside; those that are someone's own are `subject`'s. */
  const sample = { ...known } as { [T in TypeName]: Of<T> };
  for (const name of typeNames) {
    if (name in known) continue;
    const fields = sampleOf(name, (to) => sample[to].id);
    sample[name] = db.add(name, fields) as never;
  }

  return {
    db,
    people,
    viewers,
    sample,
    roles,
    lakeside,
    harbor,
    groups: { north, south, harbor: harborGroup },
    join,
    give,
    enter,
    /** Opens the project to outsiders. */
    publish: () => {
      const open = { ...project, isPublic: true };
      db.put('project', open);
      return open;
    },
  };
}

export type World = ReturnType<typeof aWorld>;
