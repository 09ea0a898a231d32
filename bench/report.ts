import { writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';

/** What we do, and what the computer does at best. */
export interface Figure {
  readonly what: string;
  readonly limit: string;
  readonly unit: 'ms' | 'per s';
  readonly ours: number;
  readonly best: number;
}

const round = (value: number) => Number(value.toPrecision(3));

/** Prints the figures as a table, and writes them to `results.json` beside this file. */
export function report(database: string, measured: readonly Figure[]): void {
  const figures = measured.map(({ ours, best, ...rest }) => ({
    ...rest,
    ours: round(ours),
    best: round(best),
    ratio: round(ours / best),
  }));
  const conditions = {
    database,
    node: process.version,
    processors: cpus().length,
    loadAverage: round(loadavg()[0] ?? 0),
  };
  for (const { what, limit, unit, ours, best, ratio } of figures) {
    const columns = [what.padEnd(50), of(ours, unit), limit.padEnd(34), of(best, unit)];
    process.stdout.write(`${columns.join('  ')}  × ${String(ratio)}\n`);
  }
  process.stdout.write(`${JSON.stringify(conditions)}\n`);
  const json = `${JSON.stringify({ conditions, figures }, null, 2)}\n`;
  writeFileSync(new URL('./results.json', import.meta.url), json);
}

const of = (value: number, unit: Figure['unit']) =>
  `${String(value).padStart(7)} ${unit.padEnd(5)}`;
