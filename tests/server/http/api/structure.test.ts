import { expect } from 'chai';
import type { ErrorDocument, ResourceObject } from '#protocol/document.ts';
import { makeWorld, START_WITHIN_MS } from './world.ts';
import type { Person, Reply, World } from './world.ts';

/** What records consist of, and what they lead to, by the answers of the server. */

const namesOf = (record: ResourceObject): string[] => Object.keys(record.attributes ?? {});

/** The ids to which a relationship of `record` leads. */
function linked(record: ResourceObject, name: string): string[] {
  const data = record.relationships?.[name]?.data;
  if (data === undefined) throw new Error(`${record.type} has no linkage of ${name}`);
  return [data ?? []].flat().map(({ id }) => id);
}

/** Type and id of everything that came along with an answer. */
const along = ({ body }: Reply): string[] =>
  (body.included ?? []).map(({ type, id }) => `${type}/${id}`);

describe('[wire 16.2] the structure of records', () => {
  let world: World;
  before(async function () {
    this.timeout(START_WITHIN_MS);
    world = await makeWorld();
  });

  /** One record with the records that `names` lead to, each of which came along. */
  async function readRelated(who: Person, path: string, names: readonly string[]) {
    const reply = await who.get(`${path}?include=${names.join(',')}`);
    expect(reply.status, reply.text).to.equal(200);
    const came = along(reply).map((key) => key.split('/')[1]);
    for (const name of names) expect(came, name).to.include.members(linked(reply.one, name));
    return reply.one;
  }

  it('a user has names, ways to be reached and settings, and leads to roles, groups and organizations [R184]', async () => {
    const { admin, builder } = world.people;
    const path = `/api/users/${builder.id}`;
    const attributes = {
      name: 'Berta Builder',
      'given-name': 'Berta',
      'family-name': 'Baumann',
      email: 'berta@lakeside.test',
      phone: '+51 1 234',
      timezone: 'America/Lima',
      locale: 'es-419',
      'profile-visibility': 0,
      'email-notification': false,
      'decimal-separator': ',',
    };
    const data = { type: 'users', id: builder.id, attributes };
    expect((await builder.ask('PATCH', path, { data })).status).to.equal(200);
    const names = ['user-roles', 'group-memberships', 'organization-memberships'];
    const user = await readRelated(builder, path, names);
    expect(user.attributes).to.include({
      ...attributes,
      'is-locked': false,
      'workflow-user-id': builder.id,
    });
    expect(user.attributes?.['auth-id']).to.be.a('string').that.is.not.equal('');
    for (const name of names) expect(linked(user, name), name).to.have.length(1);

    const back = { ...data, attributes: { 'profile-visibility': 1, name: 'builder person' } };
    const shown = await builder.ask('PATCH', path, { data: back });
    expect(shown.one.attributes?.['profile-visibility']).to.equal(1);
    const lock = { type: 'users', id: builder.id, attributes: { 'is-locked': true } };
    expect((await admin.ask('PATCH', path, { data: lock })).one.attributes?.['is-locked']).to.equal(
      true,
    );
    const unlock = { ...lock, attributes: { 'is-locked': false } };
    expect((await admin.ask('PATCH', path, { data: unlock })).status).to.equal(200);
  });

  it('an organization leads to owner, users, projects, imports, memberships, groups, definitions, stores and roles [R188]', async () => {
    const { admin, builder, author, member } = world.people;
    const { lakeside, north, south, project, definition, store } = world.ids;
    const path = `/api/organizations/${lakeside}`;
    const names = [
      'owner',
      'projects',
      'project-imports',
      'user-memberships',
      'groups',
      'organization-product-definitions',
      'organization-stores',
      'user-roles',
    ];
    const organization = await readRelated(admin, path, names);
    expect(linked(organization, 'owner')).to.deep.equal([admin.id]);
    expect(linked(organization, 'projects')).to.include(project);
    expect(linked(organization, 'project-imports')).to.deep.equal([world.ids.import]);
    expect(linked(organization, 'user-memberships')).to.have.length(4);
    expect(linked(organization, 'groups')).to.have.members([north, south]);
    expect(linked(organization, 'user-roles')).to.have.length(3);
    const links = await admin.get(
      `${path}?include=organization-product-definitions.product-definition,organization-stores.store`,
    );
    expect(along(links)).to.include.members([
      `product-definitions/${definition}`,
      `stores/${store}`,
    ]);
    const users = await admin.get(`${path}/users`);
    expect(users.many.map(({ id }) => id)).to.have.members(
      [admin, builder, author, member].map(({ id }) => id),
    );
  });

  it('a group has name and abbreviation, and leads to its organization, projects and memberships [R193]', async () => {
    const { admin } = world.people;
    const { north, lakeside, project, archived } = world.ids;
    const names = ['owner', 'projects', 'memberships'];
    const group = await readRelated(admin, `/api/groups/${north}`, names);
    expect(group.attributes).to.include({ name: 'Lakeside North', abbreviation: 'LN' });
    expect(group.relationships?.owner?.data).to.deep.equal({ type: 'organizations', id: lakeside });
    expect(linked(group, 'projects')).to.include.members([project, archived]);
    expect(linked(group, 'memberships')).to.have.length(3);
  });

  it('a project leads to organization, group, owner and type, and to products, reviewers and authors [R197]', async () => {
    const { builder } = world.people;
    const { project, lakeside, north, bookapp, product, reviewer, authorRow } = world.ids;
    const names = ['organization', 'group', 'owner', 'type', 'products', 'reviewers', 'authors'];
    const record = await readRelated(builder, `/api/projects/${project}`, names);
    expect(names.map((name) => linked(record, name))).to.deep.equal(
      [lakeside, north, builder.id, bookapp, product, reviewer, authorRow].map((id) => [id]),
    );
    expect(record.relationships?.type?.data).to.include({ type: 'application-types' });
  });

  it('an application type has name and description, and leads to projects, imports and definitions [R199]', async () => {
    const { builder } = world.people;
    const { bookapp, project, definition } = world.ids;
    const path = `/api/application-types/${bookapp}`;
    const { one } = await builder.get(path);
    expect(one.attributes).to.include({ name: 'testapp' });
    expect(namesOf(one)).to.include('description');
    const leadsTo = async (name: string) =>
      (await builder.get(`${path}/${name}?page[limit]=500`)).many.map(({ id }) => id);
    expect(await leadsTo('projects')).to.include(project);
    expect(await leadsTo('project-imports')).to.include(world.ids.import);
    expect(await leadsTo('product-definitions')).to.include(definition);
  });

  it('a product leads to project, definition, store, its language, its workflow, and to all that came of it [R201]', async () => {
    const { builder } = world.people;
    const { product, project, definition, store, workflow, storeType } = world.ids;
    const storeLanguage = world.id();
    await world.write(async (write) => {
      await write.insert('storeLanguage', { id: storeLanguage, name: 'en', storeType });
      await write.change('product', product, { storeLanguage, productWorkflow: workflow });
    });
    const path = `/api/products/${product}`;
    const ways = {
      project: project,
      'product-definition': definition,
      store,
      'store-language': storeLanguage,
      'product-workflow': workflow,
      'product-builds': world.ids.build,
      'product-artifacts': world.ids.artifact,
      'product-publications': world.ids.publication,
      'product-transitions': world.ids.transition,
      'product-comments': world.ids.comment,
      'user-tasks': world.ids.task,
    };
    const record = await readRelated(builder, path, Object.keys(ways));
    for (const [name, id] of Object.entries(ways))
      expect(linked(record, name), name).to.deep.equal([id]);
    const actions = await builder.get(`${path}/actions`);
    expect(actions.one.attributes?.actions).to.be.an('array');
  });

  it('a language of a store has name and description, and leads to its store type [R212]', async () => {
    const { builder } = world.people;
    const { storeType } = world.ids;
    const id = world.id();
    const fields = { name: 'fr-CA', description: 'French of Canada' };
    await world.write((write) => write.insert('storeLanguage', { id, ...fields, storeType }));
    const language = await readRelated(builder, `/api/store-languages/${id}`, ['store-type']);
    expect(language.attributes).to.include(fields);
    expect(language.relationships?.['store-type']?.data).to.deep.equal({
      type: 'store-types',
      id: storeType,
    });
  });

  it('a transition shows what became of a step, and whose doing it was [R224]', async () => {
    const { builder } = world.people;
    const id = world.id();
    const { product } = world.ids;
    await world.write((write) =>
      write.insert('productTransition', {
        ...{ id, product, transitionType: 1, workflowType: 1 },
        ...{ comment: 'Looks good', command: 'Approve', initialState: 'Approval' },
        ...{ allowedUserNames: 'Ana, Ben', workflowUserId: builder.id },
        dateTransition: '2026-01-31T09:30:00.000Z',
      }),
    );
    const shown = await builder.get(`/api/products/${product}/transitions`);
    expect(shown.many.find((one) => one.id === id)?.attributes).to.include({
      comment: 'Looks good',
      command: 'Approve',
      'workflow-user-id': builder.id,
      'date-transition': '2026-01-31T09:30:00.000Z',
      'allowed-user-names': 'Ana, Ben',
      'transition-type': 1,
      'initial-state': 'Approval',
      'workflow-type': 1,
    });
  });

  /** Reads a record, which has `attributes` by name and leads to `ways`, each of which comes along. */
  async function expectShape(
    who: Person,
    path: string,
    attributes: readonly string[],
    ways: Readonly<Record<string, string | readonly string[] | null>>,
  ): Promise<ResourceObject> {
    const names = Object.keys(ways);
    const record =
      names.length === 0 ? (await who.get(path)).one : await readRelated(who, path, names);
    expect(namesOf(record), path).to.include.members([...attributes]);
    for (const [name, ids] of Object.entries(ways))
      expect(linked(record, name), `${path} ${name}`).to.have.members([ids ?? []].flat());
    return record;
  }

  it('roles are four, and a user role is one of them for a user, in an organization or everywhere [R185, R186]', async () => {
    const { admin, builder, super: superAdmin } = world.people;
    const { many: roles } = await builder.get('/api/roles');
    const idOf = new Map(roles.map(({ id, attributes }) => [attributes?.['role-name'], id]));
    expect([...idOf.keys()]).to.have.members([
      ...['SuperAdmin', 'OrganizationAdmin', 'AppBuilder', 'Author'],
    ]);
    const held = async (who: Person, id: string) =>
      (await who.get(`/api/user-roles?filter[user-id]=${id}`)).many[0]?.id ?? '';
    const own = await expectShape(
      admin,
      `/api/user-roles/${await held(admin, builder.id)}`,
      ['role-name'],
      {
        user: builder.id,
        role: idOf.get('AppBuilder') ?? '',
        organization: world.ids.lakeside,
      },
    );
    expect(own.attributes?.['role-name']).to.equal('AppBuilder');
    const path = `/api/user-roles/${await held(superAdmin, superAdmin.id)}`;
    const everywhere = { role: idOf.get('SuperAdmin') ?? '', organization: null };
    await expectShape(superAdmin, path, ['role-name'], everywhere);
  });

  it('an organization has addresses and settings, is public unless said, and keeps its tokens to itself [R187, R416]', async () => {
    const { super: superAdmin } = world.people;
    const id = world.id();
    const data = {
      type: 'organizations',
      id,
      attributes: {
        name: 'Hill Press',
        'website-url': 'https://hill.test',
        'logo-url': 'https://hill.test/logo.png',
        'use-default-build-engine': false,
        'build-engine-url': 'https://engine.hill.test',
        'build-engine-api-access-token': 'a secret of the hill',
      },
      relationships: { owner: { data: { type: 'users', id: superAdmin.id } } },
    };
    expect((await superAdmin.ask('POST', '/api/organizations', { data })).status).to.equal(201);
    const read = await superAdmin.get(`/api/organizations/${id}`);
    const { 'build-engine-api-access-token': secret, ...rest } = data.attributes;
    expect(read.one.attributes).to.include({ ...rest, 'public-by-default': true });
    expect(read.text).not.to.include(secret);
    expect(namesOf(read.one)).not.to.include.members(['token']);
  });

  it('an invite to found an organization names its owner and lasts a day, its token being in the mail alone [R189, R409]', async () => {
    const { super: superAdmin } = world.people;
    const id = world.id();
    const ownerEmail = `owner@${id}.test`;
    const attributes = { name: 'Hill', 'owner-email': ownerEmail, url: 'https://hill.test' };
    const data = { type: 'organization-invites', id, attributes };
    const made = await superAdmin.ask('POST', '/api/organization-invites', { data });
    expect(made.one.attributes).to.include(attributes);
    const lasts =
      Date.parse(String(made.one.attributes?.['expires-at'])) -
      Date.parse(String(made.one.attributes?.['date-created']));
    expect(lasts / 3_600_000).to.be.within(23.9, 24.1);
    expect(namesOf(made.one)).not.to.include('token');
    expect(world.letters.some(({ to }) => to === ownerEmail)).to.equal(true);
  });

  it('a request of access has name, email and web site, all of them, and needs no account [R7, R190]', async () => {
    const attributes = {
      name: 'Hill Press',
      orgAdminEmail: `ana@${world.id()}.test`,
      websiteUrl: 'https://hill.test/about',
    };
    const send = async (stated: object) => {
      const data = { type: 'organization-invite-requests', attributes: stated };
      const answer = await fetch(`${world.server.url}/api/organization-invite-requests`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/vnd.api+json' },
        body: JSON.stringify({ data }),
      });
      const { errors = [] } = (await answer.json()) as Partial<ErrorDocument>;
      return [answer.status, ...errors.map(({ source, meta }) => [source?.pointer, meta?.rule])];
    };
    const links = () =>
      world.letters
        .filter(({ template }) => template === 'organizationInviteRequest')
        .map(({ values }) => values.link);
    for (const name of Object.keys(attributes)) {
      const without = { ...attributes, [name]: undefined };
      const missing = [`/data/attributes/${name}`, 'required'];
      expect(await send(without), name).to.deep.equal([422, missing]);
    }
    const { length } = links();
    expect(await send(attributes)).to.deep.equal([201]);
    const [link = ''] = links().slice(length);
    expect(Object.fromEntries(new URL(link).searchParams)).to.deep.equal(attributes);
  });

  it('an organization membership leads to its person and organization, an invite to who invited too [R191, R192]', async () => {
    const { admin, builder } = world.people;
    const { lakeside } = world.ids;
    const { many } = await admin.get(`/api/organization-memberships?filter[user-id]=${builder.id}`);
    await expectShape(admin, `/api/organization-memberships/${many[0]?.id ?? ''}`, [], {
      user: builder.id,
      organization: lakeside,
    });
    const id = world.id();
    const attributes = { email: `new@${id}.test`, 'organization-id': lakeside };
    const data = { type: 'organization-membership-invites', id, attributes };
    const path = '/api/organization-membership-invites';
    expect((await admin.ask('POST', path, { data })).status).to.equal(201);
    await expectShape(admin, `${path}/${id}`, ['email', 'expires-at'], {
      organization: lakeside,
      'invited-by': admin.id,
    });
  });

  it('what links two records leads to both: groups, stores and definitions [R194, R195]', async () => {
    const { admin, builder } = world.people;
    const { lakeside, north, store, definition } = world.ids;
    const inLakeside = { Organization: lakeside };
    const first = async (path: string) => (await admin.get(path, inLakeside)).many[0]?.id ?? '';
    const group = await first(`/api/group-memberships?filter[user-id]=${builder.id}`);
    await expectShape(admin, `/api/group-memberships/${group}`, [], {
      user: builder.id,
      group: north,
    });
    const ofStore = await first('/api/organization-stores');
    await expectShape(admin, `/api/organization-stores/${ofStore}`, [], {
      organization: lakeside,
      store,
    });
    const ofDefinition = await first('/api/organization-product-definitions');
    await expectShape(admin, `/api/organization-product-definitions/${ofDefinition}`, [], {
      organization: lakeside,
      'product-definition': definition,
    });
  });

  it('a project has its texts, settings and moments, and no status [R196]', async () => {
    const { builder } = world.people;
    const path = `/api/projects/${world.ids.project}`;
    const names = [
      ...['name', 'description', 'language', 'is-public', 'allow-downloads', 'automatic-builds'],
      ...['location', 'workflow-project-url', 'date-created', 'date-updated', 'date-active'],
      'date-archived',
    ];
    const project = await expectShape(builder, path, names, { owner: builder.id });
    expect(namesOf(project)).not.to.include('status');
    const attributes = { description: 'Of the field', 'automatic-builds': false };
    const data = { type: 'projects', id: world.ids.project, attributes };
    expect((await builder.ask('PATCH', path, { data })).one.attributes).to.include(attributes);
  });

  it('a project import has its file, and leads to organization, owner, group and type [R198]', async () => {
    const { builder } = world.people;
    const { lakeside, north, bookapp } = world.ids;
    const path = `/api/project-imports/${world.ids.import}`;
    const names = ['import-data', 'date-created', 'date-updated'];
    await expectShape(builder, path, names, {
      ...{ organization: lakeside, owner: builder.id, group: north, type: bookapp },
    });
  });

  it('a product has moments, what was built last, where it is, and properties [R200]', async () => {
    const { admin } = world.people;
    const path = `/api/products/${world.ids.product}`;
    const names = ['date-created', 'date-updated', 'date-published', 'date-built', 'version-built'];
    await expectShape(admin, path, [...names, 'publish-link', 'properties'], {});
    const properties = '{"environment":{"BUILD_COMPUTE_TYPE":"medium","BUILD_IMAGE_TAG":"latest"}}';
    const data = { type: 'products', id: world.ids.product, attributes: { properties } };
    expect((await admin.ask('PATCH', path, { data })).one.attributes).to.include({ properties });
  });

  it('a product definition, and a workflow definition, which is enabled unless said, are as they were made [R202, R209, R416]', async () => {
    const { super: superAdmin } = world.people;
    const { bookapp, workflow, storeType } = world.ids;
    const ref = (type: string, id: string) => ({ data: { type, id } });
    const [rebuild, made] = [world.id(), world.id()];
    const ofWorkflow = {
      ...{ name: 'again', description: 'Builds it again', 'workflow-scheme': 'Rebuild' },
      ...{ 'workflow-business-flow': 'Rebuild_Flow', properties: 'free text', type: 2 },
    };
    const workflows = '/api/workflow-definitions';
    const data = {
      ...{ type: 'workflow-definitions', id: rebuild, attributes: ofWorkflow },
      relationships: { 'store-type': ref('store-types', storeType) },
    };
    expect((await superAdmin.ask('POST', workflows, { data })).status).to.equal(201);
    const shown = await expectShape(superAdmin, `${workflows}/${rebuild}`, [], {
      'store-type': storeType,
    });
    expect(shown.attributes).to.include({ ...ofWorkflow, enabled: true });

    const ofDefinition = { name: 'Web', description: 'For the web', properties: '{}' };
    const definition = {
      ...{ type: 'product-definitions', id: made, attributes: ofDefinition },
      relationships: {
        type: ref('application-types', bookapp),
        workflow: ref('workflow-definitions', workflow),
        'rebuild-workflow': ref('workflow-definitions', rebuild),
      },
    };
    const definitions = '/api/product-definitions';
    const answer = await superAdmin.ask('POST', definitions, { data: definition });
    expect(answer.status, answer.text).to.equal(201);
    const read = await expectShape(superAdmin, `${definitions}/${made}`, [], {
      ...{ type: bookapp, workflow, 'rebuild-workflow': rebuild, 'republish-workflow': null },
    });
    expect(read.attributes).to.include(ofDefinition);
  });

  it('a build, its artifacts and its publications have what came of it, and lead to each other [R203, R204, R205]', async () => {
    const { builder } = world.people;
    const { product, build, artifact, publication } = world.ids;
    const made = ['date-created', 'date-updated'];
    await expectShape(
      builder,
      `/api/product-builds/${build}`,
      [...['version', 'build-id', 'success', ...made]],
      { product, 'product-artifacts': artifact, 'product-publications': publication },
    );
    const ofFile = ['artifact-type', 'url', 'file-size', 'content-type', 'filename', 'updated'];
    await expectShape(builder, `/api/product-artifacts/${artifact}`, [...ofFile, ...made], {
      product,
      'product-build': build,
    });
    await expectShape(
      builder,
      `/api/product-publications/${publication}`,
      [...['release-id', 'channel', 'log-url', 'success', ...made]],
      { product, 'product-build': build },
    );
  });

  it('a task has its state and comment, and leads to its person and, by the product, to project and workflow [R208]', async () => {
    const { builder } = world.people;
    const { task, product, project, definition, workflow } = world.ids;
    const names = ['activity-name', 'comment', 'status', 'date-created', 'date-updated'];
    const path = `/api/user-tasks/${task}`;
    await expectShape(builder, path, names, { user: builder.id, product });
    const include = 'product.project,product.product-definition.workflow';
    expect(along(await builder.get(`${path}?include=${include}`))).to.include.members([
      `projects/${project}`,
      `product-definitions/${definition}`,
      `workflow-definitions/${workflow}`,
    ]);
  });

  it('stores and their types, reviewers and authors have names and lead to what they belong to [R210, R211, R213, R214]', async () => {
    const { builder, author } = world.people;
    const { storeType, store, workflow, reviewer, authorRow, project } = world.ids;
    const named = ['name', 'description'];
    await expectShape(builder, `/api/stores/${store}`, named, { 'store-type': storeType });
    const ofType = `/api/store-types/${storeType}`;
    await expectShape(builder, ofType, named, { stores: store });
    const languages = await builder.get(`${ofType}/store-languages`);
    expect(languages.many.map(({ type }) => type)).to.include('store-languages');
    const workflows = await builder.get(`${ofType}/workflow-definitions`);
    expect(workflows.many.map(({ id }) => id)).to.include(workflow);
    const ofReviewer = await expectShape(builder, `/api/reviewers/${reviewer}`, [], { project });
    expect(ofReviewer.attributes).to.include({
      ...{ name: 'Rita', email: 'rita@x.test', locale: 'en-US' },
    });
    await expectShape(builder, `/api/authors/${authorRow}`, [], { project, user: author.id });
  });

  it('a notification has its message, when it was read and mailed, and belongs to its person [R215]', async () => {
    const { builder } = world.people;
    const path = `/api/notifications/${world.ids.notification}`;
    const names = ['date-read', 'date-email-sent', 'date-created', 'date-updated', 'send-email'];
    const told = await expectShape(builder, path, names, { user: builder.id });
    expect(told.attributes).to.include({ message: 'Hello', 'date-read': null });
    const attributes = { 'date-read': '2026-01-31T09:30:00.000Z' };
    const data = { type: 'notifications', id: told.id, attributes };
    expect((await builder.ask('PATCH', path, { data })).one.attributes).to.include(attributes);
  });

  it('a record has one id: at its address, in lists, in links, and in what was sent to make it [R430]', async () => {
    const { builder } = world.people;
    const { project } = world.ids;
    const id = world.id();
    const data = {
      type: 'reviewers',
      id,
      attributes: { name: 'Rosa', email: 'rosa@lakeside.test', locale: 'es-419' },
      relationships: { project: { data: { type: 'projects', id: project } } },
    };
    expect((await builder.ask('POST', '/api/reviewers', { data })).one.id).to.equal(id);
    expect((await builder.get(`/api/reviewers/${id}`)).one.attributes?.name).to.equal('Rosa');
    const listed = await builder.get(`/api/reviewers?filter[project]=${project}`);
    expect(listed.many.map((one) => one.id)).to.include(id);
    const { one } = await builder.get(`/api/projects/${project}?include=reviewers`);
    expect(linked(one, 'reviewers')).to.include(id);
    expect((await builder.ask('POST', '/api/reviewers', { data })).refusal).to.equal('id-taken');
  });
});

