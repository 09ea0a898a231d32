import { Link } from 'react-router-dom';
import { makesProjectsHere } from '#rules/project.ts';
import { useOrganization } from '#session/organization.ts';
import { useViewer } from '#data/react/hooks.ts';
import { EmptyBox } from '#ui/status/boxes.tsx';
import { Button } from '#ui/form/controls.tsx';
import { useText } from '#ui/text/text.ts';
import type { ProjectList } from '../lists.ts';

export interface NoProjectsProps {
  readonly list: ProjectList;
  readonly search: string;
  readonly onClear: (search: string) => void;
}

/** An empty list: what would be in it, and how to begin. */
export function NoProjects({ list, search, onClear }: NoProjectsProps) {
  const t = useText();
  const viewer = useViewer();
  const organization = useOrganization();
  const mayAdd = organization !== null && makesProjectsHere(viewer, organization);
  if (search !== '')
    return (
      <EmptyBox
        icon="search"
        title={t('projectTable.empty')}
        action={
          <Button
            onClick={() => {
              onClear('');
            }}
          >
            {t('common.clearSearch')}
          </Button>
        }
      >
        {t('projectTable.emptySearch', { search })}
      </EmptyBox>
    );
  return (
    <EmptyBox
      icon="folder"
      title={t('projectTable.empty')}
      action={
        list.name === 'own' && mayAdd ? (
          <Link className="ui primary button" to="/projects/new">
            {t('header.addProject')}
          </Link>
        ) : undefined
      }
    >
      {t(`projectTable.emptyOf.${list.name}`)}
    </EmptyBox>
  );
}
