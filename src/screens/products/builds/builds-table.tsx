import { Link } from 'react-router-dom';
import { durationOf } from '#base/duration.ts';
import { sizeOf } from '#base/file-size.ts';
import type { Of } from '#schema/index.ts';
import { useList } from '#data/react/hooks.ts';
import { Cell } from '#ui/table/table.tsx';
import { useLanguage, useText } from '#ui/text/text.ts';
import { Hint, RelativeTime, useDateFormats } from '#ui/value/values.tsx';
import { ConsoleLink, logPageAt, useNameOf } from '../../flow/task.tsx';
import { FilesTable } from '../files-table.tsx';
import { BuildStatus } from './build-status.tsx';

type Build = Of<'productBuild'>;

interface Props {
  readonly builds: readonly Build[];
  /** Id of what says that logs need a connection; undefined while there is one. */
  readonly needsConnection: string | undefined;
}

/** Builds of one product, one in each row, with the ways to its files and its log. */
export function BuildsTable({ builds, needsConnection }: Props) {
  const t = useText();
  return (
    <FilesTable
      label={t('builds.title')}
      className="builds-table"
      columns={[
        'files.status',
        'builds.version',
        'builds.trigger',
        'builds.requested',
        'builds.duration',
        'files.size',
        'builds.files',
        'builds.log',
      ]}
    >
      {builds.map((build) => (
        <BuildRow key={build.id} build={build} needsConnection={needsConnection} />
      ))}
    </FilesTable>
  );
}

interface RowProps {
  readonly build: Build;
  readonly needsConnection: string | undefined;
}

function BuildRow({ build, needsConnection }: RowProps) {
  const t = useText();
  const language = useLanguage();
  const { buildVersion, dateCreated, fileSize, logUrl, product } = build;
  return (
    <tr role="row">
      <Cell label={t('files.status')}>
        <BuildStatus build={build} />
      </Cell>
      <Cell label={t('builds.version')}>{buildVersion !== null && <bdi>{buildVersion}</bdi>}</Cell>
      <Cell label={t('builds.trigger')}>
        <Cause build={build} />
      </Cell>
      <Cell label={t('builds.requested')}>
        <RelativeTime at={dateCreated} />
      </Cell>
      <Cell label={t('builds.duration')} className="figure">
        <Duration build={build} />
      </Cell>
      <Cell label={t('files.size')} className="figure">
        {fileSize !== null && sizeOf(fileSize, language)}
      </Cell>
      <Cell label={t('builds.files')}>
        <FilesLink build={build} />
      </Cell>
      <Cell label={t('builds.log')}>
        {logUrl !== null && (
          <ConsoleLink
            address={logUrl}
            page={logPageAt(logUrl, product)}
            needsConnection={needsConnection}
          />
        )}
      </Cell>
    </tr>
  );
}

/** What began the build, and who; nothing of one that is older than what is known of it. */
function Cause({ build: { triggeredBy, startedBy } }: Pick<RowProps, 'build'>) {
  const t = useText();
  const nameOf = useNameOf();
  return (
    <>
      {triggeredBy !== null && t(`builds.trigger.${triggeredBy}`)}
      {startedBy !== null && (
        <div className="caption">
          <bdi>{nameOf(startedBy)}</bdi>
        </div>
      )}
    </>
  );
}

/** How long the engine worked on it, with when; of one under way, how long it has so far. */
function Duration({ build: { dateStarted, dateFinished } }: Pick<RowProps, 'build'>) {
  const t = useText();
  const { full } = useDateFormats();
  if (dateStarted === null) return null;
  if (dateFinished === null)
    return (
      <>
        <span className="soft">{t('builds.soFar')}</span> <RelativeTime at={dateStarted} isSpan />
      </>
    );
  const when = t('builds.when', { started: full(dateStarted), finished: full(dateFinished) });
  return <Hint text={when}>{durationOf(Date.parse(dateFinished) - Date.parse(dateStarted))}</Hint>;
}

/** The way to the files of the build, with their number where there are some on the device. */
function FilesLink({ build: { id, product } }: Pick<RowProps, 'build'>) {
  const t = useText();
  const { total: count } = useList('productArtifact', { productBuild: id });
  return (
    <Link to={`/products/${product}/files?build=${id}`}>
      {count === 0 ? t('builds.files') : t('builds.fileCount', { count })}
    </Link>
  );
}
