import { useMemo } from 'react';
import { useLanguage } from '../text/text.ts';

/** A stretch of text that two versions share, or that only one of them has. */
interface Stretch {
  readonly is: 'same' | 'added' | 'gone';
  readonly text: string;
}

/** Words of each side that are compared with one another; beyond that all between is replaced. */
const AT_MOST = 1_500;

interface Props {
  readonly before: string;
  readonly after: string;
}

/** `after`, with what was put in and what was taken out since `before` marked. */
export function Differences({ before, after }: Props) {
  const language = useLanguage();
  const stretches = useMemo(
    () => differencesOf(before, after, language),
    [before, after, language],
  );
  return (
    <bdi className="differences">
      {stretches.map(({ is, text }, i) => {
        if (is === 'same') return text;
        const key = `${String(i)} ${is}`;
        return is === 'added' ? <ins key={key}>{text}</ins> : <del key={key}>{text}</del>;
      })}
    </bdi>
  );
}

/** Lists the differences from `before` to `after`, by whole words. */
export function differencesOf(before: string, after: string, language: string): Stretch[] {
  const old = wordsOf(before, language);
  const now = wordsOf(after, language);
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head += 1;
  let tail = 0;
  const most = Math.min(old.length, now.length) - head;
  while (tail < most && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail += 1;

  const middle = between(old.slice(head, old.length - tail), now.slice(head, now.length - tail));
  return joined([
    { is: 'same', text: now.slice(0, head).join('') },
    ...middle,
    { is: 'same', text: now.slice(now.length - tail).join('') },
  ]);
}

function wordsOf(text: string, language: string): string[] {
  // Words without spaces between them need a segmenter; not every browser has one yet.
  if (!('Segmenter' in Intl)) return text.split(/(\s+)/);
  const segmenter = new Intl.Segmenter(language, { granularity: 'word' });
  return [...segmenter.segment(text)].map(({ segment }) => segment);
}

/** Finds the differences by the longest common subsequence. */
function between(old: readonly string[], now: readonly string[]): Stretch[] {
  const replaced: Stretch[] = [
    { is: 'gone', text: old.join('') },
    { is: 'added', text: now.join('') },
  ];
  if (old.length === 0 || now.length === 0 || old.length > AT_MOST || now.length > AT_MOST)
    return replaced;

  // common[i][j]: how many words the ends from old[i] and now[j] share at most.
  const width = now.length + 1;
  const common = new Uint16Array((old.length + 1) * width);
  const at = (i: number, j: number) => common[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = now.length - 1; j >= 0; j -= 1) {
      common[i * width + j] =
        old[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }

  const found: Stretch[] = [];
  for (let i = 0, j = 0; i < old.length || j < now.length;) {
    const [gone, added] = [old[i], now[j]];
    if (gone !== undefined && gone === added) {
      found.push({ is: 'same', text: gone });
      i += 1;
      j += 1;
    } else if (gone !== undefined && (added === undefined || at(i + 1, j) >= at(i, j + 1))) {
      found.push({ is: 'gone', text: gone });
      i += 1;
    } else {
      found.push({ is: 'added', text: added ?? '' });
      j += 1;
    }
  }
  return found;
}

function joined(stretches: readonly Stretch[]): Stretch[] {
  const result: Stretch[] = [];
  for (const stretch of stretches) {
    const last = result.at(-1);
    if (stretch.text === '') continue;
    if (last?.is === stretch.is)
      result[result.length - 1] = { ...last, text: last.text + stretch.text };
    else result.push(stretch);
  }
  return result;
}

/**
 * Says how much two texts have in common: the share of all their words that stays in place between
 * them, from 0 to 1. What is no word, such as spaces and stops, does not count.
 */
export function shareInCommon(before: string, after: string, language: string): number {
  const count = (text: string): number =>
    wordsOf(text, language).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
  const all = count(before) + count(after);
  if (all === 0) return 1;
  const same = differencesOf(before, after, language).filter(({ is }) => is === 'same');
  return (2 * same.reduce((sum, { text }) => sum + count(text), 0)) / all;
}

/** Below that, marks of single words would be all that one sees. */
const ENOUGH = 0.4;

/** Says whether two texts have enough in common for their differences to be read word by word. */
export function isMuchInCommon(before: string, after: string, language: string): boolean {
  return shareInCommon(before, after, language) >= ENOUGH;
}
