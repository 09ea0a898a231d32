import { expect } from 'chai';
import { ENGINE_STATES } from '#rules/product-status.ts';
import { TASK_GROUPS, taskGroupOf } from '#rules/task/task-group.ts';
import type { TaskGroup } from '#rules/task/task-group.ts';
import type { Product } from '#schema/product.ts';
import { NO_FLAGS } from '#server/domain/workflow/guards.ts';
import type { Machine } from '#server/domain/workflow/machine.ts';
import { machines } from '#server/domain/workflow/machines/machines.ts';
import { isFinal, isPersons, START } from '#server/domain/workflow/steps.ts';
import type { State } from '#server/domain/workflow/steps.ts';
import { tasksOf, waitOf } from '#server/domain/workflow/tasks.ts';
import { aViewer, Records } from '../../../support/records.ts';
import { ADA, AVA, known, OLA } from './life.ts';

// Covers rules/task/task-group.ts.

/** The group in which each person who has a task of a product in a state has it. */
const EXPECTED: Readonly<Partial<Record<State, Readonly<Record<string, TaskGroup>>>>> = {
  'Readiness Check': { [OLA]: 'to-do' },
  Approval: { [ADA]: 'to-approve' },
  'Approval Pending': { [ADA]: 'to-approve' },
  'App Builder Configuration': { [OLA]: 'to-do' },
  'Author Configuration': { [OLA]: 'handed-over', [AVA]: 'to-do' },
  'Synchronize Data': { [OLA]: 'to-do' },
  'Author Download': { [OLA]: 'handed-over', [AVA]: 'to-do' },
  'Author Upload': { [OLA]: 'handed-over', [AVA]: 'to-do' },
  'App Store Preview': { [ADA]: 'to-approve' },
  'Verify and Publish': { [OLA]: 'to-verify' },
};

/** An owner or an admin does these, by the scheme. */
const STORE_STEPS: ReadonlySet<State> = new Set(['Create App Store Entry', 'Make It Live']);

function statesOf({ steps }: Machine): readonly State[] {
  const states = steps.flatMap(({ from, to }) => [from, to]);
  return [...new Set(states)].filter((state) => state !== START && !isFinal(state));
}

/** A product in `state`, and its project, as those see it who have a task of it. */
function aProductIn(machine: Machine, state: State, fields: Partial<Product> = {}) {
  const db = new Records();
  const organization = db.add('organization').id;
  const project = db.add('project', { organization, owner: OLA }).id;
  db.add('author', { project, user: AVA });
  const at = { state, flags: NO_FLAGS };
  const wait = waitOf(machine, at, known());
  const standing = { project, workflowState: state, failure: null, ...wait, ...fields };
  const product = db.add('product', standing);
  const tasks = tasksOf(machine, at, known(), null);
  for (const task of tasks) db.add('userTask', { ...task, product: product.id });
  const groupOf = (user: string): TaskGroup => {
    const memberOf = new Set([organization]);
    const viewer = aViewer({ id: user, memberOf, authorIn: user === AVA ? memberOf : new Set() });
    const task = tasks.find((one) => one.user === user) ?? null;
    return taskGroupOf(viewer, product, task, db);
  };
  return { tasks, groupOf };
}

describe('[screens 5] the groups of tasks', () => {
  for (const machine of machines.values())
    it(`are one for each task in each state of ${machine.name}`, () => {
      const seen = statesOf(machine).filter((state) => {
        const { tasks, groupOf } = aProductIn(machine, state);
        const groups = Object.fromEntries(
          [OLA, ADA, AVA]
            .filter((user) => tasks.some((task) => task.user === user))
            .map((user) => [user, groupOf(user)]),
        );
        if (STORE_STEPS.has(state)) expect(Object.values(groups), state).to.deep.equal(['to-do']);
        else expect(groups, state).to.deep.equal(EXPECTED[state] ?? {});
        return tasks.length > 0;
      });
      const ofPeople = machine.steps.filter(isPersons).map(({ from }) => from);
      expect(new Set(seen)).to.deep.equal(new Set(ofPeople));
      for (const state of statesOf(machine))
        expect(seen.includes(state), state).to.equal(!ENGINE_STATES.some((one) => one === state));
    });

  it('have the products of an owner that others are at as handed over', () => {
    for (const machine of machines.values())
      for (const state of statesOf(machine)) {
        const { tasks, groupOf } = aProductIn(machine, state);
        const isOwn = tasks.some(({ user }) => user === OLA);
        if (!isOwn) expect(groupOf(OLA), state).to.equal('handed-over');
      }
  });

  it('have what failed before all else, while it is the person’s turn', () => {
    for (const machine of machines.values())
      for (const state of statesOf(machine)) {
        const { tasks, groupOf } = aProductIn(machine, state, { failure: 'build' });
        for (const { user, commands } of tasks) {
          const isHanded = commands.join() === 'Take Back';
          const expected = isHanded ? 'handed-over' : 'failed';
          if ([OLA, ADA, AVA].includes(user)) expect(groupOf(user), state).to.equal(expected);
        }
      }
  });

  it('have a task that has lost its product among what is to be done', () => {
    const task = { status: 'Approval', commands: ['Approve', 'Hold', 'Reject'] };
    expect(taskGroupOf(aViewer(), null, task, new Records())).to.equal('to-do');
  });

  it('stand in the order of what is most pressing', () => {
    expect(TASK_GROUPS).to.deep.equal([
      'failed',
      'to-verify',
      'to-approve',
      'to-do',
      'handed-over',
    ]);
  });
});
