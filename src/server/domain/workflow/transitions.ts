import { compareTexts } from '#rules/record/display.ts';
import type { ProductTransition } from '#schema/product-transition.ts';
import type { Product } from '#schema/product.ts';
import type { Project } from '#schema/project.ts';
import type { WorkflowFacts } from './guards.ts';
import type { Machine } from './machine.ts';
import type { Actor, WorkflowType } from './scheme.ts';
import type { Cancelled, Completed, Moved, WorkflowSnapshot, StepTaken } from './step.ts';
import { isFinal, isOpen, isPersons } from './steps.ts';

const ACTIVITY = 1;
const STARTED = 2;
const COMPLETED = 3;
const CANCELLED = 4;
const PROJECT_ACCESS = 5;

/** What a row says; its id and the product it is of stand outside. */
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

/** A step of the foreseeable way. */
type Foreseen = Pick<Row, 'initialState' | 'destinationState' | 'command' | 'allowedUserNames'>;

type Said = Omit<Row, 'dateStarted' | 'dateTransition'>;

/** Something that belongs into history now; foreseen, it has a row already among those to come. */
interface Event {
  readonly says: Said;
  readonly isForeseen: boolean;
}

type Rows = readonly ProductTransition[];

/** Who may do an actor's steps, by name, as a row says it. */
export type Names = Readonly<Record<Actor, string>>;

export interface RowChanges {
  readonly removed: readonly string[];
  readonly changed: readonly { readonly id: string; readonly fields: Partial<Row> }[];
  readonly added: readonly Row[];
}

/** When something happens (an instant), and who did it. */
interface Cause {
  readonly at: string;
  readonly by: string;
}

export function namesOf(actors: WorkflowFacts['actors'], nameOf: (user: string) => string): Names {
  const joined = (actor: Actor) => actors[actor].map(nameOf).toSorted(compareTexts).join(', ');
  return { Owner: joined('Owner'), OrgAdmin: joined('OrgAdmin'), Author: joined('Author') };
}

/**
 * The forward way on from where a workflow stands, up to a final state (T1); none in an archived
 * project (T8).
 */
export function wayFrom(
  { scheme, steps }: Machine,
  { state, flags }: WorkflowSnapshot,
  known: WorkflowFacts,
  names: Names,
): readonly Foreseen[] {
  const way: Foreseen[] = [];
  let at = state;
  while (!known.isArchived && !isFinal(at)) {
    const next = steps
      .filter(({ from, direction }) => from === at && direction === 'forward')
      .find((each) => isOpen(each, scheme, known, flags));
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

/** The rows of a start: that it began, and the way to come. */
export function rowsOfStart(
  { scheme: { type } }: Machine,
  present: Rows,
  { taken }: Moved,
  way: readonly Foreseen[],
  names: Names,
  { at, by }: Cause,
): RowChanges {
  const begun = unforeseen({ transitionType: STARTED, workflowType: type, workflowUserId: by });
  return changesOf(type, present, [begun, ...activities(type, taken, names)], way, at);
}

/** The rows of what a step came to: what happened, the end if it was one, and the way to come. */
export function rowsOfStep(
  { scheme: { type } }: Machine,
  present: Rows,
  outcome: Moved | Completed | Cancelled,
  way: readonly Foreseen[],
  names: Names,
  at: string,
): RowChanges {
  const events = [...activities(type, outcome.taken, names), ...endOf(type, outcome)];
  return changesOf(type, present, events, outcome.is === 'moved' ? way : [], at);
}

/** The way to come, when nothing happened but what is known changed (U7, U8). */
export function rowsOfWay(
  { scheme: { type } }: Machine,
  present: Rows,
  way: readonly Foreseen[],
): RowChanges {
  return wayChanges(type, present.filter(isToCome), way, sinceOf(present));
}

/** A row that tells of an access to the project's repository; it goes to each of its products. */
export function rowOfAccess(
  present: Rows,
  state: 'Project Download' | 'Project Upload',
  { at, by }: Cause,
): Row {
  return {
    ...unforeseen({
      transitionType: PROJECT_ACCESS,
      initialState: state,
      workflowUserId: by,
    }).says,
    dateStarted: sinceOf(present),
    dateTransition: after(newestOf(present), at),
  };
}

const unforeseen = (says: Partial<Said> & Pick<Said, 'transitionType'>): Event => ({
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
      return [unforeseen({ transitionType: COMPLETED, workflowType })];
    case 'cancelled':
      return [unforeseen({ transitionType: CANCELLED, workflowType, workflowUserId: outcome.by })];
  }
}

/** Writes `events` into history and makes the rows to come say `way`; only differences (T1). */
function changesOf(
  workflowType: WorkflowType,
  present: Rows,
  events: readonly Event[],
  way: readonly Foreseen[],
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

/** Makes the rows to come say `way`, the first of which is waited for since `since`. */
function wayChanges(
  workflowType: WorkflowType,
  toCome: Rows,
  way: readonly Foreseen[],
  since: string | null,
): RowChanges {
  const wanted = way.map((foreseen, place) => {
    const { says } = unforeseen({ transitionType: ACTIVITY, workflowType, ...foreseen });
    const row: Row = { ...says, dateStarted: place === 0 ? since : null, dateTransition: null };
    return { row, before: toCome.find((each) => isSameStep(each, foreseen)) };
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

/** Since when the next step is waited for: accesses to the project do not count (T6). */
const sinceOf = (rows: Rows) =>
  newestOf(rows.filter(({ transitionType }) => transitionType !== PROJECT_ACCESS));

const newestOf = (rows: Rows) =>
  rows.reduce<string | null>(
    (newest, { dateTransition: date }) =>
      newest === null || (date !== null && date > newest) ? date : newest,
    null,
  );

/** `at`, or a millisecond after `newest`: rows that happen together still have an order. */
function after(newest: string | null, at: string): string {
  return newest === null || at > newest ? at : new Date(Date.parse(newest) + 1).toISOString();
}

/** History by date, then the way to come, each row where the one before it ends. */
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

/** What was said last: with the newest step that has a command or a comment (U3). */
export function lastComment(rows: Rows): string | null {
  const said = inOrder(rows).filter(
    ({ transitionType, dateTransition, command, comment }) =>
      transitionType === ACTIVITY &&
      dateTransition !== null &&
      (command !== null || comment !== null),
  );
  return said.at(-1)?.comment ?? null;
}

/** When a project was last at work (D1): null while nothing runs in it, or it is archived. */
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
