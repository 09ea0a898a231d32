import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { testedAsItIs, testedWithout } from './fault-runs.ts';
import type { Tested } from './fault-runs.ts';
import { handlings } from './fault-table.ts';
import type { Handling } from './fault-table.ts';

/**
 * `npm run faults [-- [--at-once W] N …]`: takes what handles each fault out, for one process or in
 * a copy of the tree, and reports whether a test of that fault turns red by it. The exit code
 * is 0 only if one does for every fault, and all are green as the tree stands.
 */

const FAULTS = 46;
/** Broken code says nothing about the fault. */
const BROKEN = /^(ReferenceError|SyntaxError)\b/;

interface Outcome {
  readonly isShown: boolean;
  readonly says: string;
}

function judge(asItIs: readonly Tested[], without: readonly Tested[]): Outcome {
  const red = without.find(({ failure }) => failure !== null && !BROKEN.test(failure));
  const broken = without.find(({ failure }) => failure !== null && BROKEN.test(failure));
  const bad = asItIs.find(({ failure }) => failure !== null);
  if (bad !== undefined) return missing(`red as it stands: ${bad.title}: ${String(bad.failure)}`);
  if (asItIs.length === 0) return missing('no test of it ran');
  if (broken !== undefined) return missing(`the code broke: ${String(broken.failure)}`);
  if (red === undefined) return missing('its tests stay green without its handling');
  return { isShown: true, says: `red without it: ${short(red.title)} (${String(red.failure)})` };
}

const missing = (why: string): Outcome => ({ isShown: false, says: `NOT SHOWN: ${why}` });

const short = (text: string): string => (text.length > 90 ? `${text.slice(0, 89)}…` : text);

async function outcomeOf(handling: Handling, folder: string): Promise<Outcome> {
  try {
    const asItIs = await testedAsItIs(handling, folder);
    const isGreen = asItIs.length > 0 && asItIs.every(({ failure }) => failure === null);
    return judge(asItIs, isGreen ? await testedWithout(handling, folder) : []);
  } catch (error) {
    return missing(error instanceof Error ? error.message : String(error));
  }
}

async function report(handling: Handling, folder: string): Promise<boolean> {
  const { fault, test, file } = handling;
  const { isShown, says } = await outcomeOf(handling, folder);
  process.stdout.write(`${String(fault).padStart(2)}  ${file}  ${test}\n      ${says}\n`);
  return isShown;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'at-once': { type: 'string', default: '1' } },
});
const all = Array.from({ length: FAULTS }, (_, i) => i + 1);
const wanted = positionals.length === 0 ? all : positionals.map(Number);
const waiting = handlings.filter(({ fault }) => wanted.includes(fault));
const shown = new Set<number>();
const folder = mkdtempSync(join(tmpdir(), 'slipway-faults-'));

async function work(): Promise<void> {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
    if (await report(next, folder)) shown.add(next.fault);
}

try {
  await Promise.all(Array.from({ length: Number(values['at-once']) }, work));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
const left = wanted.filter((fault) => !shown.has(fault));
const rest = left.length === 0 ? '' : `; not shown: ${left.join(', ')}`;
process.stdout.write(`${String(shown.size)} of ${String(wanted.length)}${rest}\n`);
process.exitCode = left.length === 0 && shown.size > 0 ? 0 : 1;
