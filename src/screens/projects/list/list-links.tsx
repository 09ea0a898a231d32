import { useText } from '#ui/text/text.ts';
import { ToForm } from '../../app/page/to-form.tsx';
import { useIsAdminHere, useMakesProjectsHere } from '../../app/page/use-here.ts';

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
