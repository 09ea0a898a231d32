import { expect } from 'chai';
import type { ProductTransition } from '#schema/product-transition.ts';
import type { WorkflowFacts } from '#server/domain/workflow/guards.ts';
import type { Machine } from '#server/domain/workflow/machine.ts';
import { machines } from '#server/domain/workflow/machines/machines.ts';
import { STARTUP } from '#server/domain/workflow/scheme.ts';
import { start, step } from '#server/domain/workflow/step.ts';
import type { WorkflowEvent, WorkflowSnapshot, StepTaken } from '#server/domain/workflow/step.ts';
import { inOrder } from '#server/domain/workflow/transitions.ts';
import { Chance } from '../../../simulation/chance.ts';
import { expectedTasks } from './duties.ts';
import { ABE, ADA, AVA, build, known, Life, OLA, release, word } from './life.ts';

const COMMANDS = [
  'Approve',
  'Reject',
  'Continue',
  'Hold',
  'Transfer to Authors',
  'Take Back',
  'New App',
  'Existing App',
  'Email Reviewers',
];

/** All events that a state could get but moves and cancels. */
const everything: readonly WorkflowEvent[] = [
  ...COMMANDS.flatMap((command) => [OLA, ADA, AVA].map((by) => word(command, by, 'So be it'))),
  { is: 'job created' },
  build('succeeded'),
  build('failed'),
  release('succeeded'),
  release('failed'),
];

const nobody = { ...known().actors, Author: [] };
const worlds: readonly WorkflowFacts[] = [true, false].flatMap((hasJob) => [
  known({ hasJob }),
  known({ hasJob, hasReviewers: false, actors: nobody }),
]);

/**
 * Returns the rule by which `machine` took a step; it took one `by` itself when there was no event.
 */
function ruleOf(
  machine: Machine,
  { from, to, command }: StepTaken,
  by: WorkflowEvent | null,
): string {
  const given = command ?? by?.is ?? 'job created';
  const found = machine.steps.find(
    (each) => each.from === from && each.to === to && each.given === given,
  );
  if (found === undefined) throw new Error(`No step leads from ${from} to ${to} by ${given}`);
  return found.rule;
}

/** The ways in which `machine` starts, each with its rule. */
function startsOf(machine: Machine): readonly (readonly [WorkflowSnapshot, rule: string])[] {
  const syncFirst = { ShouldExecute: { 'Synchronize Data': true } };
  const ways = [
    [{}, null],
    [syncFirst, null],
    // A product is rolled back by a rebuild alone, once it was published.
    ...(machine.scheme.type === STARTUP ? [] : [[{}, 'a build'] as const]),
  ] as const;
  return ways.map(([parameters, to]) => {
    const began = start(machine, known({ parameters }), to);
    if (began.is === 'refused') throw new Error(began.because);
    const by = to === null ? 'started' : 'roll back';
    const first = machine.steps.find((each) => each.given === by && each.to === began.state);
    return [began, first?.rule ?? ''];
  });
}

/** Returns all that `machine` does when it stands `at`, in every world. */
function doings(machine: Machine, at: WorkflowSnapshot) {
  return worlds.flatMap((world) =>
    everything.flatMap((event) => {
      const outcome = step(machine, at, world, event);
      if (outcome.is === 'refused' || outcome.is === 'cancelled') return [];
      const rules = outcome.taken.map((taken, i) => ruleOf(machine, taken, i === 0 ? event : null));
      return [{ outcome, rules }];
    }),
  );
}

/** Goes everywhere that `machine` leads, and returns which steps it took, and which in a row. */
function explore(machine: Machine) {
  const steps = new Set<string>();
  const pairs = new Set<string>();
  const deadEnds = new Set<string>();
  const seen = new Map<string, readonly [WorkflowSnapshot, before: string]>();
  const arrive = ({ state, flags }: WorkflowSnapshot, before: string) =>
    seen.set(JSON.stringify([state, flags, before]), [{ state, flags }, before]);

  for (const [at, rule] of startsOf(machine)) {
    steps.add(rule);
    arrive(at, rule);
  }
  for (const [at, before] of seen.values()) {
    const done = doings(machine, at);
    if (done.length === 0) deadEnds.add(at.state);
    for (const { outcome, rules } of done) {
      const inRow = [before, ...rules];
      rules.forEach((rule) => steps.add(rule));
      rules.forEach((rule, i) => pairs.add(`${inRow[i] ?? ''} ${rule}`));
      if (outcome.is === 'moved') arrive(outcome, inRow.at(-1) ?? '');
    }
  }
  return { steps, pairs, deadEnds };
}

