import { expect } from 'chai';
import {
  access,
  mayCreate,
  mayRead,
  mayReadField,
  mayRemove,
  mayUpdate,
  mayWriteField,
} from '#rules/access.ts';
import { resourceOf, typeNames } from '#schema/index.ts';
import type { Of, TypeName } from '#schema/index.ts';
import { wireTypeOf } from '#protocol/names.ts';
import { aWorld } from './world.ts';
import type { Person, World } from './world.ts';

/**
 * Domain 2.2, read as it stands there: who is named after a letter may do it, nobody else. OM
 * stands for every member of Lakeside, self for the one it belongs to, SI for everyone signed in.
 * An r is what outsiders read once the project is public.
 */
type Row = Readonly<Partial<Record<'R' | 'C' | 'U' | 'D' | 'r', string>>>;

const catalogue: Row = { R: 'SI', C: 'SA', U: 'SA', D: 'SA' };
const table: Readonly<Record<TypeName, Row>> = {
  user: { R: 'SA OM self', U: 'SA OA self' },
  role: { R: 'SI' },
  userRole: { R: 'SA OM self', C: 'SA OA', D: 'SA OA' },
  organization: { R: 'SA OM', C: 'SA', U: 'SA OA', D: 'SA', r: 'SI' },
  organizationInvite: { R: 'SA', C: 'SA', U: 'SA', D: 'SA' },
  organizationInviteRequest: { C: 'SI' },
  organizationMembership: { R: 'SA OM self', C: 'SA OA', U: 'self', D: 'SA OA self' },
  organizationMembershipInvite: { R: 'SA OA', C: 'SA OA', D: 'SA OA' },
  group: { R: 'SA OM', C: 'SA OA', U: 'SA OA', D: 'SA OA' },
  groupMembership: { R: 'SA OM self', C: 'SA OA', D: 'SA OA' },
  organizationStore: { R: 'SA OM', C: 'SA', D: 'SA' },
  organizationProductDefinition: { R: 'SA OM', C: 'SA OA', D: 'SA OA' },
  applicationType: { R: 'SI' },
  storeType: catalogue,
  storeLanguage: { R: 'SI' },
  store: catalogue,
  workflowDefinition: catalogue,
  productDefinition: catalogue,
  project: { R: 'SA OM', C: 'SA', U: 'SA OA PO GM', r: 'SI' },
  projectImport: { R: 'SA OA self', C: 'SA' },
  reviewer: { R: 'SA OA PO GM AU', C: 'SA OA PO', D: 'SA OA PO' },
  author: { R: 'SA OM', C: 'SA OA PO', D: 'SA OA PO' },
  product: { R: 'SA OM', C: 'SA OA PO', U: 'SA OA', D: 'SA OA PO', r: 'SI' },
  productBuild: { R: 'SA OM', r: 'SI' },
  productArtifact: { R: 'SA OM', r: 'SI' },
  productPublication: { R: 'SA OM' },
  productTransition: { R: 'SA OM' },
  /** The one of GM. */
  productComment: { R: 'SA OM', C: 'SA OA PO GM AU', U: 'GM', D: 'SA OA PO GM' },
  productAction: {},
  productActionRun: { C: 'SA OA PO' },
  publishedApp: {},
  userTask: { R: 'self' },
  taskCommand: { C: 'self' },
  notification: { R: 'self', U: 'self', D: 'self' },
  /** One that subject shares with Lakeside. */
  savedView: { R: 'SA OM', C: 'SA OM', U: 'SA OA self', D: 'SA OA self' },
  systemStatus: { R: 'SA' },
};

const MEMBERS: readonly Person[] = ['OA', 'AB', 'PO', 'GM', 'AU', 'OM', 'subject'];
const EVERYONE: readonly Person[] = ['SA', ...MEMBERS, 'harbor', 'nobody'];

function peopleIn(cell: string | undefined): Person[] {
  const named = new Set<Person>();
  for (const short of (cell ?? '').split(' ')) {
    if (short === 'SI') EVERYONE.forEach((person) => named.add(person));
    else if (short === 'OM') MEMBERS.forEach((person) => named.add(person));
    else if (short === 'self') named.add('subject');
    else if (short !== '') named.add(short as Person);
  }
  return EVERYONE.filter((person) => named.has(person));
}

type May = <T extends TypeName>(
  viewer: World['viewers'][Person],
  type: T,
  record: Of<T>,
  find: World['db'],
) => boolean;

function whoMay({ viewers, db, sample }: World, may: May, type: TypeName): Person[] {
  const record = db.one(type, sample[type].id) ?? sample[type];
  return EVERYONE.filter((person) => may(viewers[person], type, record, db));
}

