const SPACE = /[ \t\r\n]*/y;
const TEXT = /"(?:[^"\\\p{Cc}]|[\x7f-\x9f]|\\(?:["\\/bfnrt]|u[\da-f]{4}))*"/iuy;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?/iy;
const WORD = /true|false|null/y;
const CLOSES = { '{': '}', '[': ']' } as const;

/** The kind of token that comes next; the first of an object or a list may be its end as well. */
type Next = 'value' | 'firstValue' | 'key' | 'firstKey' | 'more';

/** Finds where `text` stops being JSON, in UTF-16 units from its start; null: all of it is. */
export function jsonMistakeIn(text: string): number | null {
  // No recursion: text may be nested more deeply than functions can be.
  const opened: (keyof typeof CLOSES)[] = [];
  let at = 0;

  const take = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    const [found = ''] = pattern.exec(text) ?? [];
    at += found.length;
    return found !== '';
  };
  const takeSign = (sign: string): boolean => {
    if (text[at] !== sign) return false;
    at += 1;
    return true;
  };
  const opens = (sign: keyof typeof CLOSES): boolean => {
    if (!takeSign(sign)) return false;
    opened.push(sign);
    return true;
  };
  const closes = (): boolean => {
    const inside = opened.at(-1);
    if (inside === undefined || !takeSign(CLOSES[inside])) return false;
    opened.pop();
    return true;
  };
  const takeName = (): boolean => {
    if (!take(TEXT)) return false;
    take(SPACE);
    return takeSign(':');
  };

  const steps: Readonly<Record<Next, () => Next | null>> = {
    value: () => {
      if (opens('{')) return 'firstKey';
      if (opens('[')) return 'firstValue';
      return take(TEXT) || take(NUMBER) || take(WORD) ? 'more' : null;
    },
    firstValue: () => (closes() ? 'more' : steps.value()),
    key: () => (takeName() ? 'value' : null),
    firstKey: () => (closes() ? 'more' : steps.key()),
    more: () => {
      if (closes()) return 'more';
      if (opened.length === 0 || !takeSign(',')) return null;
      return opened.at(-1) === '{' ? 'key' : 'value';
    },
  };
  for (let next: Next | null = 'value'; next !== null; next = steps[next]()) {
    take(SPACE);
    if (next === 'more' && opened.length === 0 && at === text.length) return null;
  }
  return at;
}

interface Place {
  readonly line: number;
  readonly column: number;
}

/** The place of `at` in `text`, as people count: from 1. */
export function placeIn(text: string, at: number): Place {
  const before = text.slice(0, at).split('\n');
  return { line: before.length, column: Array.from(before.at(-1) ?? '').length + 1 };
}
