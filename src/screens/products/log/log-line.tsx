import { Link, useLocation } from 'react-router-dom';
import { ansiPieces } from '#base/terminal/ansi.ts';
import type { AnsiStyle } from '#base/terminal/ansi.ts';
import type { BuildLogLine } from '#protocol/builds/build-log.ts';
import { Icon } from '#ui/picture/icon.tsx';
import { useLanguage, useText } from '#ui/text/text.ts';
import { Marked, useDateFormats } from '#ui/value/values.tsx';
import { LinkedText } from '../../flow/task.tsx';

interface Props {
  readonly line: BuildLogLine;
  readonly number: number;
  /** What is looked for, and marked where it stands. */
  readonly words: string;
  readonly isFailing: boolean;
  /** The address names it, or the search has come to it. */
  readonly isChosen: boolean;
}

/** A line of a log: its number as a link to it, and its text as a terminal shows it. */
export function LogLine({ line, number, words, isFailing, isChosen }: Props) {
  const t = useText();
  const { search } = useLocation();
  const looks = [
    'log-line',
    `is-${line.is}`,
    ...(isFailing ? ['is-failing'] : []),
    ...(isChosen ? ['is-chosen'] : []),
  ];
  return (
    <div className={looks.join(' ')} aria-current={isChosen ? 'location' : undefined}>
      <Link
        className="log-number"
        to={{ search, hash: `#L${String(number)}` }}
        aria-label={t('builds.log.line', { number })}
        replace
        preventScrollReset
      >
        {number}
      </Link>
      <span className="log-text">
        {isFailing && (
          <span className="log-failing">
            <Icon name="error" label={t('builds.log.failedHere')} />
          </span>
        )}
        {ansiPieces(line.text).map(({ text, style }, index) => (
          <span key={index} className={style === null ? undefined : classesOf(style)}>
            <LinkedText text={text}>{(part) => <Marked text={part} search={words} />}</LinkedText>
          </span>
        ))}
      </span>
      {line.is === 'phase' && line.at !== null && <TimeOfDay at={line.at} />}
    </div>
  );
}

/** Says at what time of the day a phase began. */
function TimeOfDay({ at }: { readonly at: string }) {
  const language = useLanguage();
  const { time } = useDateFormats();
  return (
    <time className="log-time" dateTime={at} lang={language}>
      {time(at)}
    </time>
  );
}

/** The classes of `product-log.css` for a style of a terminal. */
function classesOf(style: AnsiStyle): string {
  const { color, background } = style;
  return [
    ...(style.isBold ? ['ansi-bold'] : []),
    ...(style.isDim ? ['ansi-dim'] : []),
    ...(style.isItalic ? ['ansi-italic'] : []),
    ...(style.isUnderlined ? ['ansi-underlined'] : []),
    ...(style.isInverse ? ['ansi-inverse'] : []),
    ...(color === null ? [] : [`ansi-color-${color}`]),
    ...(background === null ? [] : [`ansi-background-${background}`]),
  ].join(' ');
}
