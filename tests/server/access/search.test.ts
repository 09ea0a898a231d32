import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import fc from 'fast-check';
import { sql } from 'kysely';
import { wordsOf } from '#base/unicode.ts';
import { patchOf } from '#data/model/record.ts';
import type { StoreRecord } from '#data/model/record.ts';
import { MaintainedList } from '#data/store/maintained-list.ts';
import { RecordStore } from '#data/store/store.ts';
import { mayRead } from '#rules/access.ts';
import { languageNamesIn } from '#rules/record/display.ts';
import type { LanguageNames } from '#rules/record/display.ts';
import type { Viewer } from '#rules/viewer.ts';
import type { TypeName } from '#schema/index.ts';
import { LISTED, queryClausesOf } from '#server/access/query/query-sql.ts';
import { visibleSql } from '#server/access/scope-sql.ts';
import { tableOf } from '#server/db/tables.ts';
import { parseQuery } from '#server/http/api/query/parse.ts';
import { loadViewer } from '#server/access/viewer.ts';
import { freshDatabase } from '../../support/database.ts';
import type { TestDatabase } from '../../support/database.ts';
import {
  aGroup,
  aMember,
  anOrganization,
  aProduct,
  aProject,
  aRecord,
  aRole,
  aUser,
} from '../../support/make.ts';
import { Records } from '../../support/records.ts';

// Covers rules/record/display.ts and server/access/query/search-sql.ts.

/** What a search may look at, with what says who sees it. */
const READ: readonly TypeName[] = [
  'user',
  'organization',
  'organizationMembership',
  'group',
  'productDefinition',
  'project',
  'product',
];
const PEOPLE = ['member', 'outsider', 'super'] as const;
type Person = (typeof PEOPLE)[number];

const ORGANIZATIONS = ['Lakeside Press', 'Harbor Médias'];
const GROUPS = ['Lakeside North', 'Südgruppe', 'Harbor 100%', 'a_b'];
const OWNERS = ['Ana Ruiz', 'Ben Okafor', 'José Ñandú', '한국어'];
const DEFINITIONS = ['Android App', 'Website for Harbor', 'PWA'];
const LANGUAGES = ['fr', 'fr-CA', 'es-419', 'qu', 'iw', 'spa', 'FR-x', 'Klingon', 'constructor'];
const NAMES = ['Harvest', 'Élan north', 'ﬁlm ①', 'French for Ana', '50% off', 'x_y', 'Straße'];

