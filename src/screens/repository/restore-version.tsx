import { useState } from 'react';
import type { Uploaded } from '#protocol/file-paths.ts';
import type { Of } from '#schema/index.ts';
import type { FileRequestFailure, FileRequestResult } from '#files/file-requests.ts';
import type { Files } from '#files/files.ts';
import { useToast } from '#ui/overlay/toasts.tsx';
import { Icon } from '#ui/picture/icon.tsx';
import { Note } from '#ui/status/boxes.tsx';
import { useText } from '#ui/text/text.ts';
import { useFileTrouble } from '../app/page/files/use-file-trouble.ts';
import { OnlineDialog } from '../app/page/form/online-dialog.tsx';
import { useRebuilds } from './use-rebuilds.ts';
import { ComparedFiles, useComparison, useCountsText } from './version-changes.tsx';

interface Props {
  readonly project: Of<'project'>;
  readonly files: Files;
  /** The older version. */
  readonly upload: Uploaded;
  readonly newest: Uploaded;
  readonly isOnline: boolean;
  readonly onRefresh: () => Promise<void>;
  readonly onTake: (outcome: FileRequestResult<readonly Uploaded[]>) => void;
}

/** Makes an older version the newest once more, after a question. */
export function RestoreVersion(props: Props) {
  const { upload, isOnline } = props;
  const t = useText();
  const [isAsked, setAsked] = useState(false);
  const label = t('repository.restore.of', { number: upload.number });
  return (
    <>
      <button
        type="button"
        className="icon-button"
        title={label}
        aria-label={label}
        aria-describedby={isOnline ? undefined : 'repository-offline'}
        disabled={!isOnline}
        onClick={() => {
          setAsked(true);
        }}
      >
        <Icon name="restore" />
      </button>
      {isAsked && (
        <RestoreQuestion
          {...props}
          onClose={() => {
            setAsked(false);
          }}
        />
      )}
    </>
  );
}

/** Says which files change before anything does. */
function RestoreQuestion(props: Props & { readonly onClose: () => void }) {
  const { project, files, upload, newest, isOnline, onRefresh, onTake, onClose } = props;
  const t = useText();
  const show = useToast();
  const textOf = useCountsText();
  const [isSending, setSending] = useState(false);
  const [trouble, setTrouble] = useState<FileRequestFailure | null>(null);
  /** Where no answer came it may have been restored: the same is asked again, and done once. */
  const [unanswered, setUnanswered] = useState<Uploaded | null>(null);
  const over = unanswered ?? newest;
  const { number } = upload;
  const comparison = useComparison(files, project.id, { number, base: over.number }, isOnline);
  const { changes } = comparison;
  const isSame = changes !== null && changes.added + changes.changed + changes.removed === 0;
  const rebuilds = useRebuilds(project);

  const restore = async () => {
    setSending(true);
    const outcome = await files.restore(project.id, number, over.tag);
    if (outcome.is === 'done') {
      onTake(outcome);
      show({ tone: 'success', title: t('repository.restore.done', { number }) });
      onClose();
      return;
    }
    setUnanswered(outcome.is === 'no-answer' ? over : null);
    // Somebody else's may have come meanwhile: what changes is worked out anew.
    if (outcome.is === 'refused') await onRefresh();
    setTrouble(outcome);
    setSending(false);
  };
  return (
    <OnlineDialog
      title={t('repository.restore.title', { number })}
      isOffline={!isOnline}
      isSending={isSending}
      isOff={isSame}
      submitLabel={trouble === null ? t('repository.restore.verb') : t('common.tryAgain')}
      onSubmit={() => void restore()}
      onClose={onClose}
      onForget={() => undefined}
    >
      <div className="repository-question">
        <div role="alert">{trouble !== null && <WhyNot trouble={trouble} newest={newest} />}</div>
        {isSame ? (
          <p>{t('repository.restore.same', { number: over.number })}</p>
        ) : (
          <>
            <p>{t('repository.restore.text', { next: over.number + 1 })}</p>
            {rebuilds && <p>{t('repository.restore.rebuilds')}</p>}
            <h3>{t('repository.restore.changes', { number: over.number })}</h3>
            {changes !== null && <p>{textOf(changes)}</p>}
            <ComparedFiles
              {...comparison}
              label={t('repository.restore.changes', { number: over.number })}
              isOnline={isOnline}
            />
          </>
        )}
      </div>
    </OnlineDialog>
  );
}

interface WhyNotProps {
  readonly trouble: FileRequestFailure;
  readonly newest: Uploaded;
}

function WhyNot({ trouble, newest }: WhyNotProps) {
  const t = useText();
  const troubleOf = useFileTrouble();
  if (trouble.is === 'refused' && trouble.problem.code === 'precondition-failed')
    return (
      <Note tone="warning">{t('repository.restore.overtaken', { number: newest.number })}</Note>
    );
  return (
    <Note tone="error">
      <strong>{t('repository.restore.failed')}</strong> {troubleOf(trouble)}
    </Note>
  );
}
