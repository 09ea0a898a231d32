import { expect } from 'chai';
import { rules as wireRules } from '#protocol/problem.ts';
import { mayRead } from '#rules/access.ts';
import { newRecord } from '#rules/record/defaults.ts';
import { IMPORT_BYTES, readImport } from '#rules/valid/import-file.ts';
import { normalise } from '#rules/valid/index.ts';
import { validateWhole } from '#rules/valid/whole.ts';
import type { Broken } from '#rules/valid/index.ts';
import { INVITE_LASTS_MOST_MS } from '#rules/valid/invite.ts';
import { DEFAULT_PROPERTIES } from '#rules/valid/product-properties.ts';
import { INVITE_LASTS_MS } from '#schema/organization-invite.ts';
import type { Of, TypeName } from '#schema/index.ts';
import { anId, NOW } from '../support/records.ts';
import { aWorld } from './world.ts';
import type { Person, World } from './world.ts';

/** `field rule` of everything that is wrong with a new record of these fields. */
function wrongAtBirth<T extends TypeName>(
  world: World,
  person: Person,
  type: T,
  fields: Partial<Of<T>>,
): string[] {
  const viewer = world.viewers[person];
  const find = world.db;
  const normal = normalise(type, fields, NOW) as Partial<Of<T>>;
  const after = newRecord(type, normal, { viewer, find, at: NOW, id: anId() });
  return said(
    validateWhole(
      type,
      { viewer, find, at: NOW, before: null, after, written: Object.keys(fields) },
      mayRead,
    ),
  );
}

/** The same of a change to the world's record of `type`, by a super admin. */
function wrongChange(
  world: World,
  type: TypeName,
  fields: Readonly<Record<string, unknown>>,
): string[] {
  const before: Of<TypeName> = world.sample[type];
  const after = { ...before, ...normalise(type, fields, NOW) } as Of<TypeName>;
  const { SA: viewer } = world.viewers;
  const find = world.db;
  return said(
    validateWhole(
      type,
      { viewer, find, at: NOW, before, after, written: Object.keys(fields) },
      mayRead,
    ),
  );
}

const said = (all: readonly Broken[]): string[] => all.map(({ field, rule }) => `${field} ${rule}`);

describe('[wire 1.4] values are stored', () => {
  const stored = (type: TypeName, field: string, value: unknown) =>
    normalise(type, { [field]: value }, NOW)[field];

  it('trimmed and composed, lines without breaks, texts with them', () => {
    expect(stored('project', 'name', '  Cafe\u0301 \n au lait ')).to.equal('Café au lait');
    expect(stored('project', 'description', ' a\nb ')).to.equal(' a\nb ');
  });

  it('with a scheme, where an address names none', () => {
    const url = (text: string) => stored('organization', 'websiteUrl', text);

    expect(url(' lakeside.test ')).to.equal('https://lakeside.test');
    expect(url('localhost:8080/x')).to.equal('https://localhost:8080/x');
    expect(url('//lakeside.test')).to.equal('https://lakeside.test');
    expect(url('http://lakeside.test')).to.equal('http://lakeside.test');
    expect(url('javascript:alert(1)')).to.equal('javascript:alert(1)');
    expect(url(' ')).to.equal(null);
  });

  it('as moments in UTC, of ISO with a zone or the plain form; none later than now', () => {
    const archived = (text: string) => stored('project', 'dateArchived', text);

    expect(archived('2026-01-30 09:30:00')).to.equal('2026-01-30T09:30:00.000Z');
    expect(archived('2026-01-30T09:30:00+02:00')).to.equal('2026-01-30T07:30:00.000Z');
    expect(archived('2036-01-30 09:30:00')).to.equal(NOW);
    expect(archived('2026-02-30 09:30:00')).to.equal('2026-02-30 09:30:00');
    expect(archived('2026-01-30T09:30:00')).to.equal('2026-01-30T09:30:00');
  });

  it('with languages in full, and any strange visibility as visible [R241, R283]', () => {
    expect(stored('user', 'locale', 'es')).to.equal('es-419');
    expect(stored('reviewer', 'locale', 'fr')).to.equal('fr-FR');
    for (const value of [1, 2, '0', null, true]) {
      expect(stored('user', 'profileVisibility', value)).to.equal(1);
    }
    expect(stored('user', 'profileVisibility', 0)).to.equal(0);
  });

  it('as they are when they are of another type, for validation to name', () => {
    expect(stored('project', 'name', 7)).to.equal(7);
  });
});

