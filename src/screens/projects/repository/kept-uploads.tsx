import { useState } from 'react';
import { filePaths } from '#protocol/file-paths.ts';
import type { Uploaded } from '#protocol/file-paths.ts';
import type { Of } from '#schema/index.ts';
import { useRecord, useViewer } from '#data/react/hooks.ts';
import { useFiles } from '#files/files.ts';
import { Button } from '#ui/form/controls.tsx';
import { Icon } from '#ui/picture/icon.tsx';
import { RelativeTime } from '#ui/value/values.tsx';
import { useLanguage, useText } from '#ui/text/text.ts';
import { useToast } from '#ui/overlay/toasts.tsx';
import { sizeOf } from '#base/file-size.ts';
import { useFileTrouble } from '../../app/page/files/use-file-trouble.ts';

interface Props {
  readonly project: Of<'project'>;
  /** Newest first. */
  readonly uploads: readonly Uploaded[];
  readonly isOnline: boolean;
}

/** Lists the present content and the uploads before it. */
export function KeptUploads({ project, uploads, isOnline }: Props) {
  const t = useText();
  const [newest, ...older] = uploads;
  if (newest === undefined) return <p className="soft">{t('repository.nothing')}</p>;
  return (
    <>
      <Version upload={newest} />
      <DownloadButton project={project} upload={newest} isOnline={isOnline} />
      {older.length > 0 && (
        <details className="repository-older">
          <summary>{t('repository.older', { count: older.length })}</summary>
          <ol>
            {older.map((upload) => (
              <li key={upload.number}>
                <Version upload={upload} />
                <DownloadButton project={project} upload={upload} isOnline={isOnline} isQuiet />
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
  const name = upload.isSample ? t('repository.sample') : upload.filename;
  return (
    <div className="repository-version">
      <strong>{t('repository.version', { number: upload.number })}</strong>
      {name !== null && <bdi className="repository-name">{name}</bdi>}
      <span className="caption repository-facts">
        <span>{sizeOf(upload.sizeBytes, language)}</span>
        <RelativeTime at={upload.at} />
        {by !== null && <bdi>{by.name ?? t('users.noName')}</bdi>}
      </span>
    </div>
  );
}

interface DownloadProps extends Pick<Props, 'project' | 'isOnline'> {
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
