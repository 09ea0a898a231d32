import { Link, useNavigate } from 'react-router-dom';
import { signOut, useSession } from '#session/sign-in.tsx';
import { Button } from '#ui/form/controls.tsx';
import { Note } from '#ui/status/boxes.tsx';
import { PageHead } from '#ui/page/page-head.tsx';
import { useText } from '#ui/text/text.ts';
import { useOpenChanges } from './changes/changes-context.ts';
import { FocusPage } from './focus-page.tsx';
import { usePageTitle } from './page-title.ts';

interface Props {
  /** The record that was here, when own changes of it were not sent. */
  readonly withChangesOf?: string | null;
}

/** Inside the shell: there is nothing at this address, or not any more. */
export function NotFound({ withChangesOf = null }: Props) {
  const t = useText();
  const go = useNavigate();
  const openChanges = useOpenChanges();
  usePageTitle(t('status.notFound.title'));
  return (
    <>
      {withChangesOf !== null && (
        <Note tone="warning">
          {t('changes.goneOwn')}
          <div className="box-actions">
            <Button
              onClick={() => {
                openChanges({ record: withChangesOf });
              }}
            >
              {t('common.show')}
            </Button>
          </div>
        </Note>
      )}
      <PageHead title={t('status.notFound.title')} context={t('status.notFound.text')} />
      <div className="button-row">
        <Button primary onClick={() => void go('/')}>
          {t('status.home')}
        </Button>
      </div>
    </>
  );
}

/** The same by itself, for who is not signed in. */
export function NotFoundPage() {
  const t = useText();
  const { state } = useSession();
  return (
    <FocusPage title={t('status.notFound.title')}>
      <p>{t('status.notFound.text')}</p>
      <div className="button-row">
        <Link className="ui primary button" to="/">
          {t('status.home')}
        </Link>
        {state !== 'signed-out' && (
          <Button onClick={() => void signOut()}>{t('header.signOut')}</Button>
        )}
      </div>
    </FocusPage>
  );
}
