import { useChanges, useHealth, useViewerStatus } from '#data/react/hooks.ts';
import type { StorageState } from '#data/model/views.ts';
import { Button } from '#ui/form/controls.tsx';
import { Note } from '#ui/status/boxes.tsx';
import { useText } from '#ui/text/text.ts';
import { textOfAll } from '../../changes/lost-groups.tsx';
import { saveAsFile } from '../page/device/save-as-file.ts';
import { ReloadButton } from '../page/late/late-part.tsx';

/**
 * Says how the device stores the person's changes, where that is not as it should be; stays until
 * it is.
 */
export function HealthBanner() {
  const t = useText();
  const { storageState, evicted, isRenewed, acknowledge } = useHealth();
  const isTooOld = useViewerStatus() === 'client-too-old';
  return (
    <div className="banners" role="region" aria-label={t('health.region')}>
      {storageState !== 'kept' && <KeepingBanner keeping={storageState} />}
      {isTooOld && (
        <Note tone="warning">
          <strong>{t('health.clientTooOld')}</strong>
          <p>{t('health.clientTooOldText')}</p>
          <Reload />
        </Note>
      )}
      {isRenewed && (
        <Note tone="warning">
          <strong>{t('health.renewed')}</strong>
          <p>{t('health.renewedText')}</p>
          <Reload />
        </Note>
      )}
      {evicted !== null && (
        <Note tone="warning">
          <strong>{t('health.evicted')}</strong>
          <p>
            {evicted === 0 ? t('health.evictedNone') : t('health.evictedText', { count: evicted })}
          </p>
          <div className="box-actions">
            <Button
              onClick={() => {
                acknowledge();
              }}
            >
              {t('health.noted')}
            </Button>
          </div>
        </Note>
      )}
    </div>
  );
}

function KeepingBanner({ keeping }: { readonly keeping: Exclude<StorageState, 'kept'> }) {
  const t = useText();
  return (
    <Note tone={keeping === 'memory' ? 'warning' : 'error'}>
      <strong>{t(`health.${keeping}`)}</strong>
      <p>{t(`health.${keeping}Text`)}</p>
      {(keeping === 'memory' || keeping === 'failing') && <ExportAll />}
      {(keeping === 'newer' || keeping === 'failing') && <Reload />}
    </Note>
  );
}

function Reload() {
  const t = useText();
  return (
    <div className="box-actions">
      <ReloadButton>{t('update.reload')}</ReloadButton>
    </div>
  );
}

/** Exports the changes that would be lost with this tab, as a file. */
function ExportAll() {
  const t = useText();
  const { waiting, attention, exportText, rows } = useChanges();
  if (waiting + attention === 0) return null;
  const save = () => {
    const open = rows.filter(({ state }) => state !== 'done');
    saveAsFile('slipway-changes.json', textOfAll(open, exportText));
  };
  return (
    <div className="box-actions">
      <Button onClick={save}>{t('changes.exportAll')}</Button>
    </div>
  );
}
