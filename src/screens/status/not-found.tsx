import { Link, useNavigate } from 'react-router-dom';
import { signOut, useSession } from '#session/sign-in.tsx';
import { Button } from '#ui/button.tsx';
import { PageHead } from '#ui/page-head.tsx';
import { useText } from '#ui/text.ts';
import { FocusPage } from './focus-page.tsx';
import { usePageTitle } from '../shell/page-title.ts';

/** Inside the shell: there is nothing at this address. */
export function NotFound() {
  const t = useText();
  const go = useNavigate();
  usePageTitle(t('status.notFound.title'));
  return (
    <>
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
