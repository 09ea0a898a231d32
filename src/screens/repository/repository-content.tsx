import { useCallback, useEffect, useLayoutEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { isBundled, filePaths } from '#protocol/file-paths.ts';
import { answersFor, mayDownloadRepository, mayUploadRepository } from '#rules/project.ts';
import type { Of } from '#schema/index.ts';
import { useChanges, useFind, useList, useRecord, useViewer } from '#data/react/hooks.ts';
import { useFiles } from '#files/files.ts';
import { NeedsConnection, Skeleton } from '#ui/status/boxes.tsx';
import { Button } from '#ui/form/controls.tsx';
import { useUiEnvironment } from '#ui/ui-environment.tsx';
import { useText, useLanguage } from '#ui/text/text.ts';
import { CopyButton } from '#ui/form/copy-button.tsx';
import { RestoreVersion } from './restore-version.tsx';
import { UploadForm } from './upload-form.tsx';
import { VersionChanges } from './version-changes.tsx';
import { useDisplayName } from '../app/page/use-display-name.ts';
import { useFileTrouble } from '../app/page/files/use-file-trouble.ts';
import './repository.css';
import type { Uploaded } from '#protocol/file-paths.ts';
import { Icon } from '#ui/picture/icon.tsx';
import { RelativeTime } from '#ui/value/values.tsx';
import { useToast } from '#ui/overlay/toasts.tsx';
import { sizeOf } from '#base/file-size.ts';
import type { FileRequestResult, FileRequestFailure } from '#files/file-requests.ts';
import type { Files } from '#files/files.ts';

interface Props {
  readonly project: Of<'project'>;
  /** Says what has to be done before the viewer may upload; null: there is no such thing. */
  readonly uploadNext: ReactNode;
  /** Is called with what is there, newest first; null: the server did not say when asked last. */
  readonly onKnown?: (uploads: readonly Uploaded[] | null) => void;
}

/** Setting up takes minutes; what takes longer waits for an engine, and is tried again by itself. */
const USUAL_MS = 10 * 60_000;

/** Shows what the project's products are built from, and takes new content for it. */
export function RepositoryContent(props: Props) {
  const { project } = props;
  const t = useText();
  const viewer = useViewer();
  const find = useFind();
  // Being made an author, and being let upload, show at once.
  useList('author', { project: project.id, user: viewer.id });
  const address = project.workflowProjectUrl;

  if (address === null) return <BeingSetUp project={project} />;
  if (!isBundled(address)) return <Elsewhere address={project.location ?? address} />;
  if (!mayDownloadRepository(viewer, project, find))
    return <p className="soft">{t('repository.whyNotSee')}</p>;
  return <Content {...props} />;
}

function BeingSetUp({ project: { version, dateCreated } }: Pick<Props, 'project'>) {
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

function Content({ project, uploadNext, onKnown }: Props) {
  const t = useText();
  const viewer = useViewer();
  const find = useFind();
  const files = useFiles(viewer.id);
  const isOnline = useChanges().status !== 'offline';
  const { uploads, trouble, refresh, take } = useListOfUploads(files, project.id, isOnline);
  const { rows: products } = useList('product', { project: project.id });
  const mayUpload = mayUploadRepository(viewer, project, find);
  const troubleOf = useFileTrouble();
  // Before it is painted: who sees the uploads and goes on at once is asked about them.
  useLayoutEffect(() => {
    onKnown?.(trouble === null ? uploads : null);
  }, [uploads, trouble, onKnown]);

  const shown = (): ReactNode => {
    if (uploads !== null)
      return (
        <KeptUploads
          project={project}
          files={files}
          uploads={uploads}
          isOnline={isOnline}
          mayRestore={mayUpload}
          onRefresh={refresh}
          onTake={take}
        />
      );
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
        (uploadNext ?? <WhyNot project={project} />)
      )}
      {products[0] !== undefined && <OthersUploads product={products[0].id} onRefresh={refresh} />}
    </>
  );
}