describe('[wire 5.2] a search', function () {
  this.timeout(120_000);
  let own: TestDatabase;
  let names: LanguageNames;
  const records = new Records();
  const viewers = {} as Record<Person, Viewer>;
  const devices = {} as Record<Person, MaintainedList>;

  before(async () => {
    own = await freshDatabase();
    const { db } = own;
    const file = await readFile('public/assets/language/search-names.json', 'utf8');
    names = languageNamesIn(JSON.parse(file));

    const owners = await Promise.all(OWNERS.map((name) => aUser(db, { name })));
    const at = <T>(list: readonly T[], index: number) => list[index % list.length] as T;
    const organizations = [];
    for (const name of ORGANIZATIONS)
      organizations.push(await anOrganization(db, { name, owner: at(owners, 0).id }));
    const groups = [];
    for (const [i, name] of GROUPS.entries())
      groups.push(await aGroup(db, { name, owner: at(organizations, i).id }));
    const definitions = [];
    for (const name of DEFINITIONS)
      definitions.push(await aRecord(db, 'productDefinition', { name }));
    // Of sixty-three projects no two are alike.
    for (const [i, language] of LANGUAGES.entries())
      for (const [j, name] of NAMES.entries()) {
        const number = i * NAMES.length + j;
        const group = at(groups, number % 5);
        const project = await aProject(db, {
          name,
          language,
          group: group.id,
          organization: group.owner,
          owner: number % 7 === 0 ? null : at(owners, number % 11).id,
          isPublic: number % 2 === 0,
          dateArchived: number % 13 === 0 ? '2026-01-31T09:30:00.000Z' : null,
        });
        for (const [k, { id }] of definitions.entries())
          if ((number >> k) % 2 === 0)
            await aProduct(db, { project: project.id, productDefinition: id });
      }
    const people: Record<Person, string> = {
      member: (await aMember(db, at(organizations, 0).id)).id,
      outsider: (await aMember(db, (await anOrganization(db)).id)).id,
      super: (await aUser(db)).id,
    };
    await aRole(db, people.super, 'SuperAdmin', null);

    await db.read(async (tx) => {
      for (const type of READ)
        for (const record of await tx.all(type, {})) records.put(type, record);
      for (const name of PEOPLE) viewers[name] = await loadViewer(tx, people[name]);
    });
    for (const name of PEOPLE) devices[name] = deviceOf(viewers[name]);
  });
  after(() => own.close());

  /** A device that has all that `viewer` sees, and nothing else. */
  function deviceOf(viewer: Viewer): MaintainedList {
    const store = new RecordStore();
    const set = READ.flatMap((type) =>
      records
        .all(type, {})
        .filter((record) => mayRead(viewer, type, record, records))
        .map((record) => ({
          ...(patchOf(type, record.id, record) as StoreRecord),
          meta: { version: record.version },
        })),
    );
    store.apply({ set, remove: [] });
    return new MaintainedList(
      store,
      'project',
      {},
      {},
      { names: () => names, viewer: () => viewer },
    );
  }

  const onDevice = (who: Person, term: string): string[] =>
    devices[who].found(wordsOf(term)).map(({ record }) => record.id);

  async function onServer(who: Person, ...terms: readonly string[]): Promise<string[]> {
    const viewer = viewers[who];
    const asked = new URLSearchParams(terms.map((term) => ['filter[search-term]', term]));
    const query = parseQuery('project', asked, 'list');
    const rows = await own.db.read(async (tx) => {
      const { where } = await queryClausesOf(tx, 'project', query, viewer);
      return tx.query<{ readonly id: string }>(sql`
        select a.id from ${sql.table(tableOf('project'))} as ${sql.id(LISTED)}
        where ${sql.join([visibleSql('project', LISTED, viewer), ...where], sql` and `)}`);
    });
    return rows.map(({ id }) => id).toSorted();
  }

  /** Finds by both, which have to agree. */
  async function found(who: Person, term: string): Promise<string[]> {
    const here = onDevice(who, term).toSorted();
    expect(await onServer(who, term), `${who}: ${term}`).to.deep.equal(here);
    return here;
  }

  const projects = (wanted: (text: string) => boolean, field: 'name' | 'language'): string[] =>
    records
      .all('project', {})
      .filter((project) => wanted(project[field]))
      .map(({ id }) => id)
      .toSorted();

  it('finds the same projects in SQL and on the device, for whoever searches and whatever', async () => {
    const vocabulary = [
      ...[...ORGANIZATIONS, ...GROUPS, ...OWNERS, ...DEFINITIONS, ...LANGUAGES, ...NAMES],
      ...[
        'French',
        'francés',
        'Quechua',
        'runasimi',
        'hébreu',
        'espanol',
        'nobody',
        '%',
        '_',
        '\\',
      ],
    ].flatMap((text) => text.split(' '));
    const part = fc
      .tuple(fc.constantFrom(...vocabulary), fc.nat(3), fc.integer({ min: 1, max: 12 }))
      .map(([text, from, length]) => text.slice(from, from + length));
    const term = fc
      .tuple(fc.array(part, { maxLength: 3 }), fc.boolean(), fc.constantFrom(' ', '\u00a0', '  '))
      .map(([parts, isLoud, blank]) => {
        const text = parts.join(blank);
        return isLoud ? text.toUpperCase() : text;
      });
    const counts = { nothing: 0, some: 0, fewerOutside: 0 };
    await fc.assert(
      fc.asyncProperty(term, async (search) => {
        const by = new Map<Person, number>();
        for (const who of PEOPLE) by.set(who, (await found(who, search)).length);
        counts[by.get('super') === 0 ? 'nothing' : 'some'] += 1;
        if ((by.get('outsider') ?? 0) < (by.get('super') ?? 0)) counts.fewerOutside += 1;
      }),
      { seed: 20260131, numRuns: 100, endOnFailure: true },
    );

    for (const [what, count] of Object.entries(counts)) expect(count, what).to.be.above(5);
  });

  it('finds by words of several texts, and by a language in whatever language', async () => {
    for (const search of ['Lakeside French', 'lakeside francais', 'francés north'])
      expect(await found('super', search), search).to.not.deep.equal([]);
    const hebrew = projects((language) => language === 'iw', 'language');
    for (const search of ['hebrew', 'Hébreu', 'עברית'])
      expect(await found('super', search), search).to.deep.equal(hebrew);
    const spanish = projects((language) => ['spa', 'es-419'].includes(language), 'language');
    expect(await found('super', 'castellano español')).to.deep.equal([]);
    expect(await found('super', 'español')).to.deep.equal(spanish);
    expect(await found('member', 'PWA harvest')).to.not.deep.equal([]);
  });

  it('finds nothing by a group for an outsider, who does not see it', async () => {
    expect(await found('outsider', 'sudgruppe')).to.deep.equal([]);
    expect(await found('super', 'sudgruppe')).to.not.deep.equal([]);
    expect(await found('outsider', 'website')).to.not.deep.equal([]);
  });

  it('takes %, _ and \\ for themselves, and finds everything by no word', async () => {
    expect(await found('super', '50% off')).to.have.length(LANGUAGES.length);
    expect(await found('super', 'x_')).to.deep.equal(projects((name) => name === 'x_y', 'name'));
    expect(await found('super', '\\')).to.deep.equal([]);
    for (const blank of [' \u3000', '\0'])
      expect(await found('super', blank)).to.have.length(LANGUAGES.length * NAMES.length);
  });

  it('takes U+0000 for white space', async () => {
    expect(await found('super', 'north\0lakeside')).to.not.deep.equal([]);
    expect(await found('super', '\0harv\0')).to.deep.equal(await found('super', 'harv'));
  });

  it('takes the first ten words of all terms together', async () => {
    const ten = ['h', 'ha', 'har', 'harv', 'harve', 'harves', 'harvest', 'a', 'ar', 'arv'];
    const all = projects((name) => name === 'Harvest', 'name');
    expect(await found('super', [...ten, 'nobody'].join(' '))).to.deep.equal(all);
    expect(
      await onServer('super', ten.slice(0, 5).join(' '), ten.slice(5).join(' '), 'nobody'),
    ).to.deep.equal(all);
    expect(await onServer('super', 'harvest', 'nobody')).to.deep.equal([]);
  });

  it('finds by a letter that is in the names of thousands of languages', async () => {
    const qu = projects((language) => language === 'qu', 'language');
    expect(await found('super', 'a')).to.include.members(qu);
    expect(await found('super', 'a a')).to.deep.equal(await found('super', 'A'));
  });
});