describe('[wire 6.2] a value is refused', () => {
  const world = aWorld();

  it('when it must be there: missing, null or blank', () => {
    for (const name of [null, '', '  ']) {
      expect(wrongChange(world, 'project', { name })).to.deep.equal(['name required']);
    }
    expect(wrongChange(world, 'project', { isPublic: null })).to.deep.equal(['isPublic required']);
    expect(wrongChange(world, 'project', { group: null })).to.deep.equal(['group required']);
  });

  it('when it is of another type', () => {
    expect(wrongChange(world, 'project', { name: 7 })).to.deep.equal(['name type']);
    expect(wrongChange(world, 'project', { isPublic: 'true' })).to.deep.equal(['isPublic type']);
    expect(wrongChange(world, 'project', { owner: 'x' })).to.deep.equal(['owner type']);
    expect(wrongChange(world, 'workflowDefinition', { type: '1' })).to.deep.equal(['type type']);
    expect(wrongChange(world, 'project', { dateArchived: 'soon' })).to.deep.equal([
      'dateArchived type',
    ]);
  });

  it('when it has too many characters, counted as people do', () => {
    expect(wrongChange(world, 'project', { name: '😀'.repeat(250) })).to.deep.equal([]);
    expect(wrongChange(world, 'project', { name: '😀'.repeat(251) })).to.deep.equal([
      'name too-long',
    ]);
  });

  it('when it is not among the choices', () => {
    expect(wrongChange(world, 'user', { locale: 'de-DE' })).to.deep.equal(['locale choice']);
    expect(wrongChange(world, 'user', { timezone: 'Europe/Atlantis' })).to.deep.equal([
      'timezone choice',
    ]);
    expect(wrongChange(world, 'user', { timezone: 'America/Chicago' })).to.deep.equal([]);
  });

  it('silenced mails are of kinds that there are, each once', () => {
    const world = aWorld();
    const wrong = (silencedMails: unknown) => wrongChange(world, 'user', { silencedMails });
    for (const kinds of [[], ['builds'], ['engines', 'tasks']])
      expect(wrong(kinds), kinds.join()).to.deep.equal([]);
    for (const kinds of [['weather'], ['builds', 'builds'], ['builds', 7], [null]])
      expect(wrong(kinds), String(kinds)).to.deep.equal(['silencedMails choice']);
    for (const kinds of [null, 'builds']) expect(wrong(kinds)).to.have.length(1);
  });

  it('when it is no email, no address, no JSON [R253, R279, R281]', () => {
    for (const email of ['a', 'a@b', '@b.test', 'a b@c.test', 'a@b@c.test']) {
      expect(wrongChange(world, 'user', { email }), email).to.deep.equal(['email email']);
    }
    for (const websiteUrl of ['ftp://a.test', 'javascript:alert(1)', 'https://', 'http://a b']) {
      expect(wrongChange(world, 'organization', { websiteUrl }), websiteUrl).to.deep.equal([
        'websiteUrl url',
      ]);
    }
    expect(wrongChange(world, 'product', { properties: '{' })).to.deep.equal(['properties json']);
  });

  it('together with every other that is wrong', () => {
    expect(
      wrongChange(world, 'project', { name: '', language: 'x'.repeat(101), group: null }),
    ).to.deep.equal(['name required', 'language too-long', 'group required']);
  });

  it('when it names what does not exist or is not seen', () => {
    const { people, sample } = world;
    expect(wrongChange(world, 'project', { owner: anId() })).to.deep.equal(['owner reference']);
    expect(
      wrongAtBirth(world, 'harbor', 'author', { user: people.AU.id, project: sample.project.id }),
    ).to.include.members(['user reference', 'project reference']);
  });
});

describe('a new project', () => {
  const of = (world: World, more: Partial<Of<'project'>> = {}): Partial<Of<'project'>> => ({
    name: 'Harvest',
    language: 'es-419',
    organization: world.lakeside.id,
    type: world.sample.applicationType.id,
    group: world.groups.south.id,
    ...more,
  });

  it('asks for name, language, organization, type and group [R265]', () => {
    expect(wrongAtBirth(aWorld(), 'SA', 'project', {})).to.deep.equal([
      'name required',
      'language required',
      'organization required',
      'type required',
      'group required',
    ]);
  });

  it('is in a group of its organization, its owner too; super admins may name anyone [R272]', () => {
    const world = aWorld();
    const { harbor, south } = world.groups;
    const owner = world.people.OM.id;

    expect(wrongAtBirth(world, 'AB', 'project', of(world))).to.deep.equal([]);
    expect(wrongAtBirth(world, 'SA', 'project', of(world, { group: harbor.id }))).to.deep.equal([
      'group mismatch',
    ]);
    expect(
      wrongAtBirth(world, 'AB', 'project', of(world, { group: south.id, owner })),
    ).to.deep.equal(['owner no-membership']);
    expect(wrongAtBirth(world, 'SA', 'project', of(world, { owner }))).to.deep.equal([]);
  });
});