/** Says why the viewer has no part in uploading. */
function WhyNot({ project }: Pick<Props, 'project'>) {
  const t = useText();
  const isAuthor = !answersFor(useViewer(), project);
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

interface KeptUploadsProps {
  readonly project: Of<'project'>;
  readonly files: Files;
  /** Newest first. */
  readonly uploads: readonly Uploaded[];
  readonly isOnline: boolean;
  readonly mayRestore: boolean;
  readonly onRefresh: ListOfUploads['refresh'];
  readonly onTake: ListOfUploads['take'];
}

/** Lists the present content and the uploads before it. */
function KeptUploads({ uploads, mayRestore, onRefresh, onTake, ...shown }: KeptUploadsProps) {
  const { project, files, isOnline } = shown;
  const t = useText();
  const shared = { project: project.id, files, isOnline };
  const [newest, ...older] = uploads;
  if (newest === undefined) return <p className="soft">{t('repository.nothing')}</p>;
  return (
    <>
      <Version upload={newest} />
      <VersionChanges {...shared} upload={newest} />
      <DownloadButton project={project} upload={newest} isOnline={isOnline} />
      {older.length > 0 && (
        <details className="repository-older">
          <summary>{t('repository.older', { count: older.length })}</summary>
          <ol>
            {older.map((upload) => (
              <li key={upload.number}>
                <Version upload={upload} />
                <span className="repository-actions">
                  {mayRestore && (
                    <RestoreVersion
                      {...shown}
                      upload={upload}
                      newest={newest}
                      onRefresh={onRefresh}
                      onTake={onTake}
                    />
                  )}
                  <DownloadButton project={project} upload={upload} isOnline={isOnline} isQuiet />
                </span>
                <VersionChanges {...shared} upload={upload} />
              </li>
            ))}
          </ol>
        </details>
      )}
    </>
  );
}

/** "Version 3 · harvest.zip", its size, when it came, and from whom. */
function Version({ upload }: { readonly upload: Uploaded }) {
  const t = useText();
  const language = useLanguage();
  const { record: by } = useRecord('user', upload.by);
  const nameOf = useDisplayName();
  const name = upload.isSample ? t('repository.sample') : upload.filename;
  return (
    <div className="repository-version">
      <strong>{t('repository.version', { number: upload.number })}</strong>
      {name !== null && <bdi className="repository-name">{name}</bdi>}
      <span className="caption repository-facts">
        <span>{sizeOf(upload.sizeBytes, language)}</span>
        <RelativeTime at={upload.at} />
        {by !== null && <bdi>{nameOf(by)}</bdi>}
      </span>
      {upload.restored !== null && (
        <span className="caption">{t('repository.restored', { number: upload.restored })}</span>
      )}
    </div>
  );
}

interface DownloadProps extends Pick<KeptUploadsProps, 'project' | 'isOnline'> {
  readonly upload: Uploaded;
  /** One of many: the newest has the button. */
  readonly isQuiet?: boolean;
}

function DownloadButton({ project, upload, isOnline, isQuiet = false }: DownloadProps) {
  const t = useText();
  const { id: user } = useViewer();
  const files = useFiles(user);
  const show = useToast();
  const troubleOf = useFileTrouble();
  const [isFetching, setFetching] = useState(false);
  const { number } = upload;

  const download = async () => {
    setFetching(true);
    const outcome = await files.fetchFile(filePaths.upload(project.id, number), 'save');
    setFetching(false);
    if (outcome.is === 'done') return;
    show({ tone: 'error', title: t('files.notDownloaded'), detail: troubleOf(outcome) });
  };
  const label = t('repository.downloadOf', { number });
  const props = {
    'aria-label': label,
    'aria-describedby': isOnline ? undefined : 'repository-offline',
    disabled: !isOnline || isFetching,
    onClick: () => void download(),
  };
  return isQuiet ? (
    <button type="button" className="icon-button" title={label} {...props}>
      <Icon name="arrowDown" />
    </button>
  ) : (
    <Button {...props}>
      <Icon name="arrowDown" />
      {t('files.download')}
    </Button>
  );
}

interface ListOfUploads {
  /** Newest first; null before the first answer. */
  readonly uploads: readonly Uploaded[] | null;
  /** Says why the last request came to nothing. */
  readonly trouble: FileRequestFailure | null;
  readonly refresh: () => Promise<void>;
  /** Uses the answer of another call. */
  readonly take: (outcome: FileRequestResult<readonly Uploaded[]>) => void;
}

/**
 * Lists a project's uploads, as the server said last; it asks when it comes, and when `isOnline`.
 */
function useListOfUploads(files: Files, project: string, isOnline: boolean): ListOfUploads {
  const [list, setList] = useState<Pick<ListOfUploads, 'uploads' | 'trouble'>>({
    uploads: null,
    trouble: null,
  });
  const take = useCallback((outcome: FileRequestResult<readonly Uploaded[]>) => {
    setList((before) =>
      outcome.is === 'done'
        ? { uploads: outcome.value, trouble: null }
        : { ...before, trouble: outcome },
    );
  }, []);
  const refresh = useCallback(async () => {
    take(await files.list(project));
  }, [files, project, take]);

  useEffect(() => {
    if (!isOnline) return undefined;
    let isOver = false;
    void files.list(project).then((outcome) => {
      if (!isOver) take(outcome);
    });
    return () => {
      isOver = true;
    };
  }, [files, project, isOnline, take]);
  return { ...list, refresh, take };
}