describe('[wire 17] what screens read', () => {
  let world: World;
  before(async function () {
    this.timeout(START_WITHIN_MS);
    world = await makeWorld();
  });

  it('the groups of the organization in the header, and of another when that changes [R323]', async () => {
    const { builder } = world.people;
    const { lakeside, harbor, north, south, pier } = world.ids;
    await world.write((write) =>
      write.insert('organizationMembership', {
        ...{ id: world.id(), user: builder.id, organization: harbor },
        dateAccepted: '2026-01-31T09:30:00.000Z',
      }),
    );
    const groupsIn = async (organization: string) =>
      (await builder.get('/api/groups', { Organization: organization })).many.map(({ id }) => id);
    expect(await groupsIn(lakeside)).to.have.members([north, south]);
    expect(await groupsIn(harbor)).to.deep.equal([pier]);
    expect(await groupsIn('')).to.have.members([north, south, pier]);
  });

  it('who they are, with memberships, groups and roles, however often that is asked [R321]', async () => {
    const { builder } = world.people;
    const { lakeside, north } = world.ids;
    const include = 'organization-memberships.organization,group-memberships.group,user-roles.role';
    const { many: roles } = await builder.get('/api/roles?filter[role-name]=AppBuilder');
    for (const refetched of ['0', '3']) {
      const me = await builder.get(`/api/users/current-user?include=${include}`, {
        'X-Refetch-Count': refetched,
      });
      expect([me.status, me.one.type, me.one.id]).to.deep.equal([200, 'users', builder.id]);
      expect(along(me)).to.include.members([
        `organizations/${lakeside}`,
        `groups/${north}`,
        `roles/${roles[0]?.id ?? ''}`,
      ]);
      for (const name of ['organization-memberships', 'group-memberships', 'user-roles'])
        expect(linked(me.one, name), name).not.to.deep.equal([]);
    }
    const answer = await fetch(`${world.server.url}/api/users/current-user`);
    expect(answer.status).to.equal(401);
  });

  it('lists of projects with all that their rows show [R223, R348]', async () => {
    const { builder } = world.people;
    const { project, lakeside, north, product, definition, bookapp, workflow } = world.ids;
    const [rebuildWorkflow, republishWorkflow] = [world.id(), world.id()];
    await world.write(async (write) => {
      await write.insert('workflowDefinition', { id: rebuildWorkflow, name: 'again', type: 2 });
      await write.insert('workflowDefinition', { id: republishWorkflow, name: 'anew', type: 3 });
      await write.change('productDefinition', definition, { rebuildWorkflow, republishWorkflow });
    });
    const include = [
      'organization',
      'group',
      'owner',
      'products.product-definition.type',
      'products.product-definition.rebuild-workflow',
      'products.product-definition.republish-workflow',
    ];
    const list = await builder.get(`/api/projects?sort=name&include=${include.join(',')}`);
    const row = list.many.find(({ id }) => id === project);
    expect(row?.attributes).to.include({
      ...{ name: 'Harvest', 'date-archived': null, 'date-active': null },
    });
    const owned = await builder.get(`/api/projects?filter[owner-id]=${builder.id}`);
    expect(owned.many.map(({ id }) => id)).to.include(project);
    expect(along(list)).to.include.members([
      `organizations/${lakeside}`,
      `groups/${north}`,
      `users/${builder.id}`,
      `products/${product}`,
      `product-definitions/${definition}`,
      `application-types/${bookapp}`,
      `workflow-definitions/${rebuildWorkflow}`,
      `workflow-definitions/${republishWorkflow}`,
    ]);
    expect(along(list)).not.to.include(`workflow-definitions/${workflow}`);
  });

  it('a project with everything that its page shows [R351]', async () => {
    const { builder, author, admin } = world.people;
    const { project, lakeside, north, bookapp, product, definition, workflow } = world.ids;
    const include = [
      ...['organization.owner', 'group', 'owner', 'products.product-definition.type'],
      ...['products.product-builds.product-artifacts', 'products.user-tasks.user'],
      ...['products.store', 'reviewers', 'type', 'authors.user'],
      'organization.organization-product-definitions.product-definition.workflow.store-type',
    ];
    const page = await builder.get(`/api/projects/${project}?include=${include.join(',')}`);
    expect(along(page)).to.include.members([
      `organizations/${lakeside}`,
      ...[admin, builder, author].map(({ id }) => `users/${id}`),
      `groups/${north}`,
      `application-types/${bookapp}`,
      `products/${product}`,
      `product-definitions/${definition}`,
      `product-builds/${world.ids.build}`,
      `product-artifacts/${world.ids.artifact}`,
      `user-tasks/${world.ids.task}`,
      `stores/${world.ids.store}`,
      `workflow-definitions/${workflow}`,
      `store-types/${world.ids.storeType}`,
      `reviewers/${world.ids.reviewer}`,
      `authors/${world.ids.authorRow}`,
    ]);
  });

  it('a project of the directory with its people, products, builds and artifacts, for outsiders too [R352]', async () => {
    const { builder, stranger, admin } = world.people;
    const { public: open, publicProduct: product, lakeside, definition, bookapp } = world.ids;
    const [build, artifact] = [world.id(), world.id()];
    await world.write(async (write) => {
      await write.insert('productBuild', { id: build, product, buildVersion: '1', success: true });
      const file = { product, productBuild: build, artifactType: 'apk' };
      await write.insert('productArtifact', { id: artifact, ...file });
    });
    const include =
      'organization.owner,group,owner,products.product-definition.type,products.product-builds.product-artifacts';
    const shown = await stranger.get(`/api/projects/${open}?include=${include}`);
    expect(along(shown)).to.include.members([
      `organizations/${lakeside}`,
      `users/${admin.id}`,
      `users/${builder.id}`,
      `products/${product}`,
      `product-definitions/${definition}`,
      `application-types/${bookapp}`,
      `product-builds/${build}`,
      `product-artifacts/${artifact}`,
    ]);
    expect((await stranger.get(`/api/projects/${world.ids.project}`)).status).to.equal(404);
  });

  it('what super admins administer, each with what belongs to it [R347]', async () => {
    const { admin, super: superAdmin } = world.people;
    const { lakeside, workflow, storeType, definition, bookapp, store } = world.ids;
    const [rebuild, republish] = [world.id(), world.id()];
    await world.write(async (write) => {
      await write.insert('workflowDefinition', { id: rebuild, name: 'again', type: 2 });
      await write.insert('workflowDefinition', { id: republish, name: 'anew', type: 3 });
      const both = { rebuildWorkflow: rebuild, republishWorkflow: republish };
      await write.change('productDefinition', definition, both);
    });
    const came = async (path: string) => {
      const reply = await superAdmin.get(path);
      expect(reply.status, reply.text).to.equal(200);
      return [...along(reply), ...[reply.one].flat().map(({ type, id }) => `${type}/${id}`)];
    };
    const latest = 'sort=-date-created&page[limit]=500';
    expect(await came(`/api/organizations?include=owner&${latest}`)).to.include.members([
      `organizations/${lakeside}`,
      `users/${admin.id}`,
    ]);
    const workflows = await came(`/api/workflow-definitions?include=store-type&${latest}`);
    expect(workflows).to.include.members([
      `workflow-definitions/${workflow}`,
      `store-types/${storeType}`,
    ]);
    const ways = 'type,workflow,rebuild-workflow,republish-workflow';
    expect(await came(`/api/product-definitions?include=${ways}&${latest}`)).to.include.members([
      `product-definitions/${definition}`,
      `application-types/${bookapp}`,
      ...[workflow, rebuild, republish].map((id) => `workflow-definitions/${id}`),
    ]);
    expect(await came(`/api/stores?include=store-type&${latest}`)).to.include.members([
      `stores/${store}`,
      `store-types/${storeType}`,
    ]);
    expect(await came(`/api/store-types?${latest}`)).to.include(`store-types/${storeType}`);
    expect(await came(`/api/users?${latest}`)).to.include(`users/${admin.id}`);
    expect(await came('/api/application-types?page[limit]=500')).to.include(
      `application-types/${bookapp}`,
    );
    const engine = world.id();
    const buildEngineUrl = `https://${engine}.test`;
    await world.write((write) => write.insert('systemStatus', { id: engine, buildEngineUrl }));
    expect(await came(`/api/system-statuses?${latest}`)).to.include(`system-statuses/${engine}`);
  });

  it('an organization with its definitions, groups and stores, for its settings [R353]', async () => {
    const { admin } = world.people;
    const { lakeside, north, south, definition, store } = world.ids;
    const include =
      'organization-product-definitions.product-definition,groups,organization-stores.store';
    const settings = await admin.get(`/api/organizations/${lakeside}?include=${include}`);
    expect(settings.one.attributes?.name).to.equal('Lakeside Press');
    const came = along(settings);
    expect(came).to.include.members([
      `product-definitions/${definition}`,
      `groups/${north}`,
      `groups/${south}`,
      `stores/${store}`,
    ]);
    const links = ['organization-product-definitions', 'organization-stores'];
    for (const type of links)
      expect(
        came.filter((key) => key.startsWith(`${type}/`)),
        type,
      ).to.have.length(1);
  });

  it('everything else with what belongs to it [R355]', async () => {
    const { builder, author } = world.people;
    const { lakeside, north, store, storeType, product, build, project, definition } = world.ids;
    const came = async (path: string) => {
      const reply = await builder.get(path);
      expect(reply.status, reply.text).to.equal(200);
      return [...along(reply), ...[reply.one].flat().map(({ type, id }) => `${type}/${id}`)];
    };
    expect(await came('/api/groups?include=owner')).to.include.members([
      `groups/${north}`,
      `organizations/${lakeside}`,
    ]);
    const people = await builder.get(
      '/api/users?include=user-roles,group-memberships.group,organization-memberships.organization',
    );
    expect(people.many.map(({ id }) => id)).to.include(builder.id);
    for (const type of ['user-roles', 'group-memberships', 'organization-memberships'])
      expect(
        along(people).some((key) => key.startsWith(`${type}/`)),
        type,
      ).to.equal(true);
    expect(along(people)).to.include.members([`groups/${north}`, `organizations/${lakeside}`]);
    expect(await came('/api/authors?include=user')).to.include.members([
      `authors/${world.ids.authorRow}`,
      `users/${author.id}`,
    ]);
    const { many: roles } = await builder.get('/api/roles');
    expect(roles.map(({ attributes }) => attributes?.['role-name'])).to.have.members([
      ...['SuperAdmin', 'OrganizationAdmin', 'AppBuilder', 'Author'],
    ]);
    const { many: held } = await builder.get(`/api/user-roles?filter[user-id]=${builder.id}`);
    expect(held.map(({ attributes }) => attributes?.['role-name'])).to.deep.equal(['AppBuilder']);
    expect(await came('/api/organization-stores?include=store.store-type')).to.include.members([
      `stores/${store}`,
      `store-types/${storeType}`,
    ]);
    expect(await came('/api/products')).to.include(`products/${product}`);
    const tasks = await came(
      '/api/user-tasks?include=product.project,product.product-definition.workflow',
    );
    expect(tasks).to.include.members([`user-tasks/${world.ids.task}`, `projects/${project}`]);
    const files = await came(
      `/api/products/${product}?include=product-builds.product-artifacts,product-publications,product-definition`,
    );
    expect(files).to.include.members([
      `product-builds/${build}`,
      `product-artifacts/${world.ids.artifact}`,
      `product-publications/${world.ids.publication}`,
      `product-definitions/${definition}`,
    ]);
  });
});

