import type { ResourceObject } from '#protocol/document.ts';
import type { FeedDocument, HubUpdateMessage } from '#protocol/operations.ts';
import type { Of, TypeName } from '#schema/index.ts';
import { resource } from '../tests/support/scripted-server.ts';

/**
 * The records that everyone is measured with: organizations, groups, people with memberships, and
 * projects with every field set, 2 products each, 2 builds each, 2 artifacts each.
 */
export interface Records {
  /** The feed document that brings them all, as text. */
  readonly text: string;
  readonly count: number;
  readonly projects: readonly string[];
  /** The person whose copy it is. */
  readonly viewer: string;
}

/** With 1,183 projects they are 20,000, as in `docs`; more projects bring more of the rest too. */
export const PROJECTS = 1_183;
const PEOPLE_PER_PROJECT = 0.846;

const WORDS = ['Harvest', 'Lake', 'Émile', 'Story', 'Psalm', 'River', 'Market', 'Song', 'Ñandú'];
const word = (n: number): string => WORDS[n % WORDS.length] ?? '';

/** Ids in order, the same in every run. */
export const idOf = (kind: number, n: number): string =>
  `0197${kind.toString(16).padStart(4, '0')}-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;

const FROM = Date.parse('2025-01-01T00:00:00.000Z');
const at = (n: number): string => new Date(FROM + n * 61_000).toISOString();

export const projectFields = (n: number): Partial<Of<'project'>> => ({
  name: `${word(n * 7)} ${word(n)} ${n}`,
  language: ['en', 'es-419', 'fr', 'qu', 'sw'][n % 5] ?? 'en',
  description: `The ${word(n)} of ${word(n + 3)}, told in ${n} parts and read aloud in every village.`,
  isPublic: n % 3 > 0,
  allowDownloads: n % 4 > 0,
  automaticBuilds: n % 5 > 0,
  dateArchived: null,
  dateActive: at(n),
  workflowProjectUrl: `https://workflow.example/projects/${n}`,
  location: `ssh://git.example/projects/${n}`,
  organization: idOf(1, n % 5),
  group: idOf(2, n % 50),
  type: idOf(3, 0),
  owner: idOf(4, n % 97),
});

export function makeRecords(projects = PROJECTS): Records {
  const records: ResourceObject[] = [];
  const add = <T extends TypeName>(type: T, id: string, fields: Partial<Of<T>>): string => {
    records.push(resource(type, id, fields, 1_000 + records.length));
    return id;
  };
  const people = Math.round(projects * PEOPLE_PER_PROJECT);
  add('applicationType', idOf(3, 0), { name: 'bookapp' });
  for (let n = 0; n < people; n += 1) addPerson(add, n);
  for (let n = 0; n < 5; n += 1)
    add('organization', idOf(1, n), { name: `${word(n)} Press`, owner: idOf(4, n) });
  for (let n = 0; n < 50; n += 1)
    add('group', idOf(2, n), {
      name: `${word(n)} Team ${n}`,
      abbreviation: `T${n}`,
      owner: idOf(1, n % 5),
    });
  for (let n = 0; n < people; n += 1)
    add('organizationMembership', idOf(5, n), { user: idOf(4, n), organization: idOf(1, n % 5) });
  let rest = Math.round((projects / PROJECTS) * 20_000) - records.length - projects * 15;
  for (let n = 0; rest > 0; n += 1, rest -= 1)
    add('groupMembership', idOf(6, n), { user: idOf(4, n % people), group: idOf(2, n % 50) });
  const ids = Array.from({ length: projects }, (_, n) => idOf(7, n));
  for (const [n, id] of ids.entries()) {
    add('project', id, projectFields(n));
    addProducts(add, n, id);
  }
  const meta = { cursor: cursorAt(0), more: false, phase: 'feed' } as const;
  const operations = records.map((data) => ({ op: 'update' as const, data }));
  const document: FeedDocument = { jsonapi: { version: '1.1' }, operations, meta };
  const text = JSON.stringify(document);
  return { text, count: records.length, projects: ids, viewer: idOf(4, 0) };
}

type Add = <T extends TypeName>(type: T, id: string, fields: Partial<Of<T>>) => string;

function addPerson(add: Add, n: number): void {
  add('user', idOf(4, n), {
    name: `${word(n)} ${word(n + 5)} ${n}`,
    givenName: word(n),
    familyName: word(n + 5),
    email: `person${n}@press.example`,
    phone: `+1 555 ${n}`,
    timezone: 'America/Lima',
    locale: 'es-419',
    profileVisibility: 1,
  });
}

function addProducts(add: Add, n: number, project: string): void {
  for (const p of [2 * n, 2 * n + 1]) {
    const product = add('product', idOf(8, p), {
      properties: `{"environment":{"app":${p}}}`,
      datePublished: at(p),
      dateBuilt: at(p),
      versionBuilt: `1.${p % 10}`,
      publishLink: `https://store.example/apps/${p}`,
      workflowState: 'Published',
      project,
      productDefinition: idOf(9, p % 2),
      store: idOf(10, 0),
    });
    for (const b of [2 * p, 2 * p + 1]) addBuild(add, b, product);
  }
}

function addBuild(add: Add, b: number, product: string): void {
  const productBuild = add('productBuild', idOf(11, b), {
    buildVersion: `1.${b % 10}.${b}`,
    buildId: b,
    success: b % 7 > 0,
    phase: 'completed',
    logUrl: `https://builds.example/${b}/log`,
    product,
  });
  for (const a of [2 * b, 2 * b + 1])
    add('productArtifact', idOf(12, a), {
      artifactType: a % 2 === 0 ? 'apk' : 'about',
      filename: `app-${a}.apk`,
      contentType: 'application/vnd.android.package-archive',
      fileSize: 1_000_000 + a,
      updated: at(a),
      url: `https://builds.example/${b}/app-${a}.apk`,
      product,
      productBuild,
    });
}

const cursorAt = (n: number): string => `a1b2.${String(10_000_000 + n).padStart(20, '0')}`;

/** The `nth` hub message since the load, with project `of` each renamed to `name`. */
export function renaming(
  nth: number,
  projects: readonly (readonly [n: number, name: string])[],
): string {
  const version = 10_000_000 + nth;
  const operations = projects.map(([n, name]) => ({
    op: 'update' as const,
    data: resource('project', idOf(7, n), { ...projectFields(n), name }, version),
  }));
  const message: HubUpdateMessage = {
    operations,
    meta: { cursor: cursorAt(nth), previous: cursorAt(nth - 1), changes: [], more: false },
  };
  return JSON.stringify(message);
}
