import { useState } from 'react';
import { useOrganization } from '#session/organization.ts';
import type { Of } from '#schema/index.ts';
import { acceptMembership } from '#data/actions/members.ts';
import { useData, useList, useOrganizations, useRecord, useViewer } from '#data/react/hooks.ts';
import { Button } from '#ui/form/controls.tsx';
import { Note } from '#ui/status/boxes.tsx';
import { useText } from '#ui/text/text.ts';
import { recordMarks } from '../app/page/changes/record-badge.tsx';
import { useAttempt } from '../app/page/use-attempt.ts';
import { useOneAtATime } from '../app/page/use-one-at-a-time.ts';
import { EndMembership } from './end-membership.tsx';
import { useDisplayName } from '../app/page/use-display-name.ts';

/**
 * Asks whoever was added to an organization in view, and has not answered, whether they stay (domain
 * 2.8).
 */
export function Consent() {
  const { id: user } = useViewer();
  const inView = useOrganization();
  const { rows } = useList('organizationMembership', { user });
  return (
    <>
      {rows.map(
        (membership) =>
          membership.dateAccepted === null &&
          (inView === null || membership.organization === inView) && (
            <Question key={membership.id} membership={membership} />
          ),
      )}
    </>
  );
}

function Question({ membership }: { readonly membership: Of<'organizationMembership'> }) {
  const t = useText();
  const data = useData();
  const viewer = useViewer();
  const attempt = useAttempt();
  const nameOf = useDisplayName();
  const { record: adder } = useRecord('user', membership.addedBy);
  const { change } = useRecord('organizationMembership', membership.id);
  const [isLeaving, setLeaving] = useState(false);
  const organization = useOrganizations().find(({ id }) => id === membership.organization);
  const stay = useOneAtATime(async () => {
    await attempt(t('errors.generic'), () => acceptMembership(data, membership));
  });
  if (organization === undefined) return null;
  const names = { name: nameOf(adder), organization: organization.name ?? '' };
  return (
    <section
      aria-label={t('consent.region', names)}
      {...recordMarks({ type: 'organizationMembership', id: membership.id, change })}
    >
      <Note tone="info">
        <strong>
          {adder === null ? t('consent.addedBySomebody', names) : t('consent.addedBy', names)}
        </strong>
        <p>{t('consent.text', names)}</p>
        <div className="box-actions">
          <Button primary onClick={() => void stay()}>
            {t('consent.stay')}
          </Button>
          <Button
            onClick={() => {
              setLeaving(true);
            }}
          >
            {t('users.membership.leave')}
          </Button>
        </div>
      </Note>
      {isLeaving && (
        <EndMembership
          user={viewer.user}
          organization={organization}
          membership={membership}
          onClose={() => {
            setLeaving(false);
          }}
        />
      )}
    </section>
  );
}
