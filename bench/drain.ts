import { aCause, newId } from '../tests/support/make.ts';
import { freshPlace, openAt } from '../tests/support/database.ts';
import type { Place } from '../tests/support/database.ts';
import { prepare } from '../tests/support/prepared.ts';
import type { Prepared } from '../tests/support/prepared.ts';
import { spawnServer } from '../tests/support/server.ts';
import { openBench } from './browser.ts';
import { atMost } from './figure.ts';
import type { Figure } from './figure.ts';
import { median } from './measure.ts';

/**
 * Measures how long a device that comes back needs to send what it did meanwhile, over a slow line.
 */

const EDITS = 1_000;
const ROUND_TRIP_MS = 50;
const ROUNDS = 5;

/** On the PostgreSQL of `DATABASE_URL`, if there is one, and embedded. */
export async function drain(): Promise<Figure[]> {
  const url = process.env.DATABASE_URL ?? '';
  const figures: Figure[] = [];
  for (const [name, at] of [['PostgreSQL', url] as const, ['embedded', ''] as const]) {
    if (name === 'PostgreSQL' && at === '') continue;
    const ms = await drainAt(await freshPlace(at));
    figures.push({
      what: `${EDITS} queued edits, sent over a ${ROUND_TRIP_MS} ms round trip, ${name}`,
      unit: 'ms',
      ours: ms,
      against: {},
      targets: name === 'PostgreSQL' ? [atMost(ms, 3_000, 'ms')] : [],
    });
  }
  return figures;
}

async function drainAt(place: Place): Promise<number> {
  const prepared = await prepare(place);
  await addProjects(place, prepared);
  const server = await spawnServer(prepared.env);
  const bench = await openBench(
    { drain: './bench/page/drain.ts' },
    {
      files: {},
      viewer: prepared.user,
      server: { port: server.port, roundTripMs: ROUND_TRIP_MS },
    },
  );
  try {
    return await bench.inPage('drain', async (page) => {
      const call = <T>(step: string): Promise<T> => page.evaluate<T>(`steps.${step}`);
      await call(`open('${prepared.token}', ${EDITS})`);
      const took: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const waiting = await call<number>(`edit(${round})`);
        const [ms = 0, attention = 0] = await call<number[]>('drain()');
        if (waiting !== EDITS || attention > 0)
          throw new Error(`${waiting} waited and ${attention} need attention`);
        took.push(ms);
      }
      return median(took.sort((a, b) => a - b));
    });
  } finally {
    await bench.close();
    await server.stop();
    await place.remove();
  }
}

async function addProjects(place: Place, prepared: Prepared): Promise<void> {
  const { organization, group, type, user: owner } = prepared;
  const { db, close } = await openAt(place);
  await db.write(aCause(), async (w) => {
    for (let n = 0; n < EDITS; n += 1)
      await w.insert('project', {
        id: newId(),
        name: `Project ${n}`,
        language: 'en-US',
        organization,
        group,
        type,
        owner,
      });
  });
  await close();
}