describe('people of a project and an organization', () => {
  it('are authors when they are in its group and hold the role [R278, R307]', () => {
    const world = aWorld();
    const { people, sample, groups } = world;
    const as = (user: { id: string }) =>
      wrongAtBirth(world, 'OA', 'author', { user: user.id, project: sample.project.id });

    expect(as(people.AU)).to.deep.equal(['user no-membership']);
    world.enter(people.AU, groups.north);
    expect(as(people.AU)).to.deep.equal([]);
    expect(as(people.GM)).to.deep.equal(['user needs-role']);
  });

  it('are in a group, and hold a role, of an organization to which they belong [R292]', () => {
    const world = aWorld();
    const { people, groups, roles, lakeside } = world;
    const [user, role, organization] = [people.harbor.id, roles.Author.id, lakeside.id];

    expect(
      wrongAtBirth(world, 'SA', 'groupMembership', { user, group: groups.north.id }),
    ).to.deep.equal(['user no-membership']);
    expect(wrongAtBirth(world, 'SA', 'userRole', { user, role, organization })).to.deep.equal([
      'user no-membership',
    ]);
    expect(wrongAtBirth(world, 'SA', 'userRole', { user, role })).to.deep.equal([
      'organization required',
    ]);
    expect(
      wrongAtBirth(world, 'SA', 'userRole', { user, role: roles.SuperAdmin.id, organization }),
    ).to.deep.equal(['organization mismatch']);
    expect(
      wrongAtBirth(world, 'SA', 'userRole', { user, role: roles.SuperAdmin.id }),
    ).to.deep.equal([]);
  });

  it('are invited for at most 30 days, with roles and groups of that organization', () => {
    const world = aWorld();
    const invite = (fields: Partial<Of<'organizationMembershipInvite'>>) =>
      wrongAtBirth(world, 'OA', 'organizationMembershipInvite', {
        email: 'ana@hill.test',
        organization: world.lakeside.id,
        ...fields,
      });

    expect(invite({ roleNames: ['Author'], groupIds: [world.groups.north.id] })).to.deep.equal([]);
    expect(invite({ roleNames: ['SuperAdmin'] })).to.deep.equal(['roleNames choice']);
    expect(invite({ groupIds: [world.groups.harbor.id] })).to.deep.equal(['groupIds reference']);
    expect(invite({ groupIds: ['x'] })).to.deep.equal(['groupIds type']);
    expect(invite({ expiresAt: '2026-03-03T00:00:00Z' })).to.deep.equal(['expiresAt range']);
    expect(invite({ expiresAt: '2026-01-30T00:00:00Z' })).to.deep.equal(['expiresAt range']);
    expect(invite({ groupIds: null as never })).to.deep.equal(['groupIds required']);
  });
});

describe('a product', () => {
  const of = (world: World, more: Partial<Of<'product'>> = {}): Partial<Of<'product'>> => ({
    project: world.sample.project.id,
    productDefinition: world.sample.productDefinition.id,
    store: world.sample.store.id,
    ...more,
  });

  it('is of a definition and in a store that its organization has [R289]', () => {
    const world = aWorld();
    const definition = world.db.add('productDefinition', {
      workflow: world.sample.workflowDefinition.id,
    });
    const store = world.db.add('store', { storeType: world.sample.storeType.id });

    expect(wrongAtBirth(world, 'PO', 'product', of(world))).to.deep.equal([]);
    expect(
      wrongAtBirth(world, 'PO', 'product', of(world, { productDefinition: definition.id })),
    ).to.deep.equal(['productDefinition not-enabled']);
    expect(wrongAtBirth(world, 'PO', 'product', of(world, { store: store.id }))).to.deep.equal([
      'store not-enabled',
    ]);
  });

  it('has a store exactly when its workflow asks for one, and of that kind [R289]', () => {
    const world = aWorld();
    const other = world.db.add('store', { storeType: world.db.add('storeType').id });
    expect(wrongAtBirth(world, 'PO', 'product', of(world, { store: null }))).to.deep.equal([
      'store required',
    ]);
    expect(wrongAtBirth(world, 'PO', 'product', of(world, { store: other.id }))).to.deep.equal([
      'store mismatch',
    ]);

    world.db.put('workflowDefinition', { ...world.sample.workflowDefinition, storeType: null });
    expect(wrongAtBirth(world, 'PO', 'product', of(world))).to.deep.equal(['store mismatch']);
    expect(wrongAtBirth(world, 'PO', 'product', of(world, { store: null }))).to.deep.equal([]);
  });

  it('has properties with an environment, a compute type and an image [R286]', () => {
    const world = aWorld();
    const bad = ['[]', '{}', '7', DEFAULT_PROPERTIES.replace('small', 'huge')];
    for (const properties of [...bad, DEFAULT_PROPERTIES.replace('latest', ' ')]) {
      expect(wrongChange(world, 'product', { properties }), properties).to.deep.equal([
        'properties shape',
      ]);
    }
    expect(wrongChange(world, 'product', { properties: DEFAULT_PROPERTIES })).to.deep.equal([]);
    expect(wrongChange(world, 'product', { properties: null })).to.deep.equal([]);
  });
});

