import { Link } from 'react-router-dom';
import { useOrganization } from '#session/organization.ts';
import { Icon } from '#ui/picture/icon.tsx';
import type { IconName } from '#ui/picture/icon.tsx';
import { useText } from '#ui/text/text.ts';

interface Props {
  readonly to: string;
  readonly icon: IconName;
  readonly className?: string;
  readonly children: string;
}

/** The way to a form that is about an organization; says what is missing when none is in view. */
export function ToForm({ to, icon, className = '', children }: Props) {
  const t = useText();
  const look = `ui button ${className}`;
  const content = (
    <>
      <Icon name={icon} />
      {children}
    </>
  );
  return useOrganization() === null ? (
    <button type="button" className={look} disabled title={t('errors.orgMustBeSelected')}>
      {content}
    </button>
  ) : (
    <Link className={look} to={to}>
      {content}
    </Link>
  );
}
