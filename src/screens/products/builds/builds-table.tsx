import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { durationOf } from '#base/duration.ts';
import { sizeOf } from '#base/file-size.ts';
import { mayEditProject, mayOpenProject } from '#rules/project.ts';
import type { Of } from '#schema/index.ts';
import { useOrganization } from '#session/organization.ts';
import { useFind, useList, useOrganizations, useViewer } from '#data/react/hooks.ts';
import { ProductIcon } from '#ui/picture/icon.tsx';
import { Cell } from '#ui/table/table.tsx';
import type { TextKey } from '#ui/text/text.ts';
import { useLanguage, useText } from '#ui/text/text.ts';
import { Hint, RelativeTime, useDateFormats } from '#ui/value/values.tsx';
import { ConsoleLink, logPageAt, useNameOf } from '../../flow/task.tsx';
import { FilesTable } from '../files-table.tsx';
import { BuildStatus } from './build-status.tsx';
import type { BuildsScope } from './use-builds.ts';

type Build = Of<'productBuild'>;

interface Props {
  readonly scope: BuildsScope;
  readonly builds: readonly Build[];
  /** Id of what says that logs need a connection; undefined while there is one. */
  readonly needsConnection: string | undefined;
}

const TITLES = {
  project: 'builds.project',
  product: 'builds.product',
  status: 'files.status',
  version: 'builds.version',
  trigger: 'builds.trigger',
  requested: 'builds.requested',
  duration: 'builds.duration',
  size: 'files.size',
  files: 'builds.files',
  log: 'builds.log',
} as const satisfies Readonly<Record<string, TextKey>>;

type BuildColumn = keyof typeof TITLES;

/** What says whose a build is takes the room of what the list of one product has besides. */
const COLUMNS: Readonly<Record<BuildsScope['of'], readonly BuildColumn[]>> = {
  product: ['status', 'version', 'trigger', 'requested', 'duration', 'size', 'files', 'log'],
  project: ['product', 'status', 'trigger', 'requested', 'duration', 'size', 'files', 'log'],
  organization: [
    'project',
    'product',
    'status',
    'trigger',
    'requested',
    'duration',
    'files',
    'log',
  ],
};

const FIGURES: readonly BuildColumn[] = ['duration', 'size'];

/** Builds, one in each row, with the ways to its files and its log. */
export function BuildsTable({ scope, builds, needsConnection }: Props) {
  const t = useText();
  const columns = COLUMNS[scope.of];
  return (
    <FilesTable
      label={t('builds.title')}
      className={`builds-table builds-of-${scope.of}`}
      columns={columns.map((column) => TITLES[column])}
      figures={FIGURES.map((column) => TITLES[column])}
    >
      {builds.map((build) => (
        <BuildRow
          key={build.id}
          columns={columns}
          build={build}
          needsConnection={needsConnection}
        />
      ))}
    </FilesTable>
  );
}

interface RowProps extends Pick<Props, 'needsConnection'> {
  readonly columns: readonly BuildColumn[];
  readonly build: Build;
}

function BuildRow({ columns, build, needsConnection }: RowProps) {
  const t = useText();
  const whose = useWhose(build);
  return (
    <tr role="row">
      {columns.map((column) => (
        <Cell key={column} label={t(TITLES[column])} className={classOf(column)}>
          {CELLS[column]({ build, needsConnection, ...whose })}
        </Cell>
      ))}
    </tr>
  );
}

const classOf = (column: BuildColumn): string =>
  `builds-${column} ${FIGURES.includes(column) ? 'figure' : ''}`;

interface CellProps extends Omit<RowProps, 'columns'>, Whose {}

/** What stands in each column; where that is nothing, a card leaves it out. */
const CELLS: Readonly<Record<BuildColumn, (props: CellProps) => ReactNode>> = {
  project: (props) => <ProjectName {...props} />,
  product: (props) => <ProductCell {...props} />,
  status: ({ build }) => <BuildStatus build={build} />,
  version: ({ build: { buildVersion } }) => buildVersion !== null && <bdi>{buildVersion}</bdi>,
  trigger: (props) => <Cause {...props} />,
  requested: ({ build: { dateCreated } }) => <RelativeTime at={dateCreated} />,
  duration: (props) => <Duration {...props} />,
  size: ({ build: { fileSize } }) => fileSize !== null && <Size bytes={fileSize} />,
  files: (props) => <FilesLink {...props} />,
  log: ({ build: { logUrl, product }, needsConnection }) =>
    logUrl !== null && (
      <ConsoleLink
        address={logUrl}
        page={logPageAt(logUrl, product)}
        needsConnection={needsConnection}
      />
    ),
};

function Size({ bytes }: { readonly bytes: number }) {
  return sizeOf(bytes, useLanguage());
}

interface Whose {
  readonly project: Of<'project'> | null;
  /** The name of the product's definition. */
  readonly name: string;
  readonly mayOpen: boolean;
  readonly mayEdit: boolean;
}

/** Returns what the build is of, and where the viewer may go from it. */
function useWhose({ product: id }: Build): Whose {
  const find = useFind();
  const viewer = useViewer();
  const product = id === null ? null : find.one('product', id);
  const project = product === null ? null : find.one('project', product.project);
  const definition =
    product === null ? null : find.one('productDefinition', product.productDefinition);
  return {
    project,
    name: definition?.name ?? '',
    mayOpen: project !== null && mayOpenProject(viewer, project, find),
    mayEdit: project !== null && mayEditProject(viewer, project),
  };
}

/** The project, with its organization where several are in view. */
function ProjectName({ project, mayOpen }: Whose) {
  const organizations = useOrganizations();
  const inView = useOrganization();
  if (project === null) return null;
  const name = <bdi>{project.name}</bdi>;
  const of = organizations.find(({ id }) => id === project.organization);
  return (
    <>
      {mayOpen ? <Link to={`/projects/${project.id}`}>{name}</Link> : name}
      {inView === null && organizations.length > 1 && of !== undefined && (
        <div className="caption">
          <bdi>{of.name}</bdi>
        </div>
      )}
    </>
  );
}

/** The product, which leads to its own builds, and the version that was built. */
function ProductCell({ build: { product, buildVersion }, name, mayEdit }: CellProps) {
  const t = useText();
  const text = <bdi>{name}</bdi>;
  return (
    <div className="build-product-name">
      <ProductIcon name={name} />
      <div>
        {mayEdit ? <Link to={`/products/${product}/builds`}>{text}</Link> : text}
        {buildVersion !== null && (
          <div className="caption">{t('activity.version', { version: buildVersion })}</div>
        )}
      </div>
    </div>
  );
}

/** What began the build, and who; nothing of one that is older than what is known of it. */
function Cause({ build: { triggeredBy, startedBy } }: CellProps) {
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
function Duration({ build: { dateStarted, dateFinished } }: CellProps) {
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

/**
 * The way to the files of the build, for who may go it, with their number where there are some on
 * the device.
 */
function FilesLink({ build: { id, product }, mayEdit }: CellProps) {
  const t = useText();
  const { total: count } = useList('productArtifact', { productBuild: id });
  const text = count === 0 ? null : t('builds.fileCount', { count });
  if (!mayEdit) return text;
  return <Link to={`/products/${product}/files?build=${id}`}>{text ?? t('builds.files')}</Link>;
}
