import type { ProductTransition } from '#schema/product-transition.ts';
import type { UserTask } from '#schema/user-task.ts';
import type { Of } from '#schema/index.ts';
import type { WorkflowFacts } from '#server/domain/workflow/guards.ts';
import type { Machine } from '#server/domain/workflow/machine.ts';
import { machines } from '#server/domain/workflow/machines/machines.ts';
import { start, step } from '#server/domain/workflow/step.ts';
import type { WorkflowEvent, WorkflowSnapshot } from '#server/domain/workflow/step.ts';
import { taskChanges, tasksOf } from '#server/domain/workflow/tasks.ts';
import {
  lastComment,
  namesOf,
  rowsOfStart,
  rowsOfStep,
  rowsOfWay,
  wayFrom,
} from '#server/domain/workflow/transitions.ts';
import type { Names } from '#server/domain/workflow/transitions.ts';
import { recordOf } from '../../../support/records.ts';

export const OLA = 'Ola, the owner';
export const ADA = 'Ada, an admin';
export const ABE = 'Abe, an admin too';
export const AVA = 'Ava, an author';

/** A project with an owner, two admins, one author and a reviewer; people are called by their ids. */
export function known(differs: Partial<WorkflowFacts> = {}): WorkflowFacts {
  return {
    actors: { Owner: [OLA], OrgAdmin: [ADA, ABE], Author: [AVA] },
    hasReviewers: true,
    hasJob: false,
    newestBuild: { buildId: 7, versionCode: '12' },
    awaited: 'the newest',
    isArchived: false,
    parameters: {},
    ...differs,
  };
}

/** The machine whose scheme is called `AppBuilders_` and `name`. */
export function theMachine(name: string): Machine {
  const machine = machines.get(`AppBuilders_${name}`);
  if (machine === undefined) throw new Error(`No scheme is called ${name}`);
  return machine;
}

export const build = (is: 'succeeded' | 'failed'): WorkflowEvent =>
  is === 'failed'
    ? { is: 'build failed', about: 'the newest', consoleUrl: '/console' }
    : { is: 'build succeeded', about: 'the newest' };

export const release = (is: 'succeeded' | 'failed'): WorkflowEvent =>
  is === 'failed'
    ? { is: 'release failed', about: 'the newest', consoleUrl: '/console' }
    : { is: 'release succeeded', about: 'the newest' };

export const word = (
  command: string,
  by: string,
  comment: string | null = null,
): WorkflowEvent => ({
  is: 'command',
  command,
  by,
  comment,
});

interface Changes<R> {
  readonly removed: readonly string[];
  readonly changed: readonly { readonly id: string; readonly fields: Partial<R> }[];
  readonly added: readonly Partial<R>[];
}

/**
 * One workflow of one product, with the records that it writes, stored as a server would store
 * them.
 */
export class Life {
  readonly machine: Machine;
  known: WorkflowFacts;
  /** It is null once the workflow is over. */
  standing: WorkflowSnapshot | null;
  rows: readonly ProductTransition[] = [];
  tasks: readonly UserTask[] = [];
  /** The number of records of either kind that were written so far. */
  written = 0;
  #names: Names;
  #seconds = 0;
  /** False: tasks alone, which is half the work. */
  readonly #keepsRows: boolean;

  constructor(machine: Machine, facts: WorkflowFacts, keepsRows = true) {
    this.machine = machine;
    this.#keepsRows = keepsRows;
    this.known = facts;
    this.#names = namesOf(facts.actors, (user) => user);
    const began = start(machine, facts);
    if (began.is === 'refused') throw new Error(began.because);
    this.standing = began;
    const cause = { at: this.#now(), by: OLA };
    this.#write((way) => rowsOfStart(machine, [], began, way, this.#names, cause));
    this.#writeTasks(true);
  }

  /** Sends an event and returns the outcome of `step`; the records follow. */
  give(event: WorkflowEvent): ReturnType<typeof step> {
    if (this.standing === null) throw new Error('It is over');
    const outcome = step(this.machine, this.standing, this.known, event);
    if (outcome.is === 'refused') return outcome;
    this.standing = outcome.is === 'moved' ? outcome : null;
    const at = this.#now();
    this.#write((way) => rowsOfStep(this.machine, this.rows, outcome, way, this.#names, at));
    this.#writeTasks(outcome.is !== 'moved' || outcome.isNewVisit);
    return outcome;
  }

  /** The world changes around it (U7, U8). */
  learn(differs: Partial<WorkflowFacts>): void {
    this.known = { ...this.known, ...differs };
    this.#names = namesOf(this.known.actors, (user) => user);
    this.#write((way) => rowsOfWay(this.machine, this.rows, way));
    this.#writeTasks(false);
  }

  get state(): string | null {
    return this.standing?.state ?? null;
  }

  #now(): string {
    this.#seconds += 1;
    return new Date(Date.UTC(2026, 0, 31) + this.#seconds * 1_000).toISOString();
  }

  #write(changes: (way: ReturnType<typeof wayFrom>) => Changes<ProductTransition>): void {
    if (!this.#keepsRows) return;
    const { machine, standing: snapshot, known: facts } = this;
    const way = snapshot === null ? [] : wayFrom(machine, snapshot, facts, this.#names);
    this.rows = this.#after('productTransition', this.rows, changes(way));
  }

  #writeTasks(isNewVisit: boolean): void {
    const wanted =
      this.standing === null
        ? []
        : tasksOf(this.machine, this.standing, this.known, lastComment(this.rows));
    this.tasks = this.#after('userTask', this.tasks, taskChanges(this.tasks, wanted, isNewVisit));
  }

  #after<T extends 'productTransition' | 'userTask'>(
    type: T,
    before: readonly Of<T>[],
    { removed, changed, added }: Changes<Of<T>>,
  ): readonly Of<T>[] {
    this.written += removed.length + changed.length + added.length;
    const kept = before
      .filter(({ id }) => !removed.includes(id))
      .map((record) => {
        const change = changed.find(({ id }) => id === record.id);
        return change === undefined ? record : { ...record, ...change.fields };
      });
    return [...kept, ...added.map((fields) => recordOf(type, fields))];
  }
}