describe('[domain 2.2] who may [R316]', () => {
  for (const type of typeNames) {
    const row = table[type];

    it(`read ${wireTypeOf(type)}: ${row.R ?? 'nobody'}`, () => {
      expect(whoMay(aWorld(), mayRead, type)).to.deep.equal(peopleIn(row.R));
    });

    it(`create ${wireTypeOf(type)}: ${row.C ?? 'nobody'}`, () => {
      expect(whoMay(aWorld(), mayCreate, type)).to.deep.equal(peopleIn(row.C));
    });

    it(`update ${wireTypeOf(type)}: ${row.U ?? 'nobody'}`, () => {
      expect(whoMay(aWorld(), mayUpdate, type)).to.deep.equal(peopleIn(row.U));
    });

    it(`remove ${wireTypeOf(type)}: ${row.D ?? 'nobody'}`, () => {
      expect(whoMay(aWorld(), mayRemove, type)).to.deep.equal(peopleIn(row.D));
    });

    it(`read ${wireTypeOf(type)} of a public project: ${row.r ?? 'no outsider more'}`, () => {
      const world = aWorld();
      world.publish();

      expect(whoMay(world, mayRead, type)).to.deep.equal(peopleIn(row.r ?? row.R));
    });

    it(`do to ${wireTypeOf(type)} no more than its verbs let anyone`, () => {
      const { verbs } = resourceOf(type);
      const { create, update, remove } = access[type];

      expect(create !== undefined, 'create').to.equal(verbs.includes('create'));
      expect(update !== undefined, 'update').to.equal(verbs.includes('update'));
      expect(remove !== undefined, 'remove').to.equal(verbs.includes('delete'));
    });
  }
});

/** Says who reads which fields; those that no row names are for everyone who sees the record. */
const hidden: readonly (readonly [TypeName, readonly string[], string])[] = [
  ['user', ['email', 'phone', 'timezone'], 'SA OA self'],
  [
    'user',
    ['locale', 'emailNotification', 'silencedMails', 'decimalSeparator', 'isLocked'],
    'SA OA self',
  ],
  ['user', ['authId'], 'SA self'],
  ['user', ['profileVisibility', 'workflowUserId', 'dateCreated', 'dateUpdated'], 'SA OM self'],
  ['user', ['name', 'givenName', 'familyName', 'id', 'version'], 'SI'],
  ['organization', ['name', 'websiteUrl', 'logoUrl', 'owner', 'id', 'version'], 'SI'],
  ['organization', ['publicByDefault', 'useDefaultBuildEngine', 'dateCreated'], 'SA OM'],
  [
    'organization',
    ['buildEngineUrl', 'buildEngineAvailable', 'buildEngineApiAccessTokenHint'],
    'SA OA',
  ],
  ['organization', ['buildEngineApiAccessToken', 'token'], ''],
  ['organizationMembership', ['email'], ''],
  ['project', ['workflowProjectUrl', 'location'], 'SA OM'],
  ['project', ['name', 'dateActive', 'group', 'owner', 'dateUpdated'], 'SI'],
  ['projectImport', ['importData'], 'SA OA self'],
  ['product', ['properties', 'workflowState'], 'SA OM'],
  ['product', ['waitingFor', 'assigned', 'failure', 'failureReason'], 'SA OM'],
  ['product', ['publishLink', 'versionBuilt', 'versionPublished', 'productWorkflow'], 'SI'],
  ['productBuild', ['logTail', 'startedBy'], 'SA OM'],
  ['productBuild', ['version', 'success', 'phase', 'triggeredBy', 'dateFinished'], 'SI'],
  ['productArtifact', ['url'], 'SI'],
];

describe('[domain 2.4] who reads', () => {
  for (const [type, fields, cell] of hidden) {
    it(`${fields.join(', ')} of ${wireTypeOf(type)}: ${cell || 'nobody'}`, () => {
      const world = aWorld();
      world.publish();
      for (const field of fields) {
        const who = whoMay(
          world,
          (viewer, of, record, find) => mayReadField(viewer, of, field, record, find),
          type,
        );
        expect(who, field).to.deep.equal(peopleIn(cell));
      }
    });
  }

  it('the address of a person whose profile is visible: every fellow member, no outsider [R313]', () => {
    const { viewers, db, people } = aWorld();
    const visible = { ...people.subject, profileVisibility: 1 } as const;
    const reads = (person: Person) => mayReadField(viewers[person], 'user', 'email', visible, db);

    expect(EVERYONE.filter(reads)).to.deep.equal(peopleIn('SA OM'));
  });

  for (const field of Object.keys(resourceOf('user').fields)) {
    if (resourceOf('user').fields[field]?.is === 'many') continue;
    const isOpen = ['name', 'givenName', 'familyName'].includes(field);

    it(`users.${field} of a person who was added and has not agreed: ${isOpen ? 'every fellow member' : 'nobody of the organization'} [F4]`, () => {
      const { viewers, db, people, sample } = aWorld();
      db.put('organizationMembership', { ...sample.organizationMembership, dateAccepted: null });
      const subject = { ...people.subject, profileVisibility: 1 } as const;
      const reads = (person: Person) => mayReadField(viewers[person], 'user', field, subject, db);
      const writes = (person: Person) =>
        mayUpdate(viewers[person], 'user', subject, db) &&
        mayWriteField(viewers[person], 'user', field, subject, subject, db);

      expect(
        MEMBERS.filter((person) => mayRead(viewers[person], 'user', subject, db)),
      ).to.deep.equal(MEMBERS);
      expect(MEMBERS.filter(reads)).to.deep.equal(isOpen ? MEMBERS : ['subject']);
      expect(MEMBERS.filter(writes)).to.deep.equal(field === 'isLocked' ? [] : ['subject']);
    });
  }

  it('no field that its type does not have', () => {
    for (const type of typeNames) {
      const { fields = {}, write = {} } = access[type];
      const known = [...Object.keys(resourceOf(type).fields), ...RECORD_FIELDS];

      expect(known, type).to.include.members([...Object.keys(fields), ...Object.keys(write)]);
    }
  });
});

const RECORD_FIELDS = ['id', 'version', 'dateCreated', 'dateUpdated'];
