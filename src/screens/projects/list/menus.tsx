import { useNavigate } from 'react-router-dom';
import type { Of } from '#schema/index.ts';
import { MenuButton } from '#ui/overlay/menu-button.tsx';
import { Icon } from '#ui/picture/icon.tsx';
import { useText } from '#ui/text/text.ts';
import { useIsAdminHere } from '../../app/page/here.tsx';
import { lists } from '../lists.ts';
import type { ProjectList } from '../lists.ts';
import { useProjectMenu } from '../project-actions.ts';

interface ListMenuProps {
  readonly list: ProjectList;
  /** The name of the view that is open; null: the list is as it comes. */
  readonly view: string | null;
}

/** The title of a list is the way to the others. */
export function ListMenu({ list, view }: ListMenuProps) {
  const t = useText();
  const go = useNavigate();
  const isAdmin = useIsAdminHere();
  const offered = Object.values(lists).filter(({ name }) => name !== 'active' || isAdmin);
  const title = view ?? t(list.title);
  return (
    <MenuButton
      className="title-menu"
      align="left"
      label={t('projects.switcher.label', { list: title })}
      entries={offered.map((one) => ({
        id: one.name,
        label: t(one.title),
        isChosen: one.name === list.name && view === null,
        href: `/projects/${one.name}`,
        run: () => void go(`/projects/${one.name}`),
      }))}
    >
      <bdi>{title}</bdi>
      <Icon name="down" />
    </MenuButton>
  );
}

interface RowMenuProps {
  readonly project: Of<'project'>;
  readonly onArchiving: (projects: readonly Of<'project'>[]) => void;
}

export function RowMenu({ project, onArchiving }: RowMenuProps) {
  const t = useText();
  const { entries, question } = useProjectMenu(project, onArchiving);
  if (entries.length === 0) return null;
  return (
    <>
      <MenuButton
        label={t('projectTable.menuOf', { name: project.name })}
        of={project.id}
        entries={entries}
      >
        <Icon name="more" />
      </MenuButton>
      {question}
    </>
  );
}
