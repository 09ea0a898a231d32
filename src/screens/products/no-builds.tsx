import { Link } from 'react-router-dom';
import { EmptyBox } from '#ui/status/boxes.tsx';
import { useText } from '#ui/text/text.ts';

interface Props {
  /** The project whose products have none; null: there are none of any. */
  readonly project: string | null;
  /** Says what would be here. */
  readonly children: string;
}

/** Builds are made by the workflow: the way to one is a project. */
export function NoBuilds({ project, children }: Props) {
  const t = useText();
  return (
    <EmptyBox
      icon="archive"
      title={t('products.noBuilds')}
      action={
        <Link className="ui button" to={`/projects/${project ?? 'organization'}`}>
          {t(project === null ? 'projects.switcher.dropdown.orgProjects' : 'flow.toProject')}
        </Link>
      }
    >
      {children}
    </EmptyBox>
  );
}
