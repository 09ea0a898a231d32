import { useEffect, useMemo, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { plainTextOf } from '#base/terminal/ansi.ts';
import { fold, wordsOf } from '#base/unicode.ts';
import { failingLineIn } from '#protocol/builds/build-log.ts';
import type { BuildLogLine } from '#protocol/builds/build-log.ts';
import { limits } from '#protocol/limits.ts';
import type { BuildLogView } from '#files/files.ts';
import { Button, SearchField } from '#ui/form/controls.tsx';
import { Icon } from '#ui/picture/icon.tsx';
import { VirtualList } from '#ui/table/virtual-list.tsx';
import type { VirtualListHandle } from '#ui/table/virtual-list.tsx';
import { useLanguage, useText } from '#ui/text/text.ts';
import { LogLine } from './log-line.tsx';
import { LogPhases } from './log-phases.tsx';

interface Props {
  readonly log: BuildLogView;
  /** The build or publication failed, so that a line says why. */
  readonly isFailed: boolean;
  /** Lines may still come. */
  readonly isGrowing: boolean;
}

const ROW_PX = 22;

/** The lines of a log, with the means to find and to follow them. */
export function LogView({ log, isFailed, isGrowing }: Props) {
  const t = useText();
  const numbers = new Intl.NumberFormat(useLanguage());
  const countOf = (count: number) => ({ count, number: numbers.format(count) });
  const { lines, dropped } = log;
  const list = useRef<VirtualListHandle>(null);
  const chosen = useChosenLine(dropped, lines.length);
  const failing = useMemo(() => (isFailed ? failingLineIn(lines) : null), [isFailed, lines]);
  const [isFollowing, setFollowing] = useState(isGrowing && chosen.number === null);
  const found = useFound(lines);

  // A link to a line that was followed just now goes before what is searched.
  const { key } = useLocation();
  const [followed, setFollowed] = useState(key);
  if (followed !== key) {
    setFollowed(key);
    found.search('');
  }
  const target = found.index ?? chosen.index ?? (log.state.is === 'complete' ? failing : null);
  const jumped = useRef<string | null>(null);
  useEffect(() => {
    const jump = target === null ? null : `${target + dropped} ${found.words} ${key}`;
    if (target !== null && jump !== jumped.current) {
      list.current?.scrollTo(target, 'center');
      setFollowing(false);
    } else if (isFollowing) list.current?.scrollTo(lines.length - 1, 'end');
    jumped.current = jump;
  }, [target, dropped, found.words, key, isFollowing, lines]);

  return (
    <div className="log-columns">
      <div className="log-main">
        <div className="log-tools">
          <SearchField
            label={t('builds.log.search')}
            value={found.words}
            waitMs={limits.searchDebounceMs}
            onSearch={found.search}
          />
          <Matches found={found} />
          {isGrowing && (
            <button
              type="button"
              className="ui button log-follow"
              aria-pressed={isFollowing}
              onClick={() => {
                setFollowing(!isFollowing);
              }}
            >
              <Icon name={isFollowing ? 'check' : 'arrowDown'} /> {t('builds.log.follow')}
            </button>
          )}
        </div>
        {dropped > 0 && <p className="caption">{t('builds.log.dropped', countOf(dropped))}</p>}
        <VirtualList
          label={t('builds.log.lines')}
          count={lines.length}
          first={dropped}
          rowPx={ROW_PX}
          lang="en"
          handle={list}
          onScrolled={({ isUp, isAtEnd }) => {
            if (isUp && !isAtEnd) setFollowing(false);
          }}
        >
          {(index) => {
            const line = lines[index];
            return line === undefined ? null : (
              <LogLine
                line={line}
                number={dropped + index + 1}
                words={found.words}
                isFailing={index === failing}
                isChosen={index === target}
              />
            );
          }}
        </VirtualList>
        <p className="caption" role="status">
          {isGrowing
            ? t('builds.log.growing')
            : t('builds.log.count', countOf(dropped + lines.length))}
        </p>
      </div>
      <LogPhases lines={lines} dropped={dropped} isComplete={log.state.is === 'complete'} />
    </div>
  );
}

interface ChosenLine {
  /** The number of the line that the address names as `#L12`; null: it names none. */
  readonly number: number | null;
  /** Its index; null: it is not here, or not yet. */
  readonly index: number | null;
}

function useChosenLine(dropped: number, count: number): ChosenLine {
  const { hash } = useLocation();
  const [, digits] = /^#L([1-9]\d{0,8})$/.exec(hash) ?? [];
  if (digits === undefined) return { number: null, index: null };
  const number = Number(digits);
  const index = number - 1 - dropped;
  return { number, index: index >= 0 && index < count ? index : null };
}

/** What is searched in each line: a log that grows is not folded anew with every part. */
const folded = new WeakMap<BuildLogLine, string>();

function foldOf(line: BuildLogLine): string {
  const known = folded.get(line) ?? fold(plainTextOf(line.text));
  folded.set(line, known);
  return known;
}

interface Found {
  readonly words: string;
  readonly count: number;
  /** Which of those that were found is shown, from 0. */
  readonly at: number;
  /** The index of its line; null: nothing is looked for, or found. */
  readonly index: number | null;
  readonly search: (words: string) => void;
  readonly move: (by: number) => void;
}

/** Finds lines by what is read in them. */
function useFound(lines: readonly BuildLogLine[]): Found {
  const [words, setWords] = useState('');
  const [at, setAt] = useState(0);
  const matches = useMemo(() => {
    const wanted = wordsOf(words);
    if (wanted.length === 0) return [];
    return lines.flatMap((line, index) =>
      wanted.every((word) => foldOf(line).includes(word)) ? [index] : [],
    );
  }, [words, lines]);
  return {
    words,
    count: matches.length,
    at,
    index: matches[at] ?? null,
    search: (next) => {
      setWords(next);
      setAt(0);
    },
    move: (by) => {
      setAt((at + by + matches.length) % matches.length);
    },
  };
}

/** Says how many lines were found, and goes from one to the next. */
function Matches({ found: { words, count, at, move } }: { readonly found: Found }) {
  const t = useText();
  return (
    <>
      <span className="caption" role="status">
        {words !== '' && count === 0 && t('common.noResults')}
        {count > 0 && t('builds.log.match', { at: at + 1, count })}
      </span>
      {count > 1 && (
        <>
          <Button
            aria-label={t('builds.log.previous')}
            onClick={() => {
              move(-1);
            }}
          >
            <Icon name="arrowUp" />
          </Button>
          <Button
            aria-label={t('builds.log.next')}
            onClick={() => {
              move(1);
            }}
          >
            <Icon name="arrowDown" />
          </Button>
        </>
      )}
    </>
  );
}
