import { useEffect } from 'react';
import { Navigate } from 'react-router-dom';
import { useOrganization } from '#session/organization.ts';
import { useToast } from '#ui/overlay/toasts.tsx';
import { useText } from '#ui/text/text.ts';
import type { TextKey } from '#ui/text/text.ts';

/** Why someone may not enter. */
export type EntryRefusal = 'organization' | 'group' | 'not-a-member' | 'forbidden';

/** Leads who may not enter to where their day begins, and says why. */
export function TurnedAway({ refusal }: { readonly refusal: EntryRefusal }) {
  const t = useText();
  const show = useToast();
  const organization = useOrganization();
  const tone = refusal === 'organization' || refusal === 'group' ? 'warning' : 'error';
  const title = t(sentenceOf(refusal, organization));
  useEffect(() => {
    show({ tone, title });
  }, [show, tone, title]);
  return <Navigate to="/" replace />;
}

function sentenceOf(refusal: EntryRefusal, organization: string | null): TextKey {
  switch (refusal) {
    case 'organization':
      return 'errors.orgMustBeSelected';
    case 'group':
      return 'errors.groupRequired';
    case 'not-a-member':
      return 'errors.notAMemberOfOrg';
    case 'forbidden':
      return organization === null ? 'errors.forbiddenForAllOrgs' : 'errors.friendlyForbidden';
  }
}
