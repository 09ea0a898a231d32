import { useEffect, useRef, useState } from 'react';
import type { Uploaded } from '#protocol/file-paths.ts';
import type { Of } from '#schema/index.ts';
import type { FileRequestResult } from '#files/file-requests.ts';
import { useUploading } from '#files/files.ts';
import type { Files } from '#files/files.ts';
import type { Uploading } from '#files/uploading.ts';
import { Note } from '#ui/status/boxes.tsx';
import { Button } from '#ui/form/controls.tsx';
import { ChooseFile, DropFile } from '#ui/form/drop-file.tsx';
import { useLanguage, useText } from '#ui/text/text.ts';
import { useToast } from '#ui/overlay/toasts.tsx';
import { sizeOf } from '#base/file-size.ts';
import { mostOf, useFileTrouble } from '../app/page/files/use-file-trouble.ts';
import { DropAnywhere } from './drop-anywhere.tsx';
import { useRebuilds } from './use-rebuilds.ts';

interface Props {
  readonly project: Of<'project'>;
  readonly files: Files;
  /** Null while that is not known. */
  readonly uploads: readonly Uploaded[] | null;
  readonly isOnline: boolean;
  readonly onRefresh: () => Promise<void>;
  readonly onTake: (outcome: FileRequestResult<readonly Uploaded[]>) => void;
}

/** Chooses a zip and sends it; until it is up the choice is kept, whatever happens. */
export function UploadForm(props: Props) {
  const { project, files, onRefresh } = props;
  const t = useText();
  const show = useToast();
  const uploading = useUploading(files, project.id);
  const { uploads } = files;

  useEffect(() => {
    if (uploading.is !== 'done') return;
    show({ tone: 'success', title: t('repository.uploaded', { name: uploading.file.name }) });
    uploads.letGo(project.id);
    void onRefresh();
  }, [uploading, uploads, project.id, onRefresh, show, t]);

  return (
    <>
      <DropAnywhere project={project} files={files} />
      <Step {...props} uploading={uploading} />
    </>
  );
}

function Step({ uploading, ...props }: Props & { readonly uploading: Uploading }) {
  switch (uploading.is) {
    case 'none':
    case 'done':
      return <Choose {...props} />;
    case 'chosen':
      return <Chosen {...props} {...uploading} />;
    case 'sending':
    case 'checking':
      return <UnderWay {...props} uploading={uploading} />;
  }
}

/** The `accept` of a file input that takes zip files. */
const ZIP = '.zip,application/zip';

/** Takes a file by dialog or by dropping it; where there is nothing yet, the sample too. */
function Choose(props: Props) {
  const { project, files, uploads, isOnline } = props;
  const t = useText();
  const language = useLanguage();
  return (
    <>
      <DropFile
        accept={ZIP}
        label={t('repository.choose')}
        help={t('repository.drop', { limit: mostOf(language) })}
        onFile={(...dropped) => void files.uploads.choose(project.id, ...dropped)}
      />
      {uploads?.length === 0 && <Sample {...props} isOnline={isOnline} />}
    </>
  );
}

/** Content for a first build, for who has none at hand. */
function Sample({ project, files, isOnline, onTake }: Props) {
  const t = useText();
  const show = useToast();
  const troubleOf = useFileTrouble();
  const [isStarting, setStarting] = useState(false);
  const start = async () => {
    setStarting(true);
    const outcome = await files.startFromSample(project.id);
    setStarting(false);
    if (outcome.is === 'done') show({ tone: 'success', title: t('repository.sampleTaken') });
    else show({ tone: 'error', title: t('repository.notTaken'), detail: troubleOf(outcome) });
    onTake(outcome.is === 'done' ? outcome : await files.list(project.id));
  };
  return (
    <div className="repository-sample">
      <Button
        loading={isStarting}
        disabled={!isOnline || isStarting}
        aria-describedby={isOnline ? 'repository-sample' : 'repository-offline'}
        onClick={() => void start()}
      >
        {t('repository.startFromSample')}
      </Button>
      <p className="caption" id="repository-sample">
        {t('repository.sampleHelp')}
      </p>
    </div>
  );
}

type ChosenProps = Props & Extract<Uploading, { readonly is: 'chosen' }>;

