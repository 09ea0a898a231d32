import { ProblemError } from '#protocol/problem.ts';
import type { Problem } from '#protocol/problem.ts';
import { isAmong } from '#rules/scope.ts';
import type { Viewer } from '#rules/viewer.ts';
import type { TypeName } from '#schema/index.ts';
import type { WriteTransaction } from '../../db/database.ts';
import { identifier } from '#protocol/present.ts';

/**
 * Returns 410 for a viewer who could see the removed record; null for others, and when there never
 * was one.
 */
export async function goneProblem(
  write: WriteTransaction,
  viewer: Viewer,
  type: TypeName,
  id: string,
): Promise<Problem | null> {
  const stone = await write.tombstone(type, id);
  if (stone === null || !isAmong(viewer, stone.audience)) return null;
  const by = stone.by === null ? null : identifier('user', stone.by);
  return { code: 'gone', meta: { ref: identifier(type, id), by, at: stone.at } };
}

export async function goneOrNotFound(
  write: WriteTransaction,
  viewer: Viewer,
  type: TypeName,
  id: string,
): Promise<ProblemError> {
  return new ProblemError((await goneProblem(write, viewer, type, id)) ?? { code: 'not-found' });
}
