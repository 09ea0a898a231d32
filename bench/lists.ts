import { sql } from 'kysely';
import pg from 'pg';
import { readBuildFigures } from '#server/access/build-figures.ts';
import type { Database, DatabaseTransaction } from '#server/db/database.ts';
import { freshDatabase } from '../tests/support/database.ts';
import {
  explaining,
  fillOrganization,
  firstPage,
  lists,
  RARE,
} from '../tests/support/large-organization.ts';
import type { LargeOrganization } from '../tests/support/large-organization.ts';
import { median, repeated, timed } from './measure.ts';
import { round, within } from './figure.ts';
import type { Figure } from './figure.ts';

/**
 * The first pages of lists in an organization with `PROJECTS` projects, on the PostgreSQL of
 * `DATABASE_URL`, beside the same questions written by hand. The total is counted apart: it grows
 * with the number of projects whoever asks. Says which large tables are read row by row. Then the
 * figures of its builds, of which it has as many.
 */

const PROJECTS = Number(process.env.PROJECTS ?? '100000');
const TIMES = 100;
const BUILDS_OF_EACH = 10;
const BUILD_WEEKS = 12;
/** A server that has answered a while is measured, not one that has just begun. */
const WARM_UP = 30;

export async function largeLists(): Promise<readonly Figure[]> {
  const own = await freshDatabase();
  const { db, databaseUrl } = own;
  try {
    if (databaseUrl === null) return [];
    const [ms, large] = await timed(() => fillOrganization(db, databaseUrl, PROJECTS));
    process.stderr.write(`${PROJECTS} projects in ${round(ms / 1_000)} s\n`);
    const figures: Figure[] = [];
    for (const [name, query] of Object.entries(lists(large.viewer))) {
      const counts: number[] = [];
      const ours: number[] = [];
      const byHand: number[] = [];
      await repeated(TIMES, async () => {
        // In turns, so that both have the same of what else the computer does.
        const [took, count] = await db.read((tx) => pageWithoutCount(tx, large, query));
        ours.push(took);
        counts.push(count);
        byHand.push((await timed(() => db.read((tx) => handwritten(tx, large, name))))[0]);
      });
      const scans = await scansOf(large, query);
      const [page, hand, count] = [ours, byHand, counts].map((all) =>
        median(all.slice(WARM_UP).sort((a, b) => a - b)),
      ) as [number, number, number];
      figures.push({
        what: `First page of ${PROJECTS} projects ${name}, its total apart (${round(count)} ms); read row by row: ${scans}`,
        unit: 'ms',
        ours: page,
        against: { 'by hand': hand },
        targets: [within(page, hand, 3)],
      });
    }
    figures.push(await figuresOfBuilds(db, databaseUrl, large));
    return figures;
  } finally {
    await own.close();
  }

  async function scansOf(of: LargeOrganization, query: string): Promise<string> {
    const tables = new Set<string>();
    await db.read((tx) =>
      firstPage(
        explaining(tx, ({ isCount, scanned }) => {
          for (const table of scanned) tables.add(isCount ? `${table} to count` : table);
        }),
        of,
        query,
      ),
    );
    const small = /^(users|groups|organizations|organization_memberships)$/;
    const large = [...tables].filter((table) => !small.test(table));
    return large.length === 0 ? 'nothing' : large.join(', ');
  }
}

/** What an admin sees of all builds, beside the same questions without what makes them visible. */
async function figuresOfBuilds(
  db: Database,
  databaseUrl: string,
  { id, viewer }: LargeOrganization,
): Promise<Figure> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  for (const statement of BUILDS) await client.query(statement, [id, BUILDS_OF_EACH]);
  await client.query('vacuum (analyze)');
  const { rows } = await client.query<{ n: number }>(
    'select count(*)::integer as n from product_builds where build_id > 0',
  );
  await client.end();
  const ours: number[] = [];
  const byHand: number[] = [];
  await repeated(TIMES, async () => {
    ours.push(
      (await timed(() => db.read((tx) => readBuildFigures(tx, viewer, id, Date.now()))))[0],
    );
    byHand.push((await timed(() => db.read((tx) => countedByHand(tx, id))))[0]);
  });
  const [took, hand] = [ours, byHand].map((all) =>
    median(all.slice(WARM_UP).sort((a, b) => a - b)),
  ) as [number, number];
  return {
    what: `Builds of ${BUILD_WEEKS} weeks in figures, of ${rows[0]?.n ?? 0} builds and as many steps`,
    unit: 'ms',
    ours: took,
    against: { 'by hand': hand },
    targets: [within(took, hand, 3)],
  };
}

