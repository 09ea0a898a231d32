import { useText } from '#ui/text/text.ts';
import { NoBuilds } from '../no-builds.tsx';
import { ProductPage } from '../product-page.tsx';
import { BuildsOf } from './builds-of.tsx';
import { NewestBuildsChart } from './newest-builds-chart.tsx';

/** `/products/{id}/builds`: every build of a product, the newest first. */
export function ProductBuildsPage() {
  const t = useText();
  return (
    <ProductPage part="builds" title={t('builds.title')} className="builds-page">
      {({ id, project }) => (
        <>
          <NewestBuildsChart product={id} />
          <BuildsOf
            scope={{ of: 'product', id }}
            empty={<NoBuilds project={project}>{t('builds.emptyText')}</NoBuilds>}
          />
        </>
      )}
    </ProductPage>
  );
}
