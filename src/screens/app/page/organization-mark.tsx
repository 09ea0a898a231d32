import type { Of } from '#schema/index.ts';
import { Icon } from '#ui/picture/icon.tsx';

/** The logo of an organization, else its first letter; a sign for all of them. */
export function OrganizationMark({
  organization,
}: {
  readonly organization: Of<'organization'> | null;
}) {
  if (organization?.logoUrl)
    return <img className="organization-mark" src={organization.logoUrl} alt="" />;
  return (
    <span className="organization-mark" aria-hidden>
      {organization === null ? <Icon name="building" /> : (organization.name ?? '?').charAt(0)}
    </span>
  );
}
