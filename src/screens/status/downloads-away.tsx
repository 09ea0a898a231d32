import { useEffect, useRef } from 'react';
import { Button } from '#ui/form/controls.tsx';
import { useText } from '#ui/text/text.ts';
import { useOnline } from '../app/page/device/use-online.ts';
import { FocusPage } from '../app/page/focus-page.tsx';

/** Stands in place of a download page, which is the server's, while there is no server. */
export function DownloadsAway() {
  const t = useText();
  const isOnline = useOnline();
  const wasOnline = useRef(isOnline);
  useEffect(() => {
    if (isOnline && !wasOnline.current) location.reload();
    wasOnline.current = isOnline;
  }, [isOnline]);
  return (
    <FocusPage title={t('sync.notOnDevice')}>
      <p>{t('sync.notOnDeviceMore')}</p>
      <Button
        onClick={() => {
          location.reload();
        }}
      >
        {t('common.tryAgain')}
      </Button>
    </FocusPage>
  );
}