/** Every two steps of which the second begins where the first ends. */
const adjoining = ({ steps }: Machine): readonly string[] =>
  steps.flatMap((one) =>
    steps.filter((next) => next.from === one.to).map((next) => `${one.rule} ${next.rule}`),
  );

/** The answers about the app before the first build decide which way that build leads. */
const CONTRADICTIONS = ['W13 W22', 'W14 W20', 'W14 W21'];

describe('[domain 4.2] every machine', () => {
  it('takes every step and every two steps in a row', function () {
    let [stepCount, pairCount] = [0, 0];
    for (const machine of machines.values()) {
      const { steps, pairs, deadEnds } = explore(machine);
      const possible = adjoining(machine).filter(
        (pair) => machine.scheme.family !== 'play' || !CONTRADICTIONS.includes(pair),
      );
      expect([...steps].sort(), machine.name).to.deep.equal(
        machine.steps.map(({ rule }) => rule).sort(),
      );
      expect([...pairs].sort(), machine.name).to.deep.equal([...possible].sort());
      expect([...deadEnds], machine.name).to.deep.equal([]);
      stepCount += steps.size;
      pairCount += pairs.size;
    }
    if (this.test !== undefined)
      this.test.title += ` (${stepCount} steps, ${pairCount} pairs of ${machines.size} machines)`;
  });
});

const WALKS = 10_000;
const LENGTH = 30;
/** Every so many walks keep their rows too. */
const WITH_ROWS = 10;

/** Returns what people and the engine may do to it now. */
function offered(life: Life): readonly WorkflowEvent[] {
  const { state, tasks, machine } = life;
  const commands = tasks.flatMap(({ user, commands: own }) =>
    own.map((command) => word(command, user ?? '', 'So be it')),
  );
  if (state === 'Product Creation') return [{ is: 'job created' }];
  if (state === 'Product Publish') return [release('succeeded'), release('failed')];
  const isBuilding = machine.movable.at(-1) === state;
  return isBuilding ? [build('succeeded'), build('failed')] : commands;
}

/** Returns a change of the world, such as an author who comes or goes. */
function changedFacts(chance: Chance): Partial<WorkflowFacts> {
  const some = <T>(people: readonly T[]) => people.filter(() => chance.is(0.6));
  return chance.any<Partial<WorkflowFacts>>([
    { actors: { Owner: [OLA], OrgAdmin: [ADA, ...some([ABE, OLA])], Author: some([AVA, OLA]) } },
    { hasReviewers: chance.is(0.5) },
    { hasJob: chance.is(0.5) },
    { newestBuild: chance.is(0.5) ? null : { buildId: chance.below(9), versionCode: '3' } },
    { isArchived: chance.is(0.3) },
  ]);
}

/** The tasks are exactly those that the actors of the state should have. */
function checkTasks({ tasks, standing: snapshot, machine, known: facts }: Life): void {
  const expected: ReturnType<typeof expectedTasks> =
    snapshot === null
      ? new Map<string, never>()
      : expectedTasks(snapshot.state, machine.scheme, facts);
  const found = new Map(tasks.map(({ user, commands }) => [user, commands]));
  const isSame =
    tasks.length === expected.size &&
    [...expected].every(([user, commands]) => String(found.get(user)) === String(commands)) &&
    tasks.every(({ status, activityName }) =>
      [status, activityName].every((name) => name === snapshot?.state),
    );
  // Put into words only when it fails: it is asked a hundred thousand times.
  if (!isSame) expect([...found], String(snapshot?.state)).to.deep.equal([...expected]);
}