describe('a product definition', () => {
  it('has workflows of the right type, enabled [R245, R257]', () => {
    const world = aWorld();
    const rebuild = world.db.add('workflowDefinition', { type: 2, enabled: false });

    expect(wrongChange(world, 'productDefinition', { workflow: rebuild.id })).to.deep.equal([
      'workflow mismatch',
    ]);
    expect(wrongChange(world, 'productDefinition', { rebuildWorkflow: rebuild.id })).to.deep.equal([
      'rebuildWorkflow not-enabled',
    ]);
    expect(wrongChange(world, 'productDefinition', { republishWorkflow: null })).to.deep.equal([]);
  });

  it('is run by workflows whose writer names a store type', () => {
    expect(wrongChange(aWorld(), 'workflowDefinition', { storeType: null })).to.deep.equal([
      'storeType required',
    ]);
  });
});

describe('[domain 8.4] a file of projects', () => {
  const mistakes = (content: unknown) =>
    readImport(JSON.stringify(content)).mistakes.map(
      ({ rule, meta }) => `${String(meta.at)} ${rule}`,
    );

  it('is read whatever the case of its keys, with a byte order mark, or as a JSON string [R198]', () => {
    const text = '{"projects":[{"NAME":" Harvest ","language":"es","Colour":1}],"Products":null}';
    for (const form of [text, `\uFEFF${text}`, JSON.stringify(text)]) {
      const { file, mistakes: none } = readImport(form);
      expect(none).to.deep.equal([]);
      expect(file.projects.map(({ name, language }) => [name, language])).to.deep.equal([
        ['Harvest', 'es'],
      ]);
      expect(file.unknown).to.deep.equal(['/Projects/0/Colour']);
    }
  });

  it('has every mistake named with its place [R268]', () => {
    expect(
      mistakes({
        Projects: [
          { Name: 'A', Language: 'en' },
          { Name: 'a', Language: 'en' },
          { Name: ' ', IsPublic: 'yes', Language: 7 },
          'x',
        ],
        Products: [{}],
      }),
    ).to.deep.equal([
      '/Projects/2/Name required',
      '/Projects/2/Language type',
      '/Projects/2/IsPublic type',
      '/Projects/3 shape',
      '/Products/0/Name required',
      '/Projects/1/Name mismatch',
    ]);
    expect(mistakes([])).to.deep.equal([' shape']);
    expect(mistakes({})).to.deep.equal(['/Projects required']);
  });

  it('is at most as large as the wire says, in bytes', () => {
    const [first] = readImport(`"${'é'.repeat(IMPORT_BYTES / 2)}"`).mistakes;

    expect(first?.rule).to.equal('too-long');
    expect(first?.meta.limit).to.equal(524_288);
  });

  it('names definitions and stores that the organization has', () => {
    const world = aWorld();
    const { sample, people, groups, lakeside } = world;
    const file = (products: unknown[]) =>
      wrongAtBirth(world, 'OA', 'projectImport', {
        importData: JSON.stringify({ Projects: [], Products: products }),
        organization: lakeside.id,
        group: groups.south.id,
        type: sample.applicationType.id,
        owner: people.OA.id,
      });
    const [Name, Store] = [sample.productDefinition.name, sample.store.name];

    expect(file([{ Name, Store }])).to.deep.equal([]);
    expect(file([{ Name }])).to.deep.equal(['importData required']);
    expect(file([{ Name: 'Nothing', Store }])).to.deep.equal(['importData reference']);
    expect(file([{ Name, Store: 'nowhere' }])).to.deep.equal(['importData reference']);
  });
});

describe('rules of values', () => {
  it('give an invitation a day, and at most 30 [domain 13]', () => {
    const dayMs = 24 * 3_600_000;
    expect([INVITE_LASTS_MS, INVITE_LASTS_MOST_MS]).to.deep.equal([dayMs, 30 * dayMs]);
  });

  it('speak of the rules of the wire', () => {
    expect(wireRules).to.include.members(['required', 'shape', 'needs-role', 'not-enabled']);
  });
});
