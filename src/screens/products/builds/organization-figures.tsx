import { buildFiguresFrom, buildFiguresPath } from '#protocol/builds/build-figures.ts';
import type { BuildFigures, BuildWeek, StepWait } from '#protocol/builds/build-figures.ts';
import { BarChart } from '#ui/chart/bar-chart.tsx';
import { BarRows } from '#ui/chart/bar-rows.tsx';
import { Skeleton } from '#ui/status/boxes.tsx';
import { Cell } from '#ui/table/table.tsx';
import { useLanguage, useText } from '#ui/text/text.ts';
import { spanOf, useDateFormats } from '#ui/value/values.tsx';
import { useOnlineQuery } from '../../app/page/device/use-online-query.ts';
import { WithoutAnswer } from '../../app/page/device/without-answer.tsx';
import { useStateName } from '../../flow/task.tsx';
import { FilesTable } from '../files-table.tsx';
import { LOOKS } from './newest-builds-chart.tsx';

/** The steps that the chart has; its table has all. */
const STEPS_SHOWN = 8;

const STATUSES = ['built', 'failed', 'building'] as const;

/** The last weeks of an organization in figures, which the server counts: for its admins. */
export function OrganizationFigures({ organization }: { readonly organization: string }) {
  const t = useText();
  const query = useOnlineQuery(buildFiguresPath(organization), buildFiguresFrom);
  const { known } = query;
  if (known.is === 'coming') return <Skeleton rows={4} />;
  if (known.is === 'offline') return <p className="soft">{t('charts.notHere')}</p>;
  if (known.is !== 'told')
    return (
      <WithoutAnswer
        query={query}
        rows={4}
        offline={t('charts.notHere')}
        noAnswer={t('charts.noAnswer')}
        noAnswerText={t('charts.noAnswerText')}
      />
    );
  const note = known.isOld ? t('charts.old') : undefined;
  return <Charts figures={known.value} note={note} />;
}

interface ChartsProps {
  readonly figures: BuildFigures;
  /** Says that they may have changed since. */
  readonly note: string | undefined;
}

function Charts({ figures, note }: ChartsProps) {
  const weeks = useToldWeeks(figures.weeks);
  return (
    <div className="builds-figures">
      <BuildsAWeek weeks={weeks} note={note} />
      <SuccessRate weeks={weeks} note={note} />
      <Waits steps={figures.steps} note={note} />
    </div>
  );
}

/** A week with what the charts say of it. */
interface ToldWeek extends BuildWeek {
  readonly day: string;
  /** The part of those that ended which went well; null: none ended. */
  readonly rate: number | null;
}

/** Returns the newest first. */
function useToldWeeks(weeks: readonly BuildWeek[]): readonly ToldWeek[] {
  const { day } = useDateFormats();
  return weeks.toReversed().map((week) => ({
    ...week,
    // At noon it is that day nearly everywhere.
    day: day(`${week.begins}T12:00:00.000Z`),
    rate: rateOf(week),
  }));
}

function rateOf({ built, failed }: Pick<BuildWeek, 'built' | 'failed'>): number | null {
  return built + failed === 0 ? null : built / (built + failed);
}

interface WeeksProps {
  readonly weeks: readonly ToldWeek[];
  readonly note: string | undefined;
}

function BuildsAWeek({ weeks, note }: WeeksProps) {
  const t = useText();
  const number = useNumber();
  const title = t('builds.figures.weeks');
  return (
    <BarChart
      title={title}
      bars={weeks.map((week) => ({
        key: week.begins,
        label: [
          t('builds.figures.weekOf', { day: week.day }),
          ...STATUSES.map((status) => `${t(`builds.status.${status}`)}: ${number(week[status])}`),
        ].join(' · '),
        parts: STATUSES.map((status) => ({ tone: LOOKS[status].tone, value: week[status] })).filter(
          ({ value }) => value > 0,
        ),
      }))}
      valueText={number}
      legend={STATUSES.map((status) => ({
        tone: LOOKS[status].tone,
        text: t(`builds.status.${status}`),
      }))}
      {...(note === undefined ? {} : { note })}
      table={() => (
        <FilesTable
          label={title}
          columns={[
            'builds.figures.week',
            'builds.status.built',
            'builds.status.failed',
            'builds.status.building',
          ]}
        >
          {weeks.map((week) => (
            <tr role="row" key={week.begins}>
              <Cell label={t('builds.figures.week')}>{week.day}</Cell>
              {STATUSES.map((status) => (
                <Cell key={status} label={t(`builds.status.${status}`)}>
                  {number(week[status])}
                </Cell>
              ))}
            </tr>
          ))}
        </FilesTable>
      )}
    />
  );
}

