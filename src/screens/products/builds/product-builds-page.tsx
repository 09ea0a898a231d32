import type { Of } from '#schema/index.ts';
import { useChanges } from '#data/react/hooks.ts';
import { EmptyBox, Note } from '#ui/status/boxes.tsx';
import { Pager } from '#ui/table/table.tsx';
import { useText } from '#ui/text/text.ts';
import { WithoutRows } from '../../app/page/device/not-here.tsx';
import { useLastPage } from '../../app/page/list-page.tsx';
import { useListAddress } from '../../app/page/list-state.ts';
import { NoBuilds } from '../no-builds.tsx';
import { ProductPage } from '../product-page.tsx';
import { BuildFilterFields, ClearFilters } from './build-filters.tsx';
import { BuildsTable } from './builds-table.tsx';
import { buildFiltersIn, isFiltering, useBuilds } from './use-builds.ts';
import './product-builds.css';

/** `/products/{id}/builds`: every build of a product, the newest first. */
export function ProductBuildsPage() {
  const t = useText();
  return (
    <ProductPage part="builds" title={t('builds.title')} className="product-builds">
      {(product) => <BuildsOf product={product} />}
    </ProductPage>
  );
}

const ON_DEVICE = 'builds-on-device';

function BuildsOf({ product }: { readonly product: Of<'product'> }) {
  const t = useText();
  const isOffline = useChanges().status === 'offline';
  const address = useListAddress('');
  const filters = buildFiltersIn(address);
  const builds = useBuilds(product.id, filters, address);
  useLastPage(builds, address);
  const isFiltered = isFiltering(filters);
  const { state, rows, total, isTold, isPart } = builds;
  const empty = isFiltered ? (
    <EmptyBox
      icon="search"
      title={t('common.noResults')}
      action={<ClearFilters onClear={address.setFilters} />}
    >
      {t('builds.noneFound')}
    </EmptyBox>
  ) : (
    <NoBuilds product={product}>{t('builds.emptyText')}</NoBuilds>
  );
  return (
    <>
      {(rows.length > 0 || isFiltered) && (
        <BuildFilterFields filters={filters} address={address} canClear={rows.length > 0} />
      )}
      {(isOffline || isPart) && (
        <Note tone="info" id={ON_DEVICE}>
          {t('builds.onDevice')}
        </Note>
      )}
      <div className="builds-list">
        <p role="status" className="soft">
          {isTold && state === 'ready' && total > 0 && t('builds.found', { count: total })}
          {state === 'ready' && total === 0 && isFiltered && t('common.noResults')}
        </p>
        {rows.length > 0 ? (
          <>
            <BuildsTable builds={rows} needsConnection={isOffline ? ON_DEVICE : undefined} />
            <p className="caption">{t('builds.timesElsewhere')}</p>
          </>
        ) : (
          <WithoutRows list={builds} empty={empty} />
        )}
      </div>
      <Pager
        page={address.page}
        pageSize={address.pageSize}
        total={total}
        onPage={address.setPage}
      />
    </>
  );
}
