import { compareTexts } from '#rules/record/display.ts';
import {
  ACTIVITY,
  CANCELLED,
  COMPLETED,
  lastWordOf,
  PROJECT_ACCESS,
  STARTED,
} from '#rules/record/transitions.ts';
import type { ProductTransition } from '#schema/product-transition.ts';
import type { Product } from '#schema/product.ts';
import type { Project } from '#schema/project.ts';
import type { WorkflowFacts } from './guards.ts';
import type { Machine } from './machine.ts';
import type { Actor, WorkflowType } from './scheme.ts';
import type { Cancelled, Completed, Moved, WorkflowSnapshot, StepTaken } from './step.ts';
import { isFinal, isOpen, isPersons } from './steps.ts';

/** The content of a row, without its id and its product. */
type Row = Pick<
  ProductTransition,
  | 'transitionType'
  | 'workflowType'
  | 'initialState'
  | 'destinationState'
  | 'command'
  | 'allowedUserNames'
  | 'comment'
  | 'dateStarted'
  | 'dateTransition'
  | 'workflowUserId'
>;

/** A step of the way to come. */
type PlannedStep = Pick<Row, 'initialState' | 'destinationState' | 'command' | 'allowedUserNames'>;

type Said = Omit<Row, 'dateStarted' | 'dateTransition'>;

/** An entry for the history; if it was foreseen, it has a row already among those to come. */
interface Event {
  readonly says: Said;
  readonly isForeseen: boolean;
}

type Rows = readonly ProductTransition[];

/** The names of the people who may do an actor's steps, as a row shows them. */
export type Names = Readonly<Record<Actor, string>>;

export interface RowChanges {
  readonly removed: readonly string[];
  readonly changed: readonly { readonly id: string; readonly fields: Partial<Row> }[];
  readonly added: readonly Row[];
}

/** The instant of an event, and the person who caused it. */
interface Cause {
  readonly at: string;
  readonly by: string;
}

export function namesOf(actors: WorkflowFacts['actors'], nameOf: (user: string) => string): Names {
  const joined = (actor: Actor) => actors[actor].map(nameOf).toSorted(compareTexts).join(', ');
  return { Owner: joined('Owner'), OrgAdmin: joined('OrgAdmin'), Author: joined('Author') };
}

/**
 * Returns the forward way from where a workflow stands, up to a final state (T1); none in an
 * archived project (T8).
 */
export function wayFrom(
  { scheme, steps }: Machine,
  { state, flags }: WorkflowSnapshot,
  facts: WorkflowFacts,
  names: Names,
): readonly PlannedStep[] {
  const way: PlannedStep[] = [];
  let at = state;
  while (!facts.isArchived && !isFinal(at)) {
    const next = steps
      .filter(({ from, direction }) => from === at && direction === 'forward')
      .find((each) => isOpen(each, scheme, facts, flags));
    if (next === undefined) throw new Error(`No way leads on from ${at}`);
    way.push({
      initialState: next.from,
      destinationState: next.to,
      command: isPersons(next) ? next.given : null,
      allowedUserNames: next.who === null ? null : names[next.who],
    });
    at = next.to;
  }
  return way;
}

/** A comment that screens translate. */
const ROLLED_BACK = 'system.rolled-back';

/** Returns the rows of a start: that it began, and the way to come. */
export function rowsOfStart(
  { scheme: { type } }: Machine,
  present: Rows,
  { taken, flags }: Moved,
  way: readonly PlannedStep[],
  names: Names,
  { at, by }: Cause,
): RowChanges {
  const comment = flags.build === null ? null : ROLLED_BACK;
  const begun = unplanned({
    transitionType: STARTED,
    workflowType: type,
    workflowUserId: by,
    comment,
  });
  return changesOf(type, present, [begun, ...activities(type, taken, names)], way, at);
}

/**
 * Returns the rows of a step's outcome: what happened, the end if it was one, and the way to come.
 */
export function rowsOfStep(
  { scheme: { type } }: Machine,
  present: Rows,
  outcome: Moved | Completed | Cancelled,
  way: readonly PlannedStep[],
  names: Names,
  at: string,
): RowChanges {
  const events = [...activities(type, outcome.taken, names), ...endOf(type, outcome)];
  return changesOf(type, present, events, outcome.is === 'moved' ? way : [], at);
}

/** Returns the way to come, when nothing happened but the facts changed (U7, U8). */
export function rowsOfWay(
  { scheme: { type } }: Machine,
  present: Rows,
  way: readonly PlannedStep[],
): RowChanges {
  return wayChanges(type, present.filter(isToCome), way, sinceOf(present));
}

/** Returns a row for an access to the project's repository; it goes to each of its products. */
export function rowOfAccess(
  present: Rows,
  state: 'Project Download' | 'Project Upload',
  { at, by }: Cause,
): Row {
  return {
    ...unplanned({
      transitionType: PROJECT_ACCESS,
      initialState: state,
      workflowUserId: by,
    }).says,
    dateStarted: sinceOf(present),
    dateTransition: after(newestOf(present), at),
  };
}

const unplanned = (says: Partial<Said> & Pick<Said, 'transitionType'>): Event => ({
  isForeseen: false,
  says: {
    workflowType: null,
    initialState: null,
    destinationState: null,
    command: null,
    allowedUserNames: null,
    comment: null,
    workflowUserId: null,
    ...says,
  },
});

