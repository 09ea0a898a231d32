import { mentionsIn, MENTIONS_MOST as limit } from '../mention.ts';
import { broken } from './broken.ts';
import type { RecordRules } from './form.ts';

/** Two units for each of the characters that a comment has at most. */
const LONGEST = 8_000;

/** A comment mentions a few people, not everybody. */
export const brokenComment: RecordRules<'productComment'> = ({ after: { text } }) => {
  // A text that is too long was found before, and nobody looks into it.
  if (typeof text !== 'string' || text.length > LONGEST) return [];
  return [mentionsIn(text).length > limit ? broken('text', 'range', { limit }) : null];
};
