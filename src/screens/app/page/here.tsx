import { useEffect } from 'react';
import { Link } from 'react-router-dom';
import { administersHere, makesProjectsHere } from '#rules/organization.ts';
import type { Of } from '#schema/index.ts';
import { useOrganization } from '#session/organization.ts';
import { useRecord, useViewer } from '#data/react/hooks.ts';
import { Icon } from '#ui/picture/icon.tsx';
import type { IconName } from '#ui/picture/icon.tsx';
import { useText } from '#ui/text/text.ts';

/** Returns the part of a list's filter that keeps it to the organization in view; empty when all are. */
export function useFilterHere(): { readonly organization?: string } {
  const organization = useOrganization();
  return organization === null ? {} : { organization };
}

/** Says whether this person is an admin of the organization in view, or of any when all are. */
export function useIsAdminHere(): boolean {
  return administersHere(useViewer(), useOrganization());
}

/** Says whether this person makes projects in the organization in view, or in any when all are. */
export function useMakesProjectsHere(): boolean {
  return makesProjectsHere(useViewer(), useOrganization());
}

/** Finds the view that the address names, if it is here, of this list and of what is in view. */
export function useOpenView(
  { shows, list }: Pick<Of<'savedView'>, 'shows' | 'list'>,
  id: string,
): Of<'savedView'> | null {
  const inView = useOrganization();
  const view = useRecord('savedView', id === '' ? null : id).record;
  if (view?.shows !== shows || view.list !== list) return null;
  const isHere = inView === null || view.organization === null;
  return isHere || view.organization === inView ? view : null;
}

let lastList = '/projects/organization';

/** The address of the list of projects that the person saw last, to which a project leads up. */
export const listAbove = (): string => lastList;

/** Remembers the address, which is that of a list of projects. */
export function useListAbove(): void {
  useEffect(() => {
    lastList = location.pathname + location.search;
  });
}

interface ToFormProps {
  readonly to: string;
  readonly icon: IconName;
  readonly className?: string;
  readonly children: string;
}

/** The way to a form that is about an organization; says what is missing when none is in view. */
export function ToForm({ to, icon, className = '', children }: ToFormProps) {
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