/** The rows to come lead from where it stands to an end; there are none when it is over. */
function checkWay({ rows, standing: snapshot, known: facts }: Life): void {
  const toCome = rows.filter(({ dateTransition }) => dateTransition === null);
  if (snapshot === null || facts.isArchived) {
    if (toCome.length > 0) expect(toCome).to.deep.equal([]);
    return;
  }
  const way = inOrder(toCome);
  const leads = way.every(
    ({ initialState }, i) =>
      initialState === (i === 0 ? snapshot.state : way[i - 1]?.destinationState),
  );
  const isWhole = way.length === toCome.length && way.at(-1)?.destinationState === 'Published';
  if (!leads || !isWhole) expect.fail(`From ${snapshot.state}: ${JSON.stringify(way)}`);
}

/** History has no gap, neither in time nor in states, and ends when the workflow does. */
function checkHistory({ rows, standing: snapshot }: Life): void {
  const past = inOrder(rows.filter(({ dateTransition }) => dateTransition !== null));
  const [first, ...others] = past.map(({ transitionType }) => transitionType);
  const isOver = others.some((type) => type > 2);
  const end = snapshot?.state ?? past.at(-2)?.destinationState ?? null;
  const isWhole = first === 2 && isOver === (snapshot === null) && hasNoGap(past);
  if (!isWhole || !leadsTo(end, past)) expect.fail(JSON.stringify(past));
}

const hasNoGap = (past: readonly ProductTransition[]) =>
  past.every(
    ({ dateStarted, dateTransition: date }, i) =>
      dateStarted === (past[i - 1]?.dateTransition ?? null) && String(date) > (dateStarted ?? ''),
  );

function leadsTo(end: string | null, past: readonly ProductTransition[]): boolean {
  const steps = past.filter(({ transitionType }) => transitionType === 1);
  return steps.every(
    ({ destinationState }, i) => destinationState === (steps[i + 1]?.initialState ?? end),
  );
}

/** Sends `given`; a task lives exactly as long as its person and the visit of the state do. */
function giveAndCheckVisit(life: Life, event: WorkflowEvent): void {
  const before = life.tasks;
  const outcome = life.give(event);
  if (outcome.is === 'refused') expect.fail(`${JSON.stringify(event)}: ${outcome.because}`);
  const isSameVisit = outcome.is === 'moved' && !outcome.isNewVisit;
  for (const task of life.tasks) {
    const same = before.find(({ user }) => user === task.user);
    if (same !== undefined && (same.id === task.id) !== isSameVisit)
      expect.fail(`${String(task.user)} in ${String(task.status)}`);
  }
}

describe(`${WALKS} random walks of length ${LENGTH}`, () => {
  it('come to no dead end; tasks, and every tenth walk rows, are what they should be', function () {
    const all = [...machines.values()];
    const count = { steps: 0, over: 0, refused: 0 };
    for (let walk = 0; walk < WALKS; walk += 1) {
      const chance = new Chance(walk);
      const keepsRows = walk % WITH_ROWS === 0;
      const life = new Life(chance.any(all), known(), keepsRows);
      for (let i = 0; i < LENGTH && life.standing !== null; i += 1) {
        stroll(life, chance, count);
        count.steps += 1;
        checkTasks(life);
        if (keepsRows) checkWay(life);
      }
      if (keepsRows) checkHistory(life);
      if (life.standing === null) count.over += 1;
    }
    const { steps, over, refused } = count;
    if (this.test !== undefined)
      this.test.title += ` (${steps} steps, ${refused} refused, ${over} walks came to an end)`;
  });
});

function stroll(life: Life, chance: Chance, count: { refused: number }): void {
  if (chance.is(0.1)) {
    life.learn(changedFacts(chance));
    return;
  }
  if (chance.is(0.1)) {
    const event = chance.any(everything);
    const { tasks, rows, standing: snapshot } = life;
    if (life.give(event).is !== 'refused') return;
    count.refused += 1;
    const isAsBefore = life.tasks === tasks && life.rows === rows && life.standing === snapshot;
    if (!isAsBefore) expect.fail(`${JSON.stringify(event)} changed something`);
    return;
  }
  const choices = offered(life);
  if (choices.length === 0) {
    // Only an archived project stands still, and one that waits for authors who are no more.
    if (!life.known.isArchived) expect.fail(`Nothing leads on from ${String(life.state)}`);
    life.learn({ isArchived: false });
    return;
  }
  if (chance.is(0.02)) {
    life.give({ is: 'cancel', by: OLA });
    return;
  }
  giveAndCheckVisit(life, chance.any(choices));
}
