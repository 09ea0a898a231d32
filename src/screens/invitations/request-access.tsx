import { Link, useNavigate } from 'react-router-dom';
import { requestAccess } from '#session/access-request.ts';
import { NoAnswerError } from '#session/environment.ts';
import { useText } from '#ui/text/text.ts';
import { useProblemText } from '../app/page/changes/problem-text.ts';
import { FocusPage } from '../app/page/focus-page.tsx';
import { CardForm } from './card-form.tsx';
import type { CardTrouble } from './card-form.tsx';

const SENT = '/request-access-for-organization/success';

/** `/request-access-for-organization` */
export function RequestAccess() {
  const t = useText();
  const go = useNavigate();
  const reasonOf = useProblemText();
  const send = async (fields: Parameters<typeof requestAccess>[0]): Promise<CardTrouble | null> => {
    try {
      const refusal = await requestAccess(fields);
      if (refusal === null) {
        void go(SENT, { replace: true });
        return null;
      }
      const field = refusal.source?.pointer?.split('/').at(-1) ?? null;
      return { field, reason: reasonOf(refusal) || t('requestAccess.failed') };
    } catch (error) {
      if (!(error instanceof NoAnswerError)) throw error;
      return { field: null, reason: t('login.failed.no-answer') };
    }
  };
  return (
    <FocusPage title={t('requestAccess.title')}>
      <p className="soft">{t('requestAccess.text')}</p>
      <CardForm
        of="organizationInviteRequest"
        draft="access-request"
        fields={[
          {
            name: 'name',
            label: t('requestAccess.name'),
            type: 'text',
            isRequired: true,
            autoComplete: 'organization',
          },
          {
            name: 'orgAdminEmail',
            label: t('fields.orgAdminEmail'),
            type: 'email',
            isRequired: true,
            autoComplete: 'email',
          },
          {
            name: 'websiteUrl',
            label: t('fields.websiteUrl'),
            type: 'url',
            isRequired: true,
            autoComplete: 'url',
          },
        ]}
        submitLabel={t('requestAccess.submit')}
        onSubmit={send}
      />
      <div className="focus-foot">
        <Link to="/login">{t('requestAccess.toLogin')}</Link>
      </div>
    </FocusPage>
  );
}

/** `/request-access-for-organization/success` */
export function AccessRequested() {
  const t = useText();
  return (
    <FocusPage title={t('requestAccess.sentTitle')}>
      <p>{t('requestAccess.sentText')}</p>
      <div className="button-row">
        <Link className="ui primary button" to="/login">
          {t('requestAccess.toLogin')}
        </Link>
      </div>
    </FocusPage>
  );
}
