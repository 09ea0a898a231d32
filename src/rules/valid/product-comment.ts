import { productComment } from '#schema/product-comment.ts';
import { mentionsIn, MENTIONS_MOST as limit } from '../mention.ts';
import { broken } from './broken.ts';
import type { RecordRules } from './form.ts';
import { isTooLong } from './length.ts';

/** A comment mentions a few people, not everybody. */
export const brokenComment: RecordRules<'productComment'> = ({ after: { text } }) => {
  // A text that is too long was found before, and nobody looks into it.
  if (typeof text !== 'string' || isTooLong(productComment.fields.text, text)) return [];
  return [mentionsIn(text).length > limit ? broken('text', 'range', { limit }) : null];
};
