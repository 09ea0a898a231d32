import { NoAnswerError } from '#session/environment.ts';
import { keepReturnTo } from '#session/return-to.ts';
import { signIn } from '#session/sign-in.tsx';
import { Note } from '#ui/status/boxes.tsx';
import { Button } from '#ui/form/controls.tsx';
import { useText } from '#ui/text/text.ts';
import { useToast } from '#ui/overlay/toasts.tsx';

interface Props {
  /** The page to which it leads back; the present one when left out. */
  readonly returnTo?: string;
}

/** The way back in for someone whose sign-in has ended. */
export function SignInAgain({ returnTo }: Props) {
  const t = useText();
  const show = useToast();
  const leave = async () => {
    // On this page a form may be half filled in.
    keepReturnTo(returnTo ?? location.pathname + location.search + location.hash);
    try {
      await signIn();
    } catch (error) {
      if (!(error instanceof NoAnswerError)) throw error;
      show({ tone: 'error', title: t('login.failed.no-answer') });
    }
  };
  return (
    <Note tone="warning">
      <p>{t('changes.signIn')}</p>
      <Button primary onClick={() => void leave()}>
        {t('login.signIn')}
      </Button>
    </Note>
  );
}
