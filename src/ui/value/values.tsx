import {
  createContext,
  Fragment,
  useContext,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type { ReactNode } from 'react';
import { useUiEnvironment } from '../ui-environment.tsx';
import { useLanguage, useText } from '../text/text.ts';
import { fold, wordsOf } from '#base/unicode.ts';
import { placeHint } from './place-hint.ts';

const UNITS = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

const TICK_MS = 30_000;

/** The present moment, in ms; moves on every half minute. */
function useNow(): number {
  const { clock, later } = useUiEnvironment();
  const [now, setNow] = useState(clock);
  useEffect(
    () =>
      later(() => {
        setNow(clock());
      }, TICK_MS),
    [clock, later, now],
  );
  return now;
}

/** Says how long that is in the largest unit that fits: "3 days"; null below a minute. */
export function spanOf(ms: number, language: string): string | null {
  const length = lengthOf(ms);
  if (length === null) return null;
  const options = { style: 'unit', unit: length.unit, unitDisplay: 'long' } as const;
  return formatter(Intl.NumberFormat, language, options).format(length.count);
}

/**
 * Says how long ago that is: "3 days ago"; null below a minute. A day is not called yesterday: 24
 * hours ago may be the day before that.
 */
export function agoOf(ms: number, language: string): string | null {
  const length = lengthOf(ms);
  if (length === null) return null;
  const options = { numeric: 'always' } as const;
  return formatter(Intl.RelativeTimeFormat, language, options).format(-length.count, length.unit);
}

/** The length in whole ones of the largest unit that fits; null below a minute. */
function lengthOf(ms: number) {
  const seconds = ms / 1_000;
  const found = UNITS.find(([, length]) => seconds >= length);
  if (found === undefined) return null;
  const [unit, length] = found;
  return { unit, count: Math.floor(seconds / length) };
}

/** The zone of the person who reads, for all dates below; null: that of this device. */
export const TimeZoneContext = createContext<string | null>(null);

/** Write a moment, given in ISO 8601, in the language and zone of the person who reads. */
interface DateFormats {
  /** Date, time and zone in full. Another zone may be given. */
  readonly full: (at: string, timeZone?: string | null) => string;
  /** Day and time, short: for what does not tick. */
  readonly short: (at: string) => string;
  readonly day: (at: string) => string;
  /** The time of the day, with seconds. */
  readonly time: (at: string) => string;
}

/** Every date of a page is formatted by these. */
export function useDateFormats(): DateFormats {
  const language = useLanguage();
  const own = useContext(TimeZoneContext);
  return {
    full: (at, timeZone) =>
      formatDate(at, language, { dateStyle: 'full', timeStyle: 'long' }, timeZone ?? own),
    short: (at) => formatDate(at, language, { dateStyle: 'medium', timeStyle: 'short' }, own),
    day: (at) => formatDate(at, language, { dateStyle: 'medium' }, own),
    time: (at) => formatDate(at, language, { timeStyle: 'medium' }, own),
  };
}

function formatDate(
  at: string,
  language: string,
  style: Intl.DateTimeFormatOptions,
  timeZone: string | null,
): string {
  const date = new Date(at);
  const options = timeZone === null ? style : { ...style, timeZone };
  try {
    return formatter(Intl.DateTimeFormat, language, options).format(date);
  } catch {
    // A person's zone may be one that this browser does not know.
    return formatter(Intl.DateTimeFormat, language, style).format(date);
  }
}

interface RelativeTimeProps {
  /** ISO 8601. */
  readonly at: string | null;
  /** Another zone than that of the person who reads. */
  readonly timeZone?: string | null;
  /** Shown when there is no such time. */
  readonly empty?: string;
  /** "3 days", where the words around it say since, for or ago. */
  readonly isSpan?: boolean;
}

/**
 * "3 days ago", with the exact moment on hover and focus. What by a clock that is slow has yet to
 * come is just now.
 */
export function RelativeTime({ at, timeZone, empty = '--', isSpan = false }: RelativeTimeProps) {
  const t = useText();
  const language = useLanguage();
  const { full } = useDateFormats();
  const now = useNow();
  if (at === null) return <span className="soft">{empty}</span>;

  const ms = now - Date.parse(at);
  return (
    <Hint text={full(at, timeZone)}>
      <time dateTime={at}>
        {isSpan
          ? (spanOf(ms, language) ?? t('time.underAMinute'))
          : (agoOf(ms, language) ?? t('time.justNow'))}
      </time>
    </Hint>
  );
}

/** Stands between two facts of a line; nobody has to listen to it. */
export function Dot() {
  return <span className="dot"> </span>;
}

interface HintProps {
  readonly text: string;
  /** Shows before the children, not above them. */
  readonly isBeside?: boolean;
  readonly children: ReactNode;
}

/** Something with a sentence about it on hover and focus. */
export function Hint({ text, isBeside = false, children }: HintProps) {
  const id = useId();
  const element = useRef<HTMLSpanElement>(null);
  const [isShown, setShown] = useState(false);
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null || !isShown) return undefined;
    const place = () => {
      placeHint(current, isBeside);
    };
    place();
    addEventListener('scroll', place, true);
    return () => {
      removeEventListener('scroll', place, true);
    };
  }, [isShown, isBeside, text]);
  const show = () => {
    setShown(true);
  };
  const hide = () => {
    setShown(element.current?.matches(':hover, :focus') === true);
  };
  return (
    <span
      className="hint"
      ref={element}
      tabIndex={0}
      aria-describedby={id}
      onMouseEnter={show}
      onMouseLeave={hide}
      onFocus={show}
      onBlur={hide}
    >
      {children}
      <span role="tooltip" id={id} className={`hint-text ${isBeside ? 'is-beside' : ''}`}>
        {text}
      </span>
    </span>
  );
}

