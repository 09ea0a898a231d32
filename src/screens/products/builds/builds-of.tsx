import type { ReactNode } from 'react';
import { useChanges } from '#data/react/hooks.ts';
import { EmptyBox, Note } from '#ui/status/boxes.tsx';
import { Pager } from '#ui/table/table.tsx';
import { useText } from '#ui/text/text.ts';
import { WithoutRows } from '../../app/page/device/not-here.tsx';
import { useLastPage } from '../../app/page/list-page.tsx';
import { useListAddress } from '../../app/page/list-state.ts';
import { BuildFilterFields, ClearFilters } from './build-filters.tsx';
import { BuildsTable } from './builds-table.tsx';
import { buildFiltersIn, isFiltering, useBuilds } from './use-builds.ts';
import type { BuildsScope } from './use-builds.ts';
import './builds.css';

interface Props {
  readonly scope: BuildsScope;
  /** Shown where there is no build at all. */
  readonly empty: ReactNode;
}

const ON_DEVICE = 'builds-on-device';

/** The builds of `scope`, the newest first, with what narrows them. */
export function BuildsOf({ scope, empty }: Props) {
  const t = useText();
  const isOffline = useChanges().status === 'offline';
  const address = useListAddress('');
  const filters = buildFiltersIn(address);
  const builds = useBuilds(scope, filters, address);
  useLastPage(builds, address);
  const isFiltered = isFiltering(filters);
  const { state, rows, total, isTold, isPart } = builds;
  const noneFound = (
    <EmptyBox
      icon="search"
      title={t('common.noResults')}
      action={<ClearFilters onClear={address.setFilters} />}
    >
      {t('builds.noneFound')}
    </EmptyBox>
  );
  return (
    <>
      <h2 className="out-of-sight">{t('builds.all')}</h2>
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
            <BuildsTable
              scope={scope}
              builds={rows}
              needsConnection={isOffline ? ON_DEVICE : undefined}
            />
            <p className="caption">{t('builds.timesElsewhere')}</p>
          </>
        ) : (
          <WithoutRows list={builds} empty={isFiltered ? noneFound : empty} />
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
