import { limits } from '#protocol/limits.ts';
import { invalid, ProblemError } from '#protocol/problem.ts';
import { isOfProject, MENTIONS_MOST, mentionsIn } from '#rules/mention.ts';
import { lengthOf } from '#rules/valid/value.ts';
import type { AnyRecord, Of } from '#schema/index.ts';
import { evaluateRule } from '../../db/evaluate-rule.ts';
import { nameOf } from '../notifications/notify.ts';
import { namesOfProduct, notifyOfProduct } from '../workflow/running/notify-of-product.ts';
import type { ChangeContext } from '../writes/change-context.ts';
import { pointerOf } from '../writes/check.ts';
import type { Effects } from './effects.ts';

const TYPE = 'productComment';
type Comment = Of<typeof TYPE>;

/** A comment notifies whom it mentions, and the project's owner. */
export const productComment: Effects = {
  check: async ({ write }, { before, after, stated }) => {
    const { product, text } = after as unknown as Comment;
    // A text that is too long is refused anyway, and nobody looks into it.
    if (typeof text !== 'string' || text.length > 2 * limits.commentCharacters) return [];
    if (lengthOf(text) > limits.commentCharacters) return [];
    const anew = mentionedAnew(before, after);
    if (anew.length > MENTIONS_MOST) return [];
    // People leave, and what was said stays: those who stood there before are not asked about.
    const mentions = await evaluateRule(write, (find) => {
      const project = find.one('project', find.one('product', product)?.project ?? '');
      return anew.filter((user) => project === null || !isOfProject(user, project, find));
    });
    if (mentions.length === 0) return [];
    return [invalid(pointerOf(TYPE, 'text', stated), 'reference', { mentions })];
  },
  ready: async ({ write }, { product }) => {
    const present = await write.all(TYPE, { product: product as string });
    if (present.length >= limits.commentsOfProduct)
      throw new ProblemError({ code: 'action-not-allowed', meta: { reason: 'comments-full' } });
  },
  created: async (context, record) => {
    await count(context);
    await notifyMentioned(context, null, record, mentionedAnew(null, record));
  },
  changed: async (context, before, after) => {
    const anew = mentionedAnew(before, after);
    if (anew.length === 0) return;
    await count(context);
    await notifyMentioned(context, before, after, anew);
  },
};

/** @throws ProblemError 429 */
const count = ({ services, write, viewer }: ChangeContext): Promise<void> =>
  services.limits.require(write, 'comments', viewer.id);

function mentionedAnew(before: AnyRecord | null, after: AnyRecord): readonly string[] {
  const known = new Set(before === null ? [] : mentionsIn(before.text as string));
  return mentionsIn(after.text as string).filter((user) => !known.has(user));
}

async function notifyMentioned(
  context: ChangeContext,
  before: AnyRecord | null,
  after: AnyRecord,
  anew: readonly string[],
): Promise<void> {
  const { write, viewer } = context;
  const { id } = after;
  const product = await write.one('product', after.product as string);
  const project = product === null ? null : await write.one('project', product.project);
  if (product === null || project === null) return;
  const subject = { product, project };
  const names = await namesOfProduct(write, subject);
  const values = { ...names, userName: await nameOf(context, viewer.id) };
  const link = `/projects/${project.id}/activity?product=${product.id}#comment-${id}`;
  await notifyOfProduct(context, subject, 'commentMentioned', anew, values, link);
  if (before !== null || (project.owner !== null && anew.includes(project.owner))) return;
  await notifyOfProduct(context, subject, 'commentAdded', [project.owner], values, link);
}
