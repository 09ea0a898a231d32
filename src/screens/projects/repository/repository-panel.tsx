import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { isBundled } from '#protocol/file-paths.ts';
import { answersFor, mayDownloadRepository, mayUploadRepository } from '#rules/project.ts';
import type { Of } from '#schema/index.ts';
import { useChanges, useData, useList, useViewer } from '#data/react/hooks.ts';
import { useFiles } from '#files/files.ts';
import { NeedsConnection, Skeleton } from '#ui/status/boxes.tsx';
import { Button } from '#ui/form/controls.tsx';
import { useUiEnvironment } from '#ui/ui-environment.tsx';
import { useText } from '#ui/text/text.ts';
import { CopyButton } from '#ui/form/copy-button.tsx';
import { SidePart } from '../parts/side-part.tsx';
import { KeptUploads } from './kept-uploads.tsx';
import { UploadForm } from './upload-form.tsx';
import { useFileTrouble } from '../../app/page/files/use-file-trouble.ts';
import { useListOfUploads } from './use-list-of-uploads.ts';
import './repository.css';

interface Props {
  readonly project: Of<'project'>;
}

/** Setting up takes minutes; what takes longer waits for an engine, and is tried again by itself. */
const USUAL_MS = 10 * 60_000;

/** Shows what the project's products are built from, and takes new content for it. */
export function RepositoryPanel({ project }: Props) {
  const t = useText();
  return (
    <section className="side-panel repository" id="repository" aria-labelledby="repository-title">
      <SidePart title={t('repository.title')}>
        <div className="repository-inside">
          <h2 id="repository-title">{t('repository.title')}</h2>
          <Inside project={project} />
        </div>
      </SidePart>
    </section>
  );
}

function Inside({ project }: Props) {
  const t = useText();
  const viewer = useViewer();
  const { find } = useData();
  // Being made an author, and being let upload, show at once.
  useList('author', { project: project.id, user: viewer.id });
  const address = project.workflowProjectUrl;

  if (address === null) return <BeingSetUp project={project} />;
  if (!isBundled(address)) return <Elsewhere address={project.location ?? address} />;
  if (!mayDownloadRepository(viewer, project, find))
    return <p className="soft">{t('repository.whyNotSee')}</p>;
  return <Content project={project} />;
}

function BeingSetUp({ project: { version, dateCreated } }: Props) {
  const t = useText();
  const { status } = useChanges();
  const { clock } = useUiEnvironment();
  if (version === 0 && status === 'offline')
    return <p className="soft">{t('project.products.setUpWhenSent')}</p>;
  const isLong = dateCreated !== null && clock() - Date.parse(dateCreated) > USUAL_MS;
  return (
    <p className="soft" role="status">
      {isLong ? t('repository.settingUpLong') : t('repository.settingUp')}
    </p>
  );
}

/** An engine of the organization's own has its own way in. */
function Elsewhere({ address }: { readonly address: string }) {
  const t = useText();
  return (
    <>
      <p className="repository-address">
        <bdi>{address}</bdi> <CopyButton text={address} what={t('repository.title')} />
      </p>
      <p className="caption">{t('repository.elsewhere')}</p>
    </>
  );
}

function Content({ project }: Props) {
  const t = useText();
  const viewer = useViewer();
  const { find } = useData();
  const files = useFiles(viewer.id);
  const isOnline = useChanges().status !== 'offline';
  const { uploads, trouble, refresh, take } = useListOfUploads(files, project.id, isOnline);
  const { rows: products } = useList('product', { project: project.id });
  const mayUpload = mayUploadRepository(viewer, project, find);
  const troubleOf = useFileTrouble();

  const shown = (): ReactNode => {
    if (uploads !== null)
      return <KeptUploads project={project} uploads={uploads} isOnline={isOnline} />;
    if (!isOnline) return <p className="soft">{t('repository.notHere')}</p>;
    if (trouble === null) return <Skeleton rows={1} />;
    return (
      <>
        <p>{troubleOf(trouble)}</p>
        <Button onClick={() => void refresh()}>{t('common.tryAgain')}</Button>
      </>
    );
  };
  return (
    <>
      {shown()}
      {!isOnline && <NeedsConnection id="repository-offline" />}
      {mayUpload ? (
        <UploadForm
          project={project}
          files={files}
          uploads={uploads}
          isOnline={isOnline}
          onRefresh={refresh}
          onTake={take}
        />
      ) : (
        <WhyNot project={project} />
      )}
      {products[0] !== undefined && <OthersUploads product={products[0].id} onRefresh={refresh} />}
    </>
  );
}

/** Says why the viewer has no part in uploading. */
function WhyNot({ project }: Props) {
  const t = useText();
  const viewer = useViewer();
  const isAuthor = !answersFor(viewer, project);
  return (
    <p className="caption">
      {isAuthor ? t('repository.whyNot.author') : t('repository.whyNot.others')}
    </p>
  );
}

interface OthersProps {
  /** Any product of the project: the history of each names every upload. */
  readonly product: string;
  readonly onRefresh: () => Promise<void>;
}

/** Looks again when somebody has uploaded. */
function OthersUploads({ product, onRefresh }: OthersProps) {
  const { rows } = useList('productTransition', { product });
  const count = rows.filter(({ initialState }) => initialState === 'Project Upload').length;
  useEffect(() => {
    if (count > 0) void onRefresh();
  }, [count, onRefresh]);
  return null;
}
