import { Link } from 'react-router-dom';
import type { Of } from '#schema/index.ts';
import { EmptyBox } from '#ui/status/boxes.tsx';
import { useText } from '#ui/text/text.ts';

interface Props {
  readonly product: Of<'product'>;
  /** Says what would be here. */
  readonly children: string;
}

/** Builds are made by the workflow: the way to one is the project. */
export function NoBuilds({ product, children }: Props) {
  const t = useText();
  return (
    <EmptyBox
      icon="archive"
      title={t('products.noBuilds')}
      action={
        <Link className="ui button" to={`/projects/${product.project}`}>
          {t('flow.toProject')}
        </Link>
      }
    >
      {children}
    </EmptyBox>
  );
}
