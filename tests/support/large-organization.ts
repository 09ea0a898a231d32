import pg from 'pg';
import { sql } from 'kysely';
import type { DataDocument } from '#protocol/document.ts';
import type { Viewer } from '#rules/viewer.ts';
import { listDocument, listScope } from '#server/http/api/list.ts';
import { parseQuery } from '#server/http/api/query/parse.ts';
import type { Database, DatabaseTransaction } from '#server/db/database.ts';
import { loadViewer } from '#server/access/viewer.ts';
import { aGroup, aMember, anOrganization, aRecord } from './make.ts';

/** An organization that has as many projects as anybody could want, on PostgreSQL. */
export interface LargeOrganization {
  readonly id: string;
  /** A member, to whom one project in a hundred belongs. */
  readonly viewer: Viewer;
}

/** One project in a thousand has this word in its name, and another one is in Quechua. */
export const RARE = 'quillwort';

/** In the name of a definition, which is a product of those in Quechua. */
export const RARE_DEFINITION = 'fenberry';

/**
 * Fills an organization by SQL, without news: of ten projects one has a product with a build and an
 * artifact. A second one, a quarter as large, is there to be left alone.
 */
export async function fillOrganization(
  db: Database,
  databaseUrl: string,
  projects: number,
): Promise<LargeOrganization> {
  const [large, other] = [await anOrganization(db), await anOrganization(db)];
  const type = (await aRecord(db, 'applicationType', { name: 'large' })).id;
  const definition = (await aRecord(db, 'productDefinition', { type })).id;
  const rare = (await aRecord(db, 'productDefinition', { type, name: RARE_DEFINITION })).id;
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const mine = await fill(large.id, projects);
  await fill(other.id, Math.ceil(projects / 4));
  // As the database does by itself once so much was inserted.
  await client.query('vacuum (analyze)');
  await client.end();
  return { id: large.id, viewer: await db.read((tx) => loadViewer(tx, mine)) };

  /** Returns who owns one in a hundred. */
  async function fill(organization: string, count: number): Promise<string> {
    const group = (await aGroup(db, { owner: organization })).id;
    const few = (await aMember(db, organization, { groups: [group] })).id;
    const most = (await aMember(db, organization, { groups: [group] })).id;
    await client.query(
      `insert into projects (id, version, date_created, date_updated, name, name_key, language,
          language_key, description, is_public, allow_downloads, automatic_builds, date_archived, date_active,
          organization_id, group_id, type_id, owner_id)
        select md5('project ' || $1 || n)::uuid, 1, moment, moment, name, lower(name), tag,
          lower(tag), repeat('Stories for reading aloud, with pictures. ', n % 11), n % 5 <> 0, true, false, case when n % 10 = 0 then moment end,
          case when n % 2 = 0 then moment end, $1::uuid, $2::uuid, $3::uuid,
          case when n % 100 = 1 then $4::uuid else $5::uuid end
        from generate_series(1, $6::integer) as n,
          lateral (select timestamptz '2026-01-01' + n * interval '1 minute' as moment,
            case when n % 1000 = 7 then '${RARE} ' else '' end || substr(md5(n::text), 1, 8)
              || ' book ' || n as name,
            case when n % 1000 = 8 then 'qu-PE' else 'en-US' end as tag) as made`,
      [organization, group, type, few, most, count],
    );
    await client.query(
      `insert into products (id, version, date_created, date_updated, project_id, product_definition_id)
        select md5('product ' || id)::uuid, 1, date_created, date_created, id, $2::uuid
        from projects where organization_id = $1 and extract(minute from date_created)::integer % 10 = 1`,
      [organization, definition],
    );
    await client.query(
      `insert into products (id, version, date_created, date_updated, project_id, product_definition_id)
        select md5('rare product ' || id)::uuid, 1, date_created, date_created, id, $2::uuid
        from projects where organization_id = $1 and language = 'qu-PE'`,
      [organization, rare],
    );
    await client.query(
      `insert into product_builds (id, version, date_created, date_updated, product_id)
        select md5('build ' || products.id)::uuid, 1, products.date_created, products.date_created,
          products.id
        from products join projects on projects.id = project_id where organization_id = $1`,
      [organization],
    );
    await client.query(
      `insert into product_artifacts (id, version, date_created, date_updated, product_id,
          product_build_id)
        select md5('artifact ' || builds.id)::uuid, 1, builds.date_created, builds.date_created,
          builds.product_id, builds.id
        from product_builds builds join products on products.id = builds.product_id
        join projects on projects.id = project_id where organization_id = $1`,
      [organization],
    );
    return few;
  }
}

