import { useCallback, useEffect, useState } from 'react';
import { sizeOf } from '#base/file-size.ts';
import { DATA_EXPORT } from '#protocol/data-export.ts';
import type { DataExport } from '#protocol/data-export.ts';
import { useList, useViewer } from '#data/react/hooks.ts';
import type { FileRequestFailure, FileRequestResult } from '#files/file-requests.ts';
import { useFiles } from '#files/files.ts';
import { Button } from '#ui/form/controls.tsx';
import { useToast } from '#ui/overlay/toasts.tsx';
import { useLanguage, useText } from '#ui/text/text.ts';
import { useUiEnvironment } from '#ui/ui-environment.tsx';
import { useDateFormats } from '#ui/value/values.tsx';
import { useFileTrouble } from '../app/page/files/use-file-trouble.ts';
import { useOneAtATime } from '../app/page/use-one-at-a-time.ts';

interface OwnDataProps {
  /** The id of what says that a connection is needed; undefined while there is one. */
  readonly described: string | undefined;
}

/** Has one's own data exported, says how that stands, and downloads it (screens 12.6). */
export function OwnData({ described }: OwnDataProps) {
  const t = useText();
  const show = useToast();
  const { id } = useViewer();
  const files = useFiles(id);
  const troubleOf = useFileTrouble();
  const isOnline = described === undefined;
  const { found, trouble, take } = useDataExport(isOnline);
  const [isBusy, setBusy] = useState(false);
  const until = useTime(found?.nextAt ?? null);
  const isReady = found?.state === 'ready';
  const mayAsk = isOnline && (found ?? trouble) !== null && until === null && !isBusy;

  const attempt = useOneAtATime(async (act: () => Promise<FileRequestResult<unknown>>) => {
    setBusy(true);
    const outcome = await act();
    setBusy(false);
    if (outcome.is !== 'done') show({ tone: 'error', title: troubleOf(outcome) });
  });
  const ask = async () => {
    const outcome = await files.requestDataExport();
    // Whether it was taken is told by the state, whatever became of the answer.
    take(outcome.is === 'done' ? outcome : await files.dataExport());
    return outcome;
  };
  return (
    <section className="account-part" aria-labelledby="account-data">
      <div>
        <h2 id="account-data">{t('account.data')}</h2>
        <p className="soft" role="status">
          <State found={found} />
        </p>
        {isOnline && found === null && trouble !== null && (
          <p className="caption">{troubleOf(trouble)}</p>
        )}
        {until !== null && (
          <p className="caption" id="account-data-next">
            {t('account.dataNext', { at: until })}
          </p>
        )}
      </div>
      <div className="account-buttons">
        {isReady && (
          <Button
            disabled={!isOnline || isBusy}
            aria-describedby={described}
            aria-label={`${t('account.download')}: ${t('account.data')}`}
            onClick={() => void attempt(() => files.fetchFile(DATA_EXPORT, 'save'))}
          >
            {t('account.download')}
          </Button>
        )}
        <Button
          disabled={!mayAsk}
          loading={isBusy}
          aria-describedby={described ?? (until === null ? undefined : 'account-data-next')}
          aria-label={`${t('account.export')}: ${t('account.data')}`}
          onClick={() => void attempt(ask)}
        >
          {t('account.export')}
        </Button>
      </div>
    </section>
  );
}

function State({ found }: { readonly found: DataExport | null }) {
  const t = useText();
  const language = useLanguage();
  const { short } = useDateFormats();
  if (found?.state === 'being-made') return t('account.dataBeingMade');
  if (found?.state !== 'ready' || found.expiresAt === null) return t('account.dataMeans');
  return t('account.dataReady', {
    until: short(found.expiresAt),
    size: sizeOf(found.sizeBytes ?? 0, language),
  });
}

/** Says when `at` is, as long as it has not come; null from then on. */
function useTime(at: string | null): string | null {
  const { clock, later } = useUiEnvironment();
  const { short } = useDateFormats();
  const [now, setNow] = useState(clock);
  const leftMs = at === null ? 0 : Date.parse(at) - now;
  useEffect(() => {
    if (leftMs <= 0) return undefined;
    return later(() => {
      setNow(clock());
    }, leftMs);
  }, [leftMs, later, clock]);
  return at === null || leftMs <= 0 ? null : short(at);
}

/**
 * Returns the export as the server said last; null before the first answer. It asks when it comes,
 * when there is a connection again, and when a notification says that one is ready.
 */
function useDataExport(isOnline: boolean) {
  const { id } = useViewer();
  const files = useFiles(id);
  const [found, setFound] = useState<DataExport | null>(null);
  const [trouble, setTrouble] = useState<FileRequestFailure | null>(null);
  const { rows } = useList('notification', { user: id, messageId: 'dataExportReady' });
  const count = rows.length;
  const take = useCallback((outcome: FileRequestResult<DataExport>) => {
    if (outcome.is === 'done') setFound(outcome.value);
    setTrouble(outcome.is === 'done' ? null : outcome);
  }, []);
  useEffect(() => {
    if (!isOnline) return undefined;
    let isOver = false;
    void files.dataExport().then((outcome) => {
      if (!isOver) take(outcome);
    });
    return () => {
      isOver = true;
    };
  }, [files, isOnline, count, take]);
  return { found, trouble, take };
}