const knownNames = new Map<string, string | null>();

/** The name of a tag's language in the interface's language: "Spanish" of `es-419`; null when unknown. */
export function languageNameOf(tag: string, language: string): string | null {
  const key = `${language} ${tag}`;
  const there = knownNames.get(key);
  if (there !== undefined) return there;
  let name: string | null = null;
  try {
    const options = { type: 'language', fallback: 'none' } as const;
    const names = formatter(Intl.DisplayNames, language, options);
    name = names.of(new Intl.Locale(tag).language) ?? null;
  } catch {
    // Any text may stand for a language.
  }
  knownNames.set(key, name);
  return name;
}

interface LanguageNameProps {
  readonly tag: string;
  /** Marked in the name and in the tag. */
  readonly search?: string;
}

/** "Spanish (es-419)"; a tag that nobody knows as it was typed. */
export function LanguageName({ tag, search = '' }: LanguageNameProps) {
  const name = languageNameOf(tag, useLanguage());
  const marked = <Marked text={tag} search={search} />;
  if (name === null) return marked;
  return (
    <>
      <Marked text={name} search={search} /> <span className="soft">({marked})</span>
    </>
  );
}

interface MarkedProps {
  readonly text: string;
  readonly search: string;
}

/** `text` with each word that was searched for marked where it first is, accents and case apart. */
export function Marked({ text, search }: MarkedProps) {
  const hits = hitsIn(text, search);
  return (
    <bdi>
      {hits.map(({ from, to }, index) => (
        <Fragment key={from}>
          {text.slice(hits[index - 1]?.to ?? 0, from)}
          <mark>{text.slice(from, to)}</mark>
        </Fragment>
      ))}
      {text.slice(hits.at(-1)?.to ?? 0)}
    </bdi>
  );
}

interface Stretch {
  readonly from: number;
  readonly to: number;
}

/**
 * Finds where words of `search` stand in `text`, in its order; those that meet are one. Folding may
 * change the length of a text, so it goes by characters.
 */
function hitsIn(text: string, search: string): readonly Stretch[] {
  const wanted = wordsOf(search);
  if (wanted.length === 0) return [];
  const whole = fold(text);
  const words = wanted.filter((word) => whole.includes(word));
  if (words.length === 0) return [];
  let folded = '';
  const starts: number[] = [];
  let at = 0;
  for (const character of text) {
    const key = fold(character);
    starts.push(...Array.from({ length: key.length }, () => at));
    folded += key;
    at += character.length;
  }
  const hits = words.flatMap((word) => {
    const index = folded.indexOf(word);
    const to = starts[index + word.length] ?? text.length;
    return index < 0 ? [] : { from: starts[index] ?? 0, to };
  });
  const joined: Stretch[] = [];
  for (const { from, to } of hits.sort((a, b) => a.from - b.from)) {
    const last = joined.at(-1);
    if (last === undefined || from > last.to) joined.push({ from, to });
    else joined.splice(-1, 1, { from: last.from, to: Math.max(last.to, to) });
  }
  return joined;
}

type Formats<O, F> = new (language: string, options: O) => F;

const madeFormats = new Map<string, unknown>();

/**
 * Returns the formatter of `Intl` for a language and options, made once: making one takes longer
 * than drawing a row.
 */
function formatter<O, F>(Format: Formats<O, F>, language: string, options: O): F {
  const key = `${Format.name} ${language} ${JSON.stringify(options)}`;
  const known = madeFormats.get(key) as F | undefined;
  if (known !== undefined) return known;
  const format = new Format(language, options);
  madeFormats.set(key, format);
  return format;
}
