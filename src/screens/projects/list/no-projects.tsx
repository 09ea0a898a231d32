import { Link } from 'react-router-dom';
import { NO_FILTERS } from '#rules/record/project-query.ts';
import { Button } from '#ui/form/controls.tsx';
import { EmptyBox } from '#ui/status/boxes.tsx';
import { useText } from '#ui/text/text.ts';
import { useNextStep } from '../../app/page/empty/next-step.tsx';
import { NoResults } from '../../app/page/empty/no-results.tsx';
import type { ListAddress } from '../../app/page/list-state.ts';
import type { ProjectList } from '../lists.ts';

export interface NoProjectsProps {
  readonly list: ProjectList;
  readonly address: ListAddress;
  /** Whether filters keep projects out. */
  readonly isFiltered: boolean;
}

/** An empty list: what would be in it, and how to begin. */
export function NoProjects({ list, address, isFiltered }: NoProjectsProps) {
  const t = useText();
  const next = useNextStep();
  const { search, setSearch } = address;
  if (isFiltered)
    return (
      <EmptyBox
        icon="search"
        title={t('common.noResults')}
        action={
          <Button
            onClick={() => {
              // The button goes with the box.
              document.querySelector('main')?.focus({ preventScroll: true });
              address.setFilters(NO_FILTERS);
            }}
          >
            {t('projectFilters.clear')}
          </Button>
        }
      >
        {search === '' ? t('projectFilters.noneFound') : t('projectFilters.noneSearched')}
      </EmptyBox>
    );
  if (search !== '')
    return (
      <NoResults
        title={t('projectTable.empty')}
        search={search}
        setSearch={setSearch}
        searched={t('projectTable.searchHelp')}
      />
    );
  // Nothing but archiving or starting a workflow brings a project into these lists.
  const leadsOn = list.name !== 'archived' && list.name !== 'active';
  return (
    <EmptyBox
      icon="folder"
      title={t('projectTable.empty')}
      action={leadsOn ? next.action : <ToProjects />}
    >
      {t(`projectTable.emptyOf.${list.name}`)} {leadsOn && next.text}
    </EmptyBox>
  );
}

/** Leads to the projects that could come into a list. */
function ToProjects() {
  const t = useText();
  return (
    <Link className="ui button" to="/projects/organization">
      {t('projects.switcher.dropdown.orgProjects')}
    </Link>
  );
}