/** Builds, and steps that waited, of each product of an organization, over the last weeks. */
const BUILDS = [
  `insert into product_builds (id, version, date_created, date_updated, product_id, build_id, success)
    select md5('week ' || n || products.id)::uuid, 1, moment, moment, products.id, n,
      n % 4 <> 0
    from products join projects on projects.id = project_id,
      generate_series(1, $2::integer) as n,
      lateral (select now() - (abs(hashtext(products.id::text || n)) % ${BUILD_WEEKS * 7 * 24})
        * interval '1 hour' as moment) as made
    where organization_id = $1::uuid`,
  `insert into product_transitions (id, version, date_created, date_updated, product_id,
      transition_type, initial_state, date_started, date_transition)
    select md5('step ' || n || products.id)::uuid, 1, moment, moment, products.id, 1,
      'Step ' || n, moment - n * interval '1 hour', moment
    from products join projects on projects.id = project_id,
      generate_series(1, $2::integer) as n,
      lateral (select now() - (abs(hashtext(n || products.id::text)) % ${BUILD_WEEKS * 7 * 24})
        * interval '1 hour' as moment) as made
    where organization_id = $1::uuid`,
];

/** The same figures for who sees everything. */
async function countedByHand(tx: DatabaseTransaction, organization: string): Promise<void> {
  const since = sql`now() - ${BUILD_WEEKS} * interval '1 week'`;
  const within = sql`join products on products.id = product_id
    join projects on projects.id = project_id where organization_id = ${organization}::uuid`;
  await tx.query(sql`select date_trunc('week', b.date_created) as begins,
      count(*) filter (where success) as built, count(*) filter (where not success) as failed,
      count(*) filter (where success is null) as building
    from product_builds as b ${within} and b.date_created >= ${since} group by 1`);
  await tx.query(sql`select initial_state, count(*), percentile_cont(0.5) within group
      (order by date_transition - t.date_started)
    from product_transitions as t ${within} and transition_type = 1 and date_transition >= ${since}
      and t.date_started is not null and initial_state is not null
    group by 1 order by 3 desc, 1 limit 10`);
}

/** Measures how long a page takes, and how long its total. */
async function pageWithoutCount(
  tx: DatabaseTransaction,
  large: LargeOrganization,
  query: string,
): Promise<readonly [page: number, count: number]> {
  let count = 0;
  const counted: DatabaseTransaction = {
    one: (type, id) => tx.one(type, id),
    many: (type, ids) => tx.many(type, ids),
    all: (type, where) => tx.all(type, where),
    query: async (statement) => {
      const [ms, rows] = await timed(() => tx.query(statement));
      const [row] = rows as readonly Readonly<Record<string, unknown>>[];
      if (rows.length === 1 && Object.keys(row ?? {}).join() === 'n') count += ms;
      return rows;
    },
  };
  const [all] = await timed(() => firstPage(counted, large, query));
  return [all - count, count];
}

/** Runs the queries that somebody would write who knew this one request, and who sends it. */
async function handwritten(
  tx: DatabaseTransaction,
  { id, viewer }: LargeOrganization,
  name: string,
): Promise<void> {
  const where = {
    'by name': sql`date_archived is null order by name_key, id`,
    'by activity': sql`date_active is not null order by date_active desc nulls last, id`,
    'one’s own': sql`owner_id = ${viewer.id}::uuid and date_archived is null order by name_key, id`,
    'by a word': sql`date_archived is null and name_key like ${`%${RARE}%`} order by name_key, id`,
    'by two words': sql`date_archived is null and name_key like ${`%${RARE}%`}
      and split_part(language_key, '-', 1) = 'en' order by name_key, id`,
    'by a language': sql`date_archived is null and split_part(language_key, '-', 1) = 'qu'
      order by name_key, id`,
  }[name];
  const page = await tx.query(
    sql<Readonly<Record<'id' | 'group_id' | 'owner_id', string>>>`select * from projects
      where organization_id = ${id}::uuid and ${where} limit 20`,
  );
  const of = (field: 'id' | 'group_id' | 'owner_id') => [...new Set(page.map((row) => row[field]))];
  await tx.query(sql`select * from organizations where id = ${id}::uuid`);
  await tx.query(sql`select * from groups where id = any(${of('group_id')}::uuid[])`);
  await tx.query(sql`select * from users where id = any(${of('owner_id')}::uuid[])`);
  await tx.query(sql`select * from products where project_id = any(${of('id')}::uuid[])`);
}