function Chosen(props: ChosenProps) {
  const { project, files, uploads, isOnline, onRefresh: onLook, file, trouble } = props;
  const t = useText();
  const language = useLanguage();
  const button = useRef<HTMLButtonElement>(null);
  const isFit = trouble === null || mayPass(trouble);
  const [newest] = uploads ?? [];

  useEffect(() => {
    // The element that had the focus has gone: the button of the file dialog, or Cancel.
    if (document.activeElement === document.body) button.current?.focus();
  }, [isFit]);

  const send = async () => {
    await files.uploads.send(project.id, newest?.tag ?? null);
    // Somebody else's may have come meanwhile: what is sent next knows of it.
    await onLook();
  };
  return (
    <div className="repository-chosen">
      <p>
        <bdi className="repository-name">{file.name}</bdi>{' '}
        <span className="caption">{sizeOf(file.size, language)}</span>
      </p>
      <div role="alert">{trouble !== null && <WhyNotUp {...props} trouble={trouble} />}</div>
      {isFit && <WillRebuild project={project} />}
      <div className="button-row">
        {isFit && (
          <Button
            primary
            disabled={!isOnline}
            aria-describedby={isOnline ? undefined : 'repository-offline'}
            onClick={() => void send()}
          >
            {trouble === null ? t('repository.upload') : t('common.tryAgain')}
          </Button>
        )}
        {!isFit && (
          <ChooseFile accept={ZIP} onFile={(other) => void files.uploads.choose(project.id, other)}>
            {t('repository.chooseOther')}
          </ChooseFile>
        )}
        <button
          type="button"
          className="ui button"
          ref={button}
          onClick={() => {
            files.uploads.letGo(project.id);
          }}
        >
          {t('common.cancel')}
        </button>
      </div>
    </div>
  );
}

/** Says whether the same file may be accepted another time. */
function mayPass(trouble: NonNullable<ChosenProps['trouble']>): boolean {
  if (trouble.is === 'refused') return !OF_THE_FILE.has(trouble.problem.code);
  return trouble.is !== 'unfit';
}

const OF_THE_FILE: ReadonlySet<string> = new Set(['invalid', 'too-large']);

type WhyProps = Pick<Props, 'uploads'> & {
  readonly trouble: NonNullable<ChosenProps['trouble']>;
};

function WhyNotUp({ uploads, trouble }: WhyProps) {
  const t = useText();
  const troubleOf = useFileTrouble();
  const isOvertaken = trouble.is === 'refused' && trouble.problem.code === 'precondition-failed';
  return (
    <Note tone={isOvertaken ? 'warning' : 'error'}>
      {isOvertaken ? (
        t('repository.overtaken', { number: uploads?.[0]?.number ?? '' })
      ) : (
        <>
          <strong>{t('repository.notTaken')}</strong> {troubleOf(trouble)}
        </>
      )}
    </Note>
  );
}

/** Says beforehand that an upload does more than keep a file. */
function WillRebuild({ project }: Pick<Props, 'project'>) {
  const t = useText();
  const rebuilds = useRebuilds(project);
  if (!rebuilds) return null;
  return <p className="caption">{t('repository.rebuilds')}</p>;
}

type UnderWayProps = Props & {
  readonly uploading: Extract<Uploading, { readonly is: 'sending' | 'checking' }>;
};

function UnderWay({ project, files, uploading, onRefresh: onLook }: UnderWayProps) {
  const t = useText();
  const language = useLanguage();
  const { file } = uploading;
  const isSending = uploading.is === 'sending';
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (document.activeElement === document.body) button.current?.focus();
  }, []);
  return (
    <div className="repository-chosen">
      <p className="repository-name" role="status">
        {isSending ? t('repository.sending', { name: file.name }) : t('repository.checking')}
      </p>
      <progress
        aria-label={t('repository.sending', { name: file.name })}
        max={file.size}
        {...(isSending ? { value: uploading.sentBytes } : {})}
      />
      <div className="repository-progress">
        <span className="caption">
          {t('repository.sent', {
            sent: sizeOf(isSending ? uploading.sentBytes : file.size, language),
            total: sizeOf(file.size, language),
          })}
        </span>
        <button
          type="button"
          className="ui button"
          ref={button}
          onClick={() => {
            files.uploads.breakOff(project.id);
            void onLook();
          }}
        >
          {t('common.cancel')}
        </button>
      </div>
    </div>
  );
}
