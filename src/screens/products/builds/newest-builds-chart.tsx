import { Link } from 'react-router-dom';
import { durationOf } from '#base/duration.ts';
import { limits } from '#protocol/limits.ts';
import { buildStatusOf } from '#rules/product-status.ts';
import type { BuildStatusWord } from '#rules/product-status.ts';
import type { Of } from '#schema/index.ts';
import { useChanges } from '#data/react/hooks.ts';
import { BarChart } from '#ui/chart/bar-chart.tsx';
import type { BarTone, ChartBar } from '#ui/chart/bar-chart.tsx';
import type { IconName } from '#ui/picture/icon.tsx';
import { Cell } from '#ui/table/table.tsx';
import { useText } from '#ui/text/text.ts';
import { useUiEnvironment } from '#ui/ui-environment.tsx';
import { useDateFormats } from '#ui/value/values.tsx';
import { logPageOf } from '../../flow/task.tsx';
import { FilesTable } from '../files-table.tsx';
import { NO_BUILD_FILTERS, useBuilds } from './use-builds.ts';

type Build = Of<'productBuild'>;

const NEWEST = { page: 1, pageSize: limits.pageSize };

/** How builds look in charts, by their status. */
export const LOOKS: Readonly<
  Record<BuildStatusWord, { readonly tone: BarTone; readonly mark?: IconName }>
> = {
  built: { tone: 'good' },
  failed: { tone: 'bad', mark: 'error' },
  building: { tone: 'busy', mark: 'sync' },
};

/** How long the newest builds of a product took, and how each ended; a bar leads to its log. */
export function NewestBuildsChart({ product }: { readonly product: string }) {
  const t = useText();
  const isOffline = useChanges().status === 'offline';
  // Page 1 of the list asks for the same, and so the server is asked once.
  const { rows, state, isTold, isPart } = useBuilds(
    { of: 'product', id: product },
    NO_BUILD_FILTERS,
    NEWEST,
  );
  const told = useToldBuilds(rows);
  const isOfDevice = !isTold && (isOffline || isPart);
  if (rows.length === 0)
    return isOfDevice || state === 'not-here' || state === 'error' ? (
      <p className="soft">{t('charts.notHere')}</p>
    ) : null;
  const bars = told.map(({ build, label, status, tookMs }): ChartBar => ({
    key: build.id,
    label,
    parts: [{ tone: LOOKS[status].tone, value: tookMs ?? 0 }],
    ...(LOOKS[status].mark === undefined ? {} : { mark: LOOKS[status].mark }),
    link: (props) => <Link to={logPageOf(product, build.id)} {...props} />,
  }));
  return (
    <BarChart
      title={t('builds.chart.title')}
      bars={bars}
      valueText={durationOf}
      legend={(['built', 'failed', 'building'] as const).map((status) => ({
        tone: LOOKS[status].tone,
        text: t(`builds.status.${status}`),
      }))}
      {...(isOfDevice ? { note: t('builds.chart.onDevice', { count: rows.length }) } : {})}
      table={() => <Figures builds={told} product={product} />}
    />
  );
}

/** A build with what the chart says of it. */
interface ToldBuild {
  readonly build: Build;
  readonly status: BuildStatusWord;
  readonly requested: string;
  /** So far, where it is still under way; null: nobody saw when it began. */
  readonly tookMs: number | null;
  readonly label: string;
}

function useToldBuilds(builds: readonly Build[]): readonly ToldBuild[] {
  const t = useText();
  const { short } = useDateFormats();
  const { clock } = useUiEnvironment();
  return builds.map((build) => {
    const { buildVersion, dateCreated, dateStarted, dateFinished } = build;
    const status = buildStatusOf(build);
    const end = dateFinished === null ? clock() : Date.parse(dateFinished);
    const isTimed = dateStarted !== null && (dateFinished !== null || status === 'building');
    const tookMs = isTimed ? Math.max(0, end - Date.parse(dateStarted)) : null;
    const requested = dateCreated === null ? '' : short(dateCreated);
    const words = [
      requested,
      t(`builds.status.${status}`),
      buildVersion === null ? '' : t('activity.version', { version: buildVersion }),
      tookMs === null ? t('builds.chart.noDuration') : durationOf(tookMs),
    ];
    const label = words.filter((word) => word !== '').join(' · ');
    return { build, status, requested, tookMs, label };
  });
}

interface FiguresProps {
  readonly builds: readonly ToldBuild[];
  readonly product: string;
}

function Figures({ builds, product }: FiguresProps) {
  const t = useText();
  return (
    <FilesTable
      label={t('builds.chart.title')}
      columns={[
        'builds.requested',
        'files.status',
        'builds.version',
        'builds.duration',
        'builds.log',
      ]}
    >
      {builds.map(({ build, status, requested, tookMs }) => (
        <tr role="row" key={build.id}>
          <Cell label={t('builds.requested')}>{requested}</Cell>
          <Cell label={t('files.status')}>{t(`builds.status.${status}`)}</Cell>
          <Cell label={t('builds.version')}>
            {build.buildVersion !== null && <bdi>{build.buildVersion}</bdi>}
          </Cell>
          <Cell label={t('builds.duration')}>{tookMs !== null && durationOf(tookMs)}</Cell>
          <Cell label={t('builds.log')}>
            <Link to={logPageOf(product, build.id)}>{t('builds.log')}</Link>
          </Cell>
        </tr>
      ))}
    </FilesTable>
  );
}
