import { useMemo } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { durationOf } from '#base/duration.ts';
import { phasesIn } from '#protocol/builds/build-log.ts';
import type { BuildLogLine } from '#protocol/builds/build-log.ts';
import { useLanguage, useText } from '#ui/text/text.ts';

interface Props {
  readonly lines: readonly BuildLogLine[];
  /** How many lines before these are left out. */
  readonly dropped: number;
  readonly isComplete: boolean;
}

/** Lists what the build did, each with how long it took and the way to its line. */
export function LogPhases({ lines, dropped, isComplete }: Props) {
  const t = useText();
  const { search } = useLocation();
  const phases = useMemo(() => phasesIn(lines), [lines]);
  if (phases.length === 0) return null;
  const end = Date.parse(lines.at(-1)?.at ?? '');
  return (
    <nav className="log-phases" aria-label={t('builds.log.phases')}>
      <h2>{t('builds.log.phases')}</h2>
      <ol>
        {phases.map(({ line, text, lastedMs }) => {
          const lastMs = isComplete ? end - Date.parse(lines[line]?.at ?? '') : null;
          const ms = lastedMs ?? lastMs;
          return (
            <li key={line}>
              <Link to={{ search, hash: `#L${String(dropped + line + 1)}` }} replace lang="en">
                {text}
              </Link>
              {ms === null ? (
                <span className="soft">{t('builds.log.now')}</span>
              ) : (
                <Lasted ms={ms} />
              )}
            </li>
          );
        })}
      </ol>
    </nav>
  );
}

const MINUTE_MS = 60_000;

/** A length of time: with tenths of a second where it is short. */
function Lasted({ ms }: { readonly ms: number }) {
  const language = useLanguage();
  const seconds = new Intl.NumberFormat(language, {
    style: 'unit',
    unit: 'second',
    unitDisplay: 'narrow',
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
  });
  return (
    <span className="figure soft">
      {ms < MINUTE_MS ? seconds.format(Math.max(0, ms) / 1_000) : durationOf(ms)}
    </span>
  );
}
