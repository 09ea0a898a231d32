import { useState } from 'react';
import { Link, Navigate, useParams } from 'react-router-dom';
import { Segment } from 'semantic-ui-react';
import { isUuid } from '#base/id.ts';
import { sizeOf } from '#base/file-size.ts';
import { filePaths } from '#protocol/file-paths.ts';
import { mayAddProduct, mayDownloadFiles } from '#rules/product.ts';
import type { Of } from '#schema/index.ts';
import type { ListView } from '#data/model/views.ts';
import {
  useChanges,
  useFind,
  useList,
  useRecord,
  useRecordAnywhere,
  useViewer,
} from '#data/react/hooks.ts';
import { ProductIcon } from '#ui/picture/icon.tsx';
import { EmptyBox, Skeleton } from '#ui/status/boxes.tsx';
import { Trail } from '#ui/page/trail.tsx';
import { Cell } from '#ui/table/table.tsx';
import { useLanguage, useText } from '#ui/text/text.ts';
import { LanguageName, RelativeTime } from '#ui/value/values.tsx';
import { DetailPage } from '../app/page/detail-page.tsx';
import { NotHere } from '../app/page/device/not-here.tsx';
import { useFetchFile } from '../app/page/files/use-fetch-file.ts';
import { LateNotFound } from '../app/page/late-not-found.tsx';
import { OrganizationMark } from '../app/page/brand.tsx';
import { useDisplayName } from '../app/page/use-display-name.ts';
import { BUILDS_AT_ONCE, BuildPicker } from '../products/build-picker.tsx';
import { newestFirst } from '../products/builds.ts';
import { FilesBox } from '../products/files/files-box.tsx';
import { FilesTable } from '../products/files-table.tsx';
import { Created } from '../projects/parts/created.tsx';
import '../products/files/product-files.css';
import './directory.css';

type Project = Of<'project'>;

/** `/directory/{projectId}`: what everybody who is signed in may see of a public project */
export function DirectoryProject() {
  const { publicProjectId: projectId = '' } = useParams();
  const viewer = useViewer();
  const { status } = useChanges();
  const { state, record, isUnanswered, serverError } = useRecordAnywhere(
    'project',
    projectId,
    true,
  );
  if (!isUuid(projectId)) return <LateNotFound />;
  if (state === 'loading') return <Skeleton rows={5} />;
  if (record === null)
    return isUnanswered || (status === 'offline' && state !== 'gone') ? (
      <NotHere isPage serverError={serverError} />
    ) : (
      <LateNotFound />
    );
  const isIn = viewer.isSuperAdmin || viewer.memberOf.has(record.organization);
  if (!record.isPublic || record.dateArchived !== null)
    return isIn ? <Navigate to={`/projects/${record.id}`} replace /> : <LateNotFound />;
  return <OneProject key={record.id} project={record} isIn={isIn} />;
}

interface Props {
  readonly project: Project;
  /** True for people of its organization, who have a page with more. */
  readonly isIn: boolean;
}

const OFFLINE = 'directory-offline';

function OneProject({ project, isIn }: Props) {
  const t = useText();
  const nameOf = useDisplayName();
  const { record: organization } = useRecord('organization', project.organization);
  const { record: contact } = useRecord('user', organization?.owner ?? null);
  const { record: owner } = useRecord('user', project.owner);
  const products = useList('product', { project: project.id }, { sort: 'dateCreated' });
  return (
    <DetailPage
      record={{ type: 'project', id: project.id, change: null }}
      title={project.name}
      trail={
        <Trail here={project.name}>
          <Link to="/directory">{t('sidebar.directory')}</Link>
        </Trail>
      }
      facts={
        <>
          <span className="fact">
            <LanguageName tag={project.language} />
          </span>
          <Created at={project.dateCreated} />
        </>
      }
      needsConnection={OFFLINE}
      actions={
        isIn ? (
          <Link className="ui button" to={`/projects/${project.id}`}>
            {t('directory.toProject')}
          </Link>
        ) : undefined
      }
    >
      <div className="two-columns">
        <div className="stack">
          {products.rows.length === 0 && <Instead project={project} list={products} />}
          {products.rows.map((product) => (
            <Segment key={product.id}>
              <OneProduct product={product} project={project} />
            </Segment>
          ))}
        </div>
        <div className="stack">
          <Segment>
            <div className="directory-organization">
              <OrganizationMark organization={organization} />
              <OrganizationName organization={organization} />
            </div>
            <dl className="facts">
              <dt>{t('directory.contact')}</dt>
              <dd>{contact === null ? '--' : <bdi>{nameOf(contact)}</bdi>}</dd>
              <dt>{t('directory.owner')}</dt>
              <dd>{owner === null ? '--' : <bdi>{nameOf(owner)}</bdi>}</dd>
              <dt>{t('project.description')}</dt>
              <dd dir="auto">{project.description ?? '--'}</dd>
            </dl>
          </Segment>
        </div>
      </div>
    </DetailPage>
  );
}