const activities = (
  workflowType: WorkflowType,
  taken: readonly StepTaken[],
  names: Names,
): readonly Event[] =>
  taken.map(({ from, to, who, isForeseen, command, comment, by }) => ({
    isForeseen,
    says: {
      transitionType: ACTIVITY,
      workflowType,
      initialState: from,
      destinationState: to,
      command,
      allowedUserNames: who === null ? null : names[who],
      comment,
      workflowUserId: by,
    },
  }));

function endOf(
  workflowType: WorkflowType,
  outcome: Moved | Completed | Cancelled,
): readonly Event[] {
  switch (outcome.is) {
    case 'moved':
      return [];
    case 'completed':
      return [unplanned({ transitionType: COMPLETED, workflowType })];
    case 'cancelled':
      return [unplanned({ transitionType: CANCELLED, workflowType, workflowUserId: outcome.by })];
  }
}

/** Writes `events` into history and makes the rows to come say `way`; only differences (T1). */
function changesOf(
  workflowType: WorkflowType,
  present: Rows,
  events: readonly Event[],
  way: readonly PlannedStep[],
  at: string,
): RowChanges {
  const changed: { id: string; fields: Partial<Row> }[] = [];
  const added: Row[] = [];
  let toCome = present.filter(isToCome);
  let since = sinceOf(present);
  let newest = newestOf(present);

  for (const { says, isForeseen } of events) {
    newest = after(newest, at);
    const dates = { dateStarted: since, dateTransition: newest };
    const row = isForeseen ? toCome.find((each) => isSameStep(each, says)) : undefined;
    if (row === undefined) added.push({ ...says, ...dates });
    else {
      const { comment, workflowUserId } = says;
      changed.push({ id: row.id, fields: { comment, workflowUserId, ...dates } });
      toCome = toCome.filter((each) => each !== row);
    }
    since = newest;
  }
  const ahead = wayChanges(workflowType, toCome, way, since);
  return {
    removed: ahead.removed,
    changed: [...changed, ...ahead.changed],
    added: [...added, ...ahead.added],
  };
}

/**
 * Changes the rows to come so that they show `way`, the first of which is waited for since `since`.
 */
function wayChanges(
  workflowType: WorkflowType,
  toCome: Rows,
  way: readonly PlannedStep[],
  since: string | null,
): RowChanges {
  const wanted = way.map((planned, place) => {
    const { says } = unplanned({ transitionType: ACTIVITY, workflowType, ...planned });
    const row: Row = { ...says, dateStarted: place === 0 ? since : null, dateTransition: null };
    return { row, before: toCome.find((each) => isSameStep(each, planned)) };
  });
  return {
    removed: toCome
      .filter((row) => !wanted.some(({ before }) => before === row))
      .map(({ id }) => id),
    changed: wanted.flatMap(({ row: { allowedUserNames, dateStarted }, before }) =>
      before === undefined ||
      (before.allowedUserNames === allowedUserNames && before.dateStarted === dateStarted)
        ? []
        : [{ id: before.id, fields: { allowedUserNames, dateStarted } }],
    ),
    added: wanted.filter(({ before }) => before === undefined).map(({ row }) => row),
  };
}

const isToCome = ({ dateTransition }: Pick<Row, 'dateTransition'>) => dateTransition === null;

type Between = Pick<Row, 'initialState' | 'destinationState' | 'command'>;
const isSameStep = (a: Between, b: Between) =>
  a.initialState === b.initialState &&
  a.destinationState === b.destinationState &&
  a.command === b.command;

/** Returns since when the next step is waited for: accesses to the project do not count (T6). */
const sinceOf = (rows: Rows) =>
  newestOf(rows.filter(({ transitionType }) => transitionType !== PROJECT_ACCESS));

const newestOf = (rows: Rows) =>
  rows.reduce<string | null>(
    (newest, { dateTransition: date }) =>
      newest === null || (date !== null && date > newest) ? date : newest,
    null,
  );

/** Returns `at`, or a millisecond after `newest`: rows of one moment still have an order. */
function after(newest: string | null, at: string): string {
  return newest === null || at > newest ? at : new Date(Date.parse(newest) + 1).toISOString();
}

/** Orders history by date, then the way to come, each row where the one before it ends. */
export function inOrder<R extends Row>(rows: readonly R[]): readonly R[] {
  const past = rows.filter((row) => !isToCome(row));
  const byDate = past.toSorted((a, b) =>
    (a.dateTransition ?? '') < (b.dateTransition ?? '') ? -1 : 1,
  );
  const toCome = rows.filter(isToCome);
  const way: R[] = [];
  let next = toCome.find(
    (row) => !toCome.some(({ destinationState }) => destinationState === row.initialState),
  );
  while (next !== undefined) {
    const last: R = next;
    way.push(last);
    next = toCome.find((row) => row.initialState === last.destinationState && !way.includes(row));
  }
  return [...byDate, ...way, ...toCome.filter((row) => !way.includes(row))];
}

/** Returns the last comment of the newest workflow (U3). */
export function lastComment(rows: Rows): string | null {
  return lastWordOf(rows)?.comment ?? null;
}

/**
 * Returns when a project was last active (D1): null while nothing runs in it, or it is archived.
 */
export function dateActiveOf(
  { dateArchived }: Pick<Project, 'dateArchived'>,
  products: readonly Pick<Product, 'dateUpdated' | 'productWorkflow'>[],
): string | null {
  if (dateArchived !== null) return null;
  return products
    .filter(({ productWorkflow }) => productWorkflow !== null)
    .reduce<string | null>(
      (newest, { dateUpdated }) =>
        newest === null || (dateUpdated ?? '') > newest ? dateUpdated : newest,
      null,
    );
}