/** The lists of the screens: by name, by activity, one’s own, by words. */
export const lists = (viewer: Viewer): Readonly<Record<string, string>> => ({
  'by name': 'filter[date-archived]=isnull:&sort=name',
  'by activity': 'filter[date-active]=isnotnull:&sort=-date-active',
  'one’s own': `filter[owner-id]=${viewer.id}&filter[date-archived]=isnull:&sort=name`,
  'by a word': `filter[search-term]=${RARE}&filter[date-archived]=isnull:&sort=name`,
  'by two words': `filter[search-term]=${RARE} english&filter[date-archived]=isnull:&sort=name`,
  'by a language': `filter[search-term]=quechua&filter[date-archived]=isnull:&sort=name`,
  'by a definition': `filter[search-term]=${RARE_DEFINITION}&filter[date-archived]=isnull:&sort=name`,
});

/** The first page of a list, with what the screen shows beside each project. */
export function firstPage(
  tx: DatabaseTransaction,
  { id, viewer }: LargeOrganization,
  asked: string,
): Promise<DataDocument> {
  return pageOfList(tx, viewer, asked, id);
}

/** A page of a list of `organization`, or of all; the first one unless `asked` says which. */
export function pageOfList(
  tx: DatabaseTransaction,
  viewer: Viewer,
  asked: string,
  organization: string | null,
): Promise<DataDocument> {
  const address = `${asked}&page[size]=20&include=organization,group,owner,products`;
  const query = parseQuery('project', new URLSearchParams(address), 'list');
  const within = listScope('project', viewer, query, organization);
  return listDocument(tx, viewer, 'project', query, within, `/api/projects?${address}`);
}

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Loops': number;
  /** On average of the loops. */
  readonly 'Actual Rows': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  /** Of an index that has all that is asked for: the rows that were looked at nevertheless. */
  readonly 'Heap Fetches'?: number;
  readonly Plans?: readonly Plan[];
}

export interface Explained {
  readonly isCount: boolean;
  /** Tables that were read row by row. */
  readonly scanned: readonly string[];
  /** How many rows of projects were looked at, in the table and not in an index alone. */
  readonly projectsRead: number;
}

/** `tx`, which tells of every statement first what of the tables it reads. */
export function explaining(
  tx: DatabaseTransaction,
  heard: (explained: Explained) => void,
): DatabaseTransaction {
  return {
    one: (type, id) => tx.one(type, id),
    many: (type, ids) => tx.many(type, ids),
    all: (type, where) => tx.all(type, where),
    query: async (statement) => {
      const rows = await tx.query(
        sql<{
          'QUERY PLAN': readonly [{ readonly Plan: Plan }];
        }>`explain (analyze, format json) ${statement}`,
      );
      const plans = rows.map((row) => row['QUERY PLAN'][0].Plan);
      const isCount = plans.some((plan) => plan['Node Type'] === 'Aggregate');
      const projectsRead = plans.reduce((sum, plan) => sum + projectsReadIn(plan), 0);
      heard({ isCount, scanned: plans.flatMap(scannedIn), projectsRead });
      return tx.query(statement);
    },
  };
}

function scannedIn(plan: Plan): string[] {
  const below = (plan.Plans ?? []).flatMap(scannedIn);
  const isScan = plan['Node Type'] === 'Seq Scan' && plan['Actual Loops'] > 0;
  const table = isScan ? plan['Relation Name'] : undefined;
  return table === undefined ? below : [table, ...below];
}

function projectsReadIn(plan: Plan): number {
  const below = (plan.Plans ?? []).reduce((sum, one) => sum + projectsReadIn(one), 0);
  if (plan['Relation Name'] !== 'projects') return below;
  if (plan['Heap Fetches'] !== undefined) return below + plan['Heap Fetches'];
  const removed = plan['Rows Removed by Filter'] ?? 0;
  const rechecked = plan['Rows Removed by Index Recheck'] ?? 0;
  return below + plan['Actual Loops'] * (plan['Actual Rows'] + removed + rechecked);
}
