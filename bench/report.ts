import { writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { round } from './figure.ts';
import type { Figure } from './figure.ts';

/** Everything of one run, as it is written to `results.json` beside this file. */
export interface Results {
  readonly conditions: Readonly<Record<string, string | number>>;
  readonly figures: readonly Figure[];
}

/**
 * The conditions under which the times were measured: trust the ratios inside a run, not the
 * values.
 */
export function conditionsNow(
  more: Readonly<Record<string, string | number>>,
): Results['conditions'] {
  return {
    ...more,
    node: process.version,
    processors: cpus().length,
    processor: cpus()[0]?.model ?? '',
    loadAverage: round(loadavg()[0] ?? 0),
  };
}

/** Prints the figures as a table, and writes them to `results.json`. */
export function report({ conditions, figures }: Results): void {
  for (const figure of figures) print(figure);
  const targets = figures.flatMap((figure) => figure.targets);
  const missed = targets.filter(({ isMet }) => !isMet).length;
  process.stdout.write(`\n${JSON.stringify(conditions)}\n`);
  process.stdout.write(`${targets.length - missed} targets met, ${missed} missed\n`);
  const rounded = figures.map((figure) => ({
    ...figure,
    ours: round(figure.ours),
    against: Object.fromEntries(
      Object.entries(figure.against).map(([name, value]) => [name, round(value)]),
    ),
  }));
  const json = `${JSON.stringify({ conditions, figures: rounded }, null, 2)}\n`;
  writeFileSync(new URL('./results.json', import.meta.url), json);
}

function print({ what, unit, ours, against, targets }: Figure): void {
  process.stdout.write(`\n${what}\n  ours ${String(round(ours)).padStart(22)} ${unit}\n`);
  for (const [name, value] of Object.entries(against)) {
    const ratio = `× ${String(round(ours / value))}`;
    process.stdout.write(
      `  ${name.padEnd(18)} ${String(round(value)).padStart(8)} ${unit}  ${ratio}\n`,
    );
  }
  for (const { says, isMet } of targets)
    process.stdout.write(`  ${isMet ? 'met   ' : 'MISSED'} ${says}\n`);
}
