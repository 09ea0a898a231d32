import { savedView } from '#schema/saved-view.ts';
import type { Of } from '#schema/index.ts';
import { isViewQuery } from '../record/view-query.ts';
import { broken } from './broken.ts';
import type { Broken } from './broken.ts';
import type { Checking, RecordRules } from './form.ts';
import { isTooLong } from './length.ts';

/** The views that one person has, and the shared ones that one organization has. */
export const VIEWS_MOST = 50;

/** A view keeps a query in its normal form; views are shared with an organization, and not many. */
export const brokenView: RecordRules<'savedView'> = (checking) => [
  brokenList(checking),
  brokenQuery(checking),
  brokenSharing(checking),
  tooManyOwn(checking),
  tooManyShared(checking),
];

/** Tasks have one list alone. */
function brokenList({ after: { shows, list } }: Checking<'savedView'>): Broken | null {
  return shows === 'tasks' && list !== 'all' ? broken('list', 'mismatch') : null;
}

function brokenQuery({ after: { query }, before, written }: Checking<'savedView'>): Broken | null {
  if (before !== null && !written.includes('query')) return null;
  // A text that is too long was found before, and nobody looks into it.
  if (typeof query !== 'string' || isTooLong(savedView.fields.query, query)) return null;
  return isViewQuery(query) ? null : broken('query', 'shape');
}

/** Nobody but its organization can have a shared view, and nobody but its owner another one. */
function brokenSharing({ after }: Checking<'savedView'>): Broken | null {
  const holder = after.isShared ? after.organization : after.owner;
  return holder === null ? broken('isShared', 'mismatch') : null;
}

function tooManyOwn({ before, after, find }: Checking<'savedView'>): Broken | null {
  if (before !== null || after.owner === null) return null;
  return tooMany('name', find.all('savedView', { owner: after.owner }), after);
}

function tooManyShared({ before, after, find }: Checking<'savedView'>): Broken | null {
  const { isShared, organization } = after;
  if (!isShared || organization === null || before?.isShared === true) return null;
  return tooMany('isShared', find.all('savedView', { organization, isShared }), after);
}

function tooMany(
  field: 'name' | 'isShared',
  present: readonly Of<'savedView'>[],
  { id }: Of<'savedView'>,
): Broken | null {
  const others = present.filter((one) => one.id !== id);
  return others.length < VIEWS_MOST ? null : broken(field, 'range', { min: 0, max: VIEWS_MOST });
}
