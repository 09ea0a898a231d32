import { useRouteError } from 'react-router-dom';
import { Button } from '#ui/form/controls.tsx';
import { ErrorBox } from '#ui/status/boxes.tsx';
import { useText } from '#ui/text/text.ts';
import { FocusPage } from '../page/focus-page.tsx';
import { PartMissing, isMissingScript, ReloadButton } from '../page/late/late-part.tsx';

/** Stands in place of a page that broke; what stands around it goes on. */
export function RouteCrash() {
  const t = useText();
  const error = useRouteError();
  if (isMissingScript(error)) return <PartMissing />;
  const details = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return (
    <ErrorBox
      title={t('errors.crashTitle')}
      details={details}
      actions={
        <>
          <ReloadButton>{t('errors.reload')}</ReloadButton>
          <Button onClick={() => void navigator.clipboard.writeText(details)}>
            {t('errors.copyDetails')}
          </Button>
        </>
      }
    >
      {t('errors.crashText')}
    </ErrorBox>
  );
}

/** Stands in place of everything. */
export function Crash() {
  const t = useText();
  return (
    <FocusPage title={t('errors.crashTitle')}>
      <RouteCrash />
    </FocusPage>
  );
}
