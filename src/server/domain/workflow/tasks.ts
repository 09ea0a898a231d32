import type { Product } from '#schema/product.ts';
import type { UserTask } from '#schema/user-task.ts';
import type { WorkflowFacts } from './guards.ts';
import type { Machine } from './machine.ts';
import type { Actor } from './scheme.ts';
import { commandsOf, openSteps } from './step.ts';
import type { WorkflowSnapshot } from './step.ts';

/** The content of a task, without its product. */
type Task = Pick<
  UserTask,
  'activityName' | 'status' | 'comment' | 'commands' | 'user' | 'assigned'
> & { readonly user: string };

/**
 * Returns the tasks that exist while a workflow stands `at` (domain 5.2): one for everyone who is
 * an actor of one of its commands. `comment` is the last comment (`lastComment`).
 */
export function tasksOf(
  machine: Machine,
  at: WorkflowSnapshot,
  facts: WorkflowFacts,
  comment: string | null,
): readonly Task[] {
  const { assigned } = waitOf(machine, at, facts);
  const open = openSteps(machine, at, facts);
  const people = new Set(open.flatMap(({ who }) => facts.actors[who]));

  return [...people].map((user) => ({
    user,
    activityName: at.state,
    status: at.state,
    comment,
    commands: commandsOf(machine, at, facts, user),
    assigned: assigned === user ? user : null,
  }));
}

/** Who a product waits for: who does the forward step, and the person who alone can. */
type Wait = Pick<Product, 'waitingFor' | 'assigned'>;

/** Returns whom a workflow that stands `at` waits for; nobody in an archived project. */
export function waitOf(machine: Machine, at: WorkflowSnapshot, facts: WorkflowFacts): Wait {
  const open = openSteps(machine, at, facts);
  const forward = open.find(({ direction }) => direction === 'forward');
  if (forward === undefined) return NO_WAIT;
  const [able = null, ...more] = facts.actors[forward.who];
  return { waitingFor: WAITING_FOR[forward.who], assigned: more.length === 0 ? able : null };
}

export const NO_WAIT: Wait = { waitingFor: null, assigned: null };

const WAITING_FOR = {
  Owner: 'owner',
  OrgAdmin: 'admins',
  Author: 'authors',
} as const satisfies Readonly<Record<Actor, Wait['waitingFor']>>;

/** Returns true when a workflow waits for people and there is nobody it could wait for (U9). */
export function waitsForNobody(
  machine: Machine,
  at: WorkflowSnapshot,
  facts: WorkflowFacts,
): boolean {
  const open = openSteps(machine, at, facts);
  return open.length > 0 && open.every(({ who }) => facts.actors[who].length === 0);
}

export interface TaskChanges {
  readonly removed: readonly string[];
  readonly changed: readonly { readonly id: string; readonly fields: Partial<Task> }[];
  readonly added: readonly Task[];
}

/**
 * Returns the changes that turn the present tasks into the wanted ones. A new visit begins with new
 * tasks; within a visit a task keeps its id, and one that is the same is left alone (U4, U5).
 */
export function taskChanges(
  present: readonly UserTask[],
  wanted: readonly Task[],
  isNewVisit: boolean,
): TaskChanges {
  const kept = isNewVisit
    ? []
    : wanted.flatMap((task) => {
        const before = present.find(({ user }) => user === task.user);
        return before === undefined ? [] : [{ before, task }];
      });
  return {
    removed: present
      .filter((task) => !kept.some(({ before }) => before === task))
      .map(({ id }) => id),
    changed: kept
      .map(({ before, task }) => ({ id: before.id, fields: differences(before, task) }))
      .filter(({ fields }) => Object.keys(fields).length > 0),
    added: wanted.filter((wantedTask) => !kept.some(({ task }) => task === wantedTask)),
  };
}

/** Returns the fields of `task` that differ from `before`. */
function differences(before: UserTask, task: Task): Partial<Task> {
  return Object.fromEntries(
    Object.entries(task).filter(
      ([field, value]) => JSON.stringify(before[field as keyof Task]) !== JSON.stringify(value),
    ),
  );
}
