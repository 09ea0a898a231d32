import type { Services } from '../domain/services.ts';
import { playDemo } from './play.ts';
import { makeProjects } from './projects.ts';
import { DEMO_AT, demoServices } from './script.ts';

const AT_ONCE = 100;

/** Makes the demo's projects up to the number `count`; returns how many were not there before. */
export async function seedProjects(real: Services, count: number): Promise<number> {
  await playDemo(real);
  // Playing the demo, and seeding before, has drawn from its repeating chance what would come again.
  const services = { ...demoServices(real), random: real.random };
  let made = 0;
  for (let from = 1; from <= count; from += AT_ONCE) {
    const to = Math.min(count, from + AT_ONCE - 1);
    made += await services.db.write({ at: DEMO_AT, by: null, changes: [] }, (write) =>
      makeProjects(services, write, from, to),
    );
  }
  return made;
}
