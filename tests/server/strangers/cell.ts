import type { TypeName } from '#schema/index.ts';
import type { Answer, Known } from './person.ts';
import { newId } from '../../support/make.ts';
import { sentIn } from './person.ts';
import type { Request, World } from './world.ts';

/** Ways in, besides feed and hub. */
export const WAYS = [
  'get',
  'related',
  'linkage',
  'get by operations',
  'list',
  'include',
  'filter',
  'sort',
  'header',
  'call',
  'write',
  'write by operations',
] as const;

type Way = (typeof WAYS)[number];

export interface Cell {
  readonly way: Way;
  /** The type whose scope keeps it closed. */
  readonly type: TypeName;
  readonly name: string;
  readonly request: Request;
  /**
   * Returns what is wrong with the answer to the stranger, besides secrets in it; null: nothing.
   */
  readonly wrong: (answer: Answer) => string | null;
  /** It names what does not exist for the stranger, and is answered as if it were nowhere. */
  readonly isBlind?: boolean;
  readonly twin: Twin;
}

/** The same request by someone entitled, or why there is nobody. */
export type Twin =
  | {
      readonly who: Known;
      readonly request: Request;
      readonly isRight: (answer: Answer) => boolean;
    }
  | { readonly nobody: string };

const said = (request: Request): string =>
  'by' in request ? JSON.stringify(request.operation) : sentIn(request);

/**
 * Sends the requests as the stranger and returns what must not have come, one line for each cell.
 * It is the one check of all tests.
 */
export async function leaksIn(world: World, cells: readonly Cell[]): Promise<string[]> {
  const found = await inTurns(cells, async (cell) => {
    const answer = await world.ask(world.stranger, cell.request);
    outcomes.set(cell, outcomeOf(answer));
    const secrets = world.secretsIn(answer.text, said(cell.request));
    const wrong = answer.status >= 500 ? 'a bug' : cell.wrong(answer);
    if (secrets.length === 0 && wrong === null) return null;
    const what = [wrong, ...secrets.slice(0, 3)].filter((one) => one !== null).join(', ');
    return `${nameOf(cell)}: ${what} (${String(answer.status)} ${answer.refusals.join()})`;
  });
  return found.filter((one) => one !== null);
}

/** Sends the requests as someone entitled, undoing what they do; returns those that fail. */
export async function failedTwins(world: World, cells: readonly Cell[]): Promise<string[]> {
  const found = await world.undoing(() =>
    inTurns(cells, async (cell) => {
      const { twin } = cell;
      if ('nobody' in twin) return null;
      const answer = await world.ask(twin.who, twin.request);
      if (twin.isRight(answer)) return null;
      return `${nameOf(cell)} by ${twin.who.name}: ${String(answer.status)} ${answer.refusals.join()} ${answer.text.slice(0, 200)}`;
    }),
  );
  return found.filter((one) => one !== null);
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** Returns the cells whose answer to the stranger tells what is hidden from what does not exist. */
export async function unlikeNowhere(world: World, cells: readonly Cell[]): Promise<string[]> {
  const found = await inTurns(cells, async (cell) => {
    const { request, isBlind } = cell;
    if (isBlind !== true || 'by' in request) return null;
    const there = outcomes.get(cell) ?? outcomeOf(await world.ask(world.stranger, request));
    const nowhere = outcomeOf(await world.ask(world.stranger, elsewhere(world, request)));
    return there === nowhere ? null : `${nameOf(cell)}: ${there}, but nowhere: ${nowhere}`;
  });
  return found.filter((one) => one !== null);
}

const outcomes = new WeakMap<Cell, string>();
const outcomeOf = ({ status, refusals }: Answer): string => [status, ...refusals].join(' ');

/** The same request about records that do not exist. */
function elsewhere<R extends Request>(world: World, request: R): R {
  const closed = [world.lakeside, world.quayside].flatMap(({ ids, spare, people }) => [
    ...Object.values(ids),
    ...Object.values(spare),
    ...Object.values(people).map(({ id }) => id),
  ]);
  const { ids, spare } = world.catalogue;
  const known = new Set([...Object.values(ids), ...Object.values(spare)]);
  const others = new Map(closed.map((id) => [id, known.has(id) ? id : newId()]));
  const text = JSON.stringify(request).replaceAll(UUID, (id) => others.get(id) ?? id);
  return JSON.parse(text) as R;
}

const nameOf = ({ way, name }: Cell): string => `${way}: ${name}`;

const AT_ONCE = 6;

async function inTurns<A, B>(all: readonly A[], work: (one: A) => Promise<B>): Promise<B[]> {
  const results: B[] = [];
  const left = all.entries();
  const worker = async () => {
    for (const [n, one] of left) results[n] = await work(one);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return results;
}
