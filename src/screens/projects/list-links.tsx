import { Link } from 'react-router-dom';
import { useOrganization } from '#session/organization.ts';
import { Icon } from '#ui/icon.tsx';
import type { IconName } from '#ui/icon.tsx';
import { useText } from '#ui/text.ts';
import { useIsAdminHere } from '../shell/use-screens.ts';
import { useMayMakeProjects } from '../shell/use-may-make-projects.ts';

/** The ways to new projects, for those who have them; without an organization in view they say so. */
export function ListLinks() {
  const t = useText();
  const mayAdd = useMayMakeProjects() !== 'no';
  const mayImport = useIsAdminHere();
  return (
    <div className="button-row">
      {mayImport && (
        <Way to="/projects/import" icon="arrowUp">
          {t('projects.import')}
        </Way>
      )}
      {mayAdd && (
        <Way to="/projects/new" icon="add">
          {t('header.addProject')}
        </Way>
      )}
    </div>
  );
}

interface WayProps {
  readonly to: string;
  readonly icon: IconName;
  readonly children: string;
}

function Way({ to, icon, children }: WayProps) {
  const t = useText();
  const content = (
    <>
      <Icon name={icon} />
      {children}
    </>
  );
  return useOrganization() === null ? (
    <button type="button" className="ui button" disabled title={t('errors.orgMustBeSelected')}>
      {content}
    </button>
  ) : (
    <Link className="ui button" to={to}>
      {content}
    </Link>
  );
}
