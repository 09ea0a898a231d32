import type { Data } from '../../src/data/model/data.ts';
import type { Tab } from './browser.ts';
import { checkContent, checkOnce, verdictsIn } from './check.ts';
import type { Place } from './place.ts';
import type { Outcome } from './run.ts';
import { calm } from './weather.ts';
import { World } from './world.ts';

const AT_ONCE = 100;
const LOOK_EVERY = 10_000;
const CUT = ['cut-before', 'cut-after', 'cut-within', 'half', 'portal', 'repeated'] as const;

/** `count` changes of one person, whose requests and answers are cut at random: each is applied once. */
export async function manyChanges(place: Place, seed: number, count: number): Promise<Outcome> {
  const world = await World.make(place, { seed });
  const cuts = cutAtRandom(world);
  const [ana] = world.people;
  if (ana === undefined) throw new Error('Nobody is there');
  const tab = world.addDevice('a', ana).open(ana);
  await world.until(() => tab.data?.viewerStatus.view() === 'ready');

  const wrong: string[] = [];
  const reviewers = new Reviewers(world, tab);
  let accepted = 0;
  for (let made = 0; made < count && wrong.length === 0; made += AT_ONCE) {
    reviewers.change(Math.min(AT_ONCE, count - made));
    if (!(await world.until(() => reviewers.areAnswered, 600_000))) wrong.push(`stuck at ${made}`);
    const isTime = (made + AT_ONCE) % LOOK_EVERY === 0 || made + AT_ONCE >= count;
    if (!isTime) continue;
    const verdicts = await verdictsIn(world);
    accepted = verdicts.accepted.size;
    wrong.push(...(await checkOnce(world, verdicts)), ...checkContent(world));
    world.network.deliveries.length = 0;
  }
  if (accepted !== count) wrong.push(`${accepted} of ${count} changes were accepted`);
  world.server.kill();
  return {
    seed,
    wrong,
    digest: world.schedule.digest(),
    faults: cuts,
    verdicts: { accepted },
    states: {},
    acts: {},
    changes: count,
    steps: world.schedule.steps,
    lines: null,
  };
}

/** Almost every third request or answer comes to grief; gives how many did, and how. */
function cutAtRandom({ network, chance }: World): Readonly<Record<string, number>> {
  const cuts: Record<string, number> = {};
  const own = chance.branch('cuts');
  network.weather = {
    ...calm(network.chance),
    fateOf: () => {
      if (!own.is(0.3)) return { is: 'well' };
      const is = own.any(CUT);
      cuts[is] = (cuts[is] ?? 0) + 1;
      return { is };
    },
  };
  return cuts;
}

/** Someone adds reviewers to a project, and takes those away that were added before. */
class Reviewers {
  readonly #world: World;
  readonly #tab: Tab;
  #there: string[] = [];
  #added = 0;
  #isBusy = false;

  constructor(world: World, tab: Tab) {
    this.#world = world;
    this.#tab = tab;
  }

  get areAnswered(): boolean {
    const view = this.#tab.data?.changes.view();
    return !this.#isBusy && view?.waiting === 0 && view.attention === 0;
  }

  change(count: number): void {
    const { data } = this.#tab;
    if (data === null) return;
    this.#isBusy = true;
    this.#world.schedule.plan(this.#tab, `${count} changes`, () => {
      void this.#change(data, count).then(() => {
        this.#isBusy = false;
      });
    });
  }

  async #change(data: Data, count: number): Promise<void> {
    const project = data.find.all('project', {})[0]?.id ?? '';
    const going = this.#there.slice(0, Math.floor(count / 2));
    this.#there = this.#there.slice(going.length);
    for (const id of going) await data.remove('reviewer', id, ['changes.reviewer.remove', {}]);
    for (let left = count - going.length; left > 0; left -= 1) {
      this.#added += 1;
      const name = `Reviewer ${this.#added}`;
      const fields = { name, email: `r${this.#added}@example.org`, project };
      this.#there.push(await data.add('reviewer', fields, ['changes.reviewer.add', { name }]));
    }
  }
}
