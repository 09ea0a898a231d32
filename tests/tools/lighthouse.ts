import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from '../../webpack.config.ts';
import { apiOf } from '../end-to-end/api.ts';
import { untilDemoRests } from '../end-to-end/demo-at-rest.ts';
import { builder } from '../end-to-end/people.ts';
import { BROWSER_FLAGS, findBrowser } from '../support/browser.ts';
import { freshFolder, spawnServer } from '../support/server.ts';

/**
 * `npm run lighthouse [-- RUNS]`: Lighthouse on the pages that strangers see first, of a built server
 * with demo data; the median of five runs. It fails below the scores that each page has to have.
 * Lighthouse weighs more than all our tests, so npm fetches it when this runs.
 */

const LIGHTHOUSE = 'lighthouse@12.8.2';
const RUNS = Number(process.argv[2] ?? 5);
const CATEGORIES = ['performance', 'accessibility', 'best-practices'] as const;

type Scores = Readonly<Record<(typeof CATEGORIES)[number], number>>;
interface Visit {
  readonly name: string;
  readonly path: string;
  /** The phone is Lighthouse's own: a slow one on a slow network. */
  readonly preset: 'phone' | 'desktop';
  /** What its medians have to be at least, of 100. */
  readonly least: Scores;
}

const least = (performance: number): Scores => ({
  performance,
  accessibility: 100,
  'best-practices': 95,
});

interface Report {
  readonly lighthouseVersion: string;
  readonly categories: Readonly<
    Record<
      string,
      {
        readonly score: number | null;
        readonly auditRefs: readonly { readonly id: string; readonly weight: number }[];
      }
    >
  >;
  readonly audits: Readonly<
    Record<string, { readonly title: string; readonly score: number | null }>
  >;
}

await build({ ifStale: true });
const { path: chrome, env } = await findBrowser();
const folder = mkdtempSync(join(tmpdir(), 'slipway-lighthouse-'));
const server = await spawnServer({ DATA_DIR: freshFolder(), DEMO: '1' });
try {
  await untilDemoRests(server.url);
  const visits: readonly Visit[] = [
    { name: 'download page', path: await downloadPage(), preset: 'phone', least: least(95) },
    { name: '/login', path: '/login', preset: 'desktop', least: least(95) },
    { name: '/login', path: '/login', preset: 'phone', least: least(80) },
  ];
  const all: boolean[] = [];
  for (const visit of visits) all.push(await holds(visit));
  if (all.includes(false)) process.exitCode = 1;
} finally {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** The page of an app where there are the tools to build one, else of a site. */
async function downloadPage(): Promise<string> {
  const api = await apiOf(server.url, builder);
  for (const { id, attributes } of await api.list('/api/products?page[limit]=500')) {
    const app = `/downloads/apk/${id}/published`;
    if ((await fetch(`${server.url}${app}`)).ok) return app;
    const link = attributes?.['publish-link'];
    const path = typeof link === 'string' ? new URL(link).pathname : '';
    if (path.startsWith('/downloads/') && (await fetch(`${server.url}${path}`)).ok) return path;
  }
  throw new Error('The demo has published nothing');
}

/** Prints the medians of a page, and which audits cost it points; says whether they are enough. */
async function holds({ name, path, preset, least: wanted }: Visit): Promise<boolean> {
  const reports: Report[] = [];
  for (let run = 0; run < RUNS; run += 1) reports.push(await visited(path, preset));
  const scores = CATEGORIES.map((category) => {
    const each = reports.map((report) => scoreIn(report, category)).sort((a, b) => a - b);
    const median = each[Math.floor(each.length / 2)] ?? 0;
    return { category, median, each, isEnough: median >= wanted[category] };
  });
  process.stdout.write(`${name}, ${preset} (Lighthouse ${reports[0]?.lighthouseVersion ?? ''})\n`);
  for (const { category, median, each, isEnough } of scores)
    process.stdout.write(
      `  ${isEnough ? ' ' : '!'} ${category} ${String(median)}, at least ${String(wanted[category])} (${each.join(' ')})\n`,
    );
  for (const line of costly(reports.at(-1))) process.stdout.write(`      ${line}\n`);
  return scores.every(({ isEnough }) => isEnough);
}

function scoreIn({ categories }: Report, category: string): number {
  return Math.round((categories[category]?.score ?? 0) * 100);
}

/** The audits that count and are not perfect, with their scores. */
function costly(report: Report | undefined): readonly string[] {
  if (report === undefined) return [];
  const refs = CATEGORIES.flatMap((category) => report.categories[category]?.auditRefs ?? []);
  return refs
    .filter(({ weight }) => weight > 0)
    .map(({ id }) => ({ id, audit: report.audits[id] }))
    .filter(({ audit }) => audit !== undefined && audit.score !== null && audit.score < 0.9)
    .map(({ id, audit }) => `${id}: ${String(audit?.score)} ${audit?.title ?? ''}`);
}

/** One run, in a browser and with a profile of its own. */
async function visited(path: string, preset: Visit['preset']): Promise<Report> {
  const output = join(folder, 'report.json');
  await promisify(execFile)(
    'npx',
    [
      '--yes',
      LIGHTHOUSE,
      `${server.url}${path}`,
      '--quiet',
      '--output=json',
      `--output-path=${output}`,
      `--only-categories=${CATEGORIES.join(',')}`,
      `--chrome-flags=--headless=new ${BROWSER_FLAGS.join(' ')}`,
      ...(preset === 'desktop' ? ['--preset=desktop'] : []),
    ],
    { env: { ...process.env, ...env, CHROME_PATH: chrome } },
  );
  return JSON.parse(readFileSync(output, 'utf8')) as Report;
}