describe('[domain 2.2] the work of an organization’s admin', () => {
  let world: World;
  before(async function () {
    this.timeout(START_WITHIN_MS);
    world = await makeWorld();
  });

  it('is users, groups, products, infrastructure and invitations, with stores to read, and nobody else’s [R5, R302]', async () => {
    const { admin, builder, member } = world.people;
    const { lakeside, south, store } = world.ids;
    const of = (type: string, id: string) => ({ data: { type, id } });
    const organization = of('organizations', lakeside);
    const roles = await admin.get('/api/roles?filter[role-name]=Author');
    const definition = world.id();
    const { bookapp: type, workflow } = world.ids;
    await world.write((write) =>
      write.insert('productDefinition', { id: definition, name: 'Web', type, workflow }),
    );
    const created = [
      [
        'user-roles',
        {},
        {
          ...{ user: of('users', member.id), role: of('roles', roles.many[0]?.id ?? '') },
          organization,
        },
      ],
      ['group-memberships', {}, { user: of('users', member.id), group: of('groups', south) }],
      ['groups', { name: 'Lakeside West', abbreviation: 'LW' }, { owner: organization }],
      [
        'organization-product-definitions',
        {},
        {
          organization,
          'product-definition': of('product-definitions', definition),
        },
      ],
      ['organization-membership-invites', { email: 'new@lakeside.test' }, { organization }],
    ] as const;
    for (const [type, attributes, relationships] of created) {
      const id = world.id();
      const data = { type, id, attributes, relationships };
      const refused = await builder.ask('POST', `/api/${type}`, { data });
      expect([refused.status, refused.refusal], type).to.deep.equal([403, 'forbidden']);
      const made = await admin.ask('POST', `/api/${type}`, { data });
      expect(made.status, made.text).to.equal(201);
      expect((await builder.ask('DELETE', `/api/${type}/${id}`)).status, type).to.be.oneOf([
        403, 404,
      ]);
      expect((await admin.ask('DELETE', `/api/${type}/${id}`)).status, type).to.equal(204);
    }

    const engine = {
      type: 'organizations',
      id: lakeside,
      attributes: { 'build-engine-url': 'https://engine.lakeside.test' },
    };
    const path = `/api/organizations/${lakeside}`;
    expect((await builder.ask('PATCH', path, { data: engine })).refusal).to.equal('forbidden');
    const { one } = await admin.ask('PATCH', path, { data: engine });
    expect(one.attributes).to.include(engine.attributes);
    const lock = { type: 'users', id: member.id, attributes: { 'is-locked': true } };
    const person = `/api/users/${member.id}`;
    expect((await builder.ask('PATCH', person, { data: lock })).refusal).to.equal('forbidden');
    expect((await admin.ask('PATCH', person, { data: lock })).status).to.equal(200);

    const { many: stores } = await admin.get('/api/organization-stores?include=store', {
      Organization: lakeside,
    });
    expect(stores.flatMap((link) => linked(link, 'store'))).to.deep.equal([store]);
    const another = world.id();
    await world.write((write) => write.insert('store', { id: another, name: 'other shop' }));
    const data = {
      type: 'organization-stores',
      id: world.id(),
      relationships: { organization, store: of('stores', another) },
    };
    expect((await admin.ask('POST', '/api/organization-stores', { data })).refusal).to.equal(
      'forbidden',
    );
  });

  it('is with people of their own organizations, whereas super admins list everybody [R315]', async () => {
    const { admin, builder, author, member, stranger, super: superAdmin } = world.people;
    const idsOf = ({ many }: Reply) => many.map(({ id }) => id);
    expect(idsOf(await admin.get('/api/users?page[limit]=500'))).to.have.members(
      [admin, builder, author, member].map(({ id }) => id),
    );
    const found = await superAdmin.get('/api/users?page[limit]=500&sort=-date-created');
    expect(idsOf(found)).to.include.members([member.id, stranger.id]);
  });
});