interface InsteadProps {
  readonly project: Project;
  readonly list: Pick<ListView<'product'>, 'state' | 'serverError'>;
}

/** Stands where no product shows: there is none, or none on this device. */
function Instead({ project, list: { state, serverError } }: InsteadProps) {
  const t = useText();
  const find = useFind();
  const viewer = useViewer();
  if (state === 'loading') return <Skeleton rows={3} />;
  if (state !== 'ready') return <NotHere serverError={serverError} />;
  const mayAdd = mayAddProduct(viewer, { project: project.id }, find);
  return (
    <EmptyBox
      icon="folder"
      title={t('projectTable.noProducts')}
      action={
        mayAdd ? (
          <Link className="ui primary button" to={`/projects/${project.id}`}>
            {t('products.add')}
          </Link>
        ) : undefined
      }
    >
      {t('directory.noProductsText')}
    </EmptyBox>
  );
}

/** The name leads to the organization's website, if that is an address of the web. */
function OrganizationName({ organization }: { readonly organization: Of<'organization'> | null }) {
  const name = <bdi>{organization?.name ?? '--'}</bdi>;
  const address = organization?.websiteUrl ?? '';
  if (!/^https?:\/\//.test(address)) return name;
  return (
    <a href={address} target="_blank" rel="noreferrer">
      {name}
    </a>
  );
}

interface ProductProps {
  readonly product: Of<'product'>;
  readonly project: Project;
}

/** A product with its builds, and the files of the one that is chosen: at first the newest. */
function OneProduct({ product, project }: ProductProps) {
  const { record: definition } = useRecord('productDefinition', product.productDefinition);
  const { rows } = useList('productBuild', { product: product.id }, { beyond: true });
  const builds = newestFirst(rows);
  const [wanted, setWanted] = useState<string | null>(null);
  const [isAll, setAll] = useState(false);
  const chosen = builds.find(({ id }) => id === wanted) ?? builds[0] ?? null;
  const shown = isAll ? builds : builds.slice(0, BUILDS_AT_ONCE);
  const name = definition?.name ?? '';
  return (
    <>
      <h2 className="directory-product">
        <ProductIcon name={name} /> {name}
      </h2>
      <BuildPicker
        builds={shown}
        chosen={chosen}
        onChoose={setWanted}
        onShowOlder={
          shown.length < builds.length
            ? () => {
                setAll(true);
              }
            : null
        }
      />
      {chosen !== null && <Files build={chosen} project={project} />}
    </>
  );
}

interface FilesProps {
  readonly build: Of<'productBuild'>;
  readonly project: Project;
}

function Files({ build, project }: FilesProps) {
  const t = useText();
  const viewer = useViewer();
  const isOffline = useChanges().status === 'offline';
  const files = useList(
    'productArtifact',
    { productBuild: build.id },
    { sort: 'filename', beyond: true },
  );
  const mayDownload = mayDownloadFiles(viewer, project);
  return (
    <FilesBox files={files} level="h3">
      <FilesTable
        label={t('files.title')}
        columns={['files.filename', 'files.updated', 'files.size']}
        figures={['files.size']}
      >
        {files.rows.map((file) => (
          <FileRow key={file.id} file={file} mayDownload={mayDownload} isOffline={isOffline} />
        ))}
      </FilesTable>
      {!mayDownload && <p className="soft">{t('directory.noDownloads')}</p>}
    </FilesBox>
  );
}

interface FileProps {
  readonly file: Of<'productArtifact'>;
  readonly mayDownload: boolean;
  readonly isOffline: boolean;
}

function FileRow({ file, mayDownload, isOffline }: FileProps) {
  const t = useText();
  const language = useLanguage();
  const download = useFetchFile('save');
  const name = file.filename ?? file.artifactType ?? '';
  return (
    <tr role="row">
      <Cell label={t('files.filename')}>
        {mayDownload ? (
          <button
            type="button"
            className="link-button"
            disabled={isOffline}
            aria-describedby={isOffline ? OFFLINE : undefined}
            aria-label={t('files.downloadOf', { name })}
            onClick={() => void download(filePaths.artifactFile(file.id))}
          >
            <bdi>{name}</bdi>
          </button>
        ) : (
          <bdi>{name}</bdi>
        )}
      </Cell>
      <Cell label={t('files.updated')}>
        <RelativeTime at={file.updated} />
      </Cell>
      <Cell label={t('files.size')} className="figure">
        {sizeOf(file.fileSize, language)}
      </Cell>
    </tr>
  );
}
