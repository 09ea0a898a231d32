import { wireFieldOf } from '#protocol/names.ts';
import { invalid, ProblemError } from '#protocol/problem.ts';
import { viewerOf } from '#rules/viewer.ts';
import { brokenView } from '#rules/valid/saved-view.ts';
import type { Of } from '#schema/index.ts';
import type { Data } from '../model/data.ts';
import { removeForNow } from './removing.ts';

type View = Of<'savedView'>;

/** What a person states of a new view. */
export type NewView = Pick<View, 'name' | 'shows' | 'list' | 'query' | 'isShared' | 'organization'>;

/**
 * Saves a list as a view: on this device at once.
 *
 * @returns its id once the change is durable here
 * @throws NotSavedError if this device cannot keep it
 * @throws ProblemError if a value is not valid, or there are too many views: `invalid` with pointer
 * and rule, as from the server
 */
export async function createView(data: Data, view: NewView): Promise<string> {
  const { name } = view;
  check(data, null, { ...NONE, ...view, owner: data.viewerId() });
  return data.add('savedView', view, ['changes.view.add', { name: name.trim() }]);
}

/** Throws as `createView`. */
export async function renameView(data: Data, view: View, name: string): Promise<void> {
  const names = { from: view.name, to: name.trim() };
  await data.edit('savedView', view.id, { name }, ['changes.view.rename', names]);
}

/** Gives the view other filters, another search or order. Throws as `createView`. */
export async function changeQuery(data: Data, view: View, query: string): Promise<void> {
  check(data, view, { ...view, query });
  const { id, name } = view;
  await data.edit('savedView', id, { query }, ['changes.view.edit', { name }]);
}

/** Shares the view in its organization, or stops that. Throws as `createView`. */
export async function shareView(data: Data, view: View, isShared: boolean): Promise<void> {
  check(data, view, { ...view, isShared });
  const { id, name } = view;
  const key = isShared ? 'changes.view.share' : 'changes.view.stopSharing';
  await data.edit('savedView', id, { isShared }, [key, { name }]);
}

/** Returns and throws as `removeForNow`. */
export async function removeView(data: Data, view: View): Promise<() => Promise<void>> {
  const { id, name, shows, list, query, isShared, organization } = view;
  return removeForNow(data, { type: 'savedView', id }, ['changes.view.remove', { name }], () =>
    createView(data, { name, shows, list, query, isShared, organization }),
  );
}

const NONE = { id: '', version: 0, dateCreated: null, dateUpdated: null } as const;

/** The rules of a view that the first load does without (`rules/valid/whole.ts`). */
function check(data: Data, before: View | null, after: View): void {
  const { find } = data;
  const broken = brokenView({
    viewer: viewerOf(data.viewerId(), find),
    find,
    at: new Date(data.clock()).toISOString(),
    before,
    after,
    written: ['query', 'isShared'],
  });
  const [first, ...more] = broken.flatMap((one) =>
    one === null
      ? []
      : invalid(`/data/attributes/${wireFieldOf('savedView', one.field)}`, one.rule, one.meta),
  );
  if (first !== undefined) throw new ProblemError([first, ...more]);
}
