import { useNavigate } from 'react-router-dom';
import { Icon } from '#ui/picture/icon.tsx';
import { MenuButton } from '#ui/overlay/menu-button.tsx';
import { useText } from '#ui/text/text.ts';
import { ToForm } from '../../app/page/to-form.tsx';
import { useIsAdminHere, useMakesProjectsHere } from '../../app/page/use-here.ts';
import { lists } from '../lists.ts';
import type { ProjectList } from '../lists.ts';

/** The title of a list is the way to the others. */
export function ListMenu({ list }: { readonly list: ProjectList }) {
  const t = useText();
  const go = useNavigate();
  const isAdmin = useIsAdminHere();
  const offered = Object.values(lists).filter(({ name }) => name !== 'active' || isAdmin);
  return (
    <MenuButton
      className="title-menu"
      align="left"
      label={t('projects.switcher.label', { list: t(list.title) })}
      entries={offered.map(({ name, title }) => ({
        id: name,
        label: t(title),
        isChosen: name === list.name,
        run: () => void go(`/projects/${name}`),
      }))}
    >
      {t(list.title)}
      <Icon name="down" />
    </MenuButton>
  );
}

/** The ways to new projects, for those who have them. */
export function ListLinks() {
  const t = useText();
  const mayAdd = useMakesProjectsHere();
  const mayImport = useIsAdminHere();
  return (
    <div className="button-row">
      {mayImport && (
        <ToForm to="/projects/import" icon="arrowUp">
          {t('projects.import')}
        </ToForm>
      )}
      {mayAdd && (
        <ToForm to="/projects/new" icon="add">
          {t('header.addProject')}
        </ToForm>
      )}
    </div>
  );
}