function SuccessRate({ weeks, note }: WeeksProps) {
  const t = useText();
  const percent = useNumber({ style: 'percent', maximumFractionDigits: 0 });
  const title = t('builds.figures.rate');
  const sum = (status: 'built' | 'failed') => weeks.reduce((all, week) => all + week[status], 0);
  const ended = { built: sum('built'), failed: sum('failed') };
  const rate = rateOf(ended);
  const says = (of: number | null) => (of === null ? t('builds.figures.noneEnded') : percent(of));
  const overall =
    rate === null
      ? t('builds.figures.noneEnded')
      : t('builds.figures.rateOf', { count: ended.built + ended.failed, rate: percent(rate) });
  return (
    <BarChart
      title={title}
      most={1}
      bars={weeks.map(({ begins, day, rate: ofWeek }) => ({
        key: begins,
        label: [t('builds.figures.weekOf', { day }), says(ofWeek)].join(' · '),
        parts: ofWeek === null ? [] : [{ tone: 'plain', value: ofWeek }],
      }))}
      valueText={percent}
      legend={[{ tone: 'plain', text: title }]}
      note={[overall, note].filter((one) => one !== undefined).join(' ')}
      table={() => (
        <FilesTable label={title} columns={['builds.figures.week', 'builds.figures.rate']}>
          {weeks.map(({ begins, day, rate: ofWeek }) => (
            <tr role="row" key={begins}>
              <Cell label={t('builds.figures.week')}>{day}</Cell>
              <Cell label={title}>{says(ofWeek)}</Cell>
            </tr>
          ))}
        </FilesTable>
      )}
    />
  );
}

interface WaitsProps {
  /** The longest wait first. */
  readonly steps: readonly StepWait[];
  readonly note: string | undefined;
}

function Waits({ steps, note }: WaitsProps) {
  const t = useText();
  const language = useLanguage();
  const nameOf = useStateName();
  const number = useNumber();
  const title = t('builds.figures.waits');
  const spanText = (ms: number) => spanOf(ms, language) ?? t('time.underAMinute');
  const none = steps.length === 0 ? t('builds.figures.noSteps') : undefined;
  const says = [none, note].filter((one) => one !== undefined).join(' ');
  return (
    <BarRows
      title={title}
      rows={steps.slice(0, STEPS_SHOWN).map(({ state, medianMs }) => ({
        key: state,
        name: nameOf(state),
        value: medianMs,
        text: spanText(medianMs),
      }))}
      {...(says === '' ? {} : { note: says })}
      table={() => (
        <FilesTable
          label={title}
          columns={['builds.figures.step', 'builds.figures.median', 'builds.figures.times']}
        >
          {steps.map(({ state, medianMs, count }) => (
            <tr role="row" key={state}>
              <Cell label={t('builds.figures.step')}>{nameOf(state)}</Cell>
              <Cell label={t('builds.figures.median')}>{spanText(medianMs)}</Cell>
              <Cell label={t('builds.figures.times')}>{number(count)}</Cell>
            </tr>
          ))}
        </FilesTable>
      )}
    />
  );
}

/** Returns what writes a number in the language of the page. */
function useNumber(options: Intl.NumberFormatOptions = {}): (value: number) => string {
  const format = new Intl.NumberFormat(useLanguage(), options);
  return (value) => format.format(value);
}
