import { Link } from 'react-router-dom';
import type { Of } from '#schema/index.ts';
import { Icon } from '#ui/picture/icon.tsx';
import { useText } from '#ui/text/text.ts';

/** Mark and name, and the way home. */
export function Brand() {
  const t = useText();
  return (
    <Link className="brand" to="/" aria-label={t('common.brand')}>
      <img src="/icons/mark.svg" alt="" width="28" height="28" />
      <span className="wordmark">{t('common.brand')}</span>
    </Link>
  );
}

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
