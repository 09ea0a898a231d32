import type { WriteTransaction } from '../../db/database.ts';

/**
 * Leaves the views that `owner` shares to those who have them: in one organization, or in all. It is
 * done before their memberships go, which take their other views along.
 */
export async function leaveSharedViews(
  write: WriteTransaction,
  owner: string,
  organization?: string,
): Promise<void> {
  const where = { owner, isShared: true, ...(organization === undefined ? {} : { organization }) };
  for (const { id } of await write.all('savedView', where))
    await write.change('savedView', id, { owner: null });
}
