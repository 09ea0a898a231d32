import { useId, useState } from 'react';
import { packageNamesAddressOf, packageNamesFrom } from '#protocol/package-names.ts';
import type { PackageName } from '#protocol/package-names.ts';
import { Button } from '#ui/form/controls.tsx';
import { PageHead } from '#ui/page/page-head.tsx';
import { NeedsConnection } from '#ui/status/boxes.tsx';
import { Cell } from '#ui/table/table.tsx';
import { useText } from '#ui/text/text.ts';
import { useOnlineQuery } from '../../app/page/device/use-online-query.ts';
import { useRefreshing } from '../../app/page/device/use-refreshing.ts';
import { NoResults } from '../../app/page/empty/no-results.tsx';
import { ListPage } from '../../app/page/list-page.tsx';
import { useListAddress } from '../../app/page/list-state.ts';
import { usePageTitle } from '../../app/page/page-title.ts';
import {
  FactsOfPackage,
  NameOfPackage,
  NonePublished,
  NoPackageNames,
} from '../../organizations/package-names.tsx';
import { AdminSettings } from '../settings/settings.tsx';
import { MovePackageName } from './move-package-name.tsx';

/** `/admin/package-names`: who holds which package name, and what is published under it. */
export function PackageNamesPage() {
  return (
    <AdminSettings>
      <PackageNameList />
    </AdminSettings>
  );
}

function PackageNameList() {
  const t = useText();
  const title = t('admin.packageNames.title');
  usePageTitle(title);
  const address = useListAddress('name');
  const { search, order, page, pageSize, setOrder } = address;
  const asked = { organization: null, search, sort: order, page, pageSize };
  const query = useOnlineQuery(packageNamesAddressOf(asked), packageNamesFrom);
  const { known, isOffline, refresh } = query;
  const [moved, setMoved] = useState<PackageName | null>(null);
  const offline = useId();
  useRefreshing(query);

  if (known.is !== 'told' && known.is !== 'coming')
    return (
      <>
        <PageHead title={title} context={t('admin.packageNames.about')} />
        <NoPackageNames query={query} />
      </>
    );
  const { packageNames: rows, total } =
    known.is === 'told' ? known.value : { packageNames: [], total: 0 };
  const sortBy = (key: string) => (isOffline ? null : key);
  return (
    <>
      <ListPage
        title={title}
        count={total}
        list={{
          state: known.is === 'told' ? 'ready' : 'loading',
          rows: rows.map(({ name }) => ({ id: name })),
          total,
          asOf: null,
        }}
        {...(isOffline
          ? { actions: <NeedsConnection id={offline} /> }
          : {
              address,
              search: {
                label: t('admin.packageNames.search'),
                help: t('admin.packageNames.searchHelp'),
                about: t('admin.settings.searchWhat'),
                found:
                  known.is === 'told' && known.isOld
                    ? ''
                    : t('admin.packageNames.found', { count: total }),
              },
            })}
        empty={
          search === '' ? (
            <NonePublished />
          ) : (
            <NoResults search={search} setSearch={address.setSearch} />
          )
        }
        table={{
          className: 'project-table settings-table package-names',
          columns: [
            { title: t('admin.packageNames.name'), sort: sortBy('name') },
            { title: t('admin.packageNames.organization'), sort: null },
            { title: t('admin.packageNames.products'), sort: null },
            { title: t('admin.packageNames.since'), sort: sortBy('since') },
            { title: t('admin.packageNames.lastPublished'), sort: null },
          ],
          order,
          onOrder: setOrder,
        }}
      >
        {rows.map((entry) => (
          <PackageNameRow
            key={entry.name}
            entry={entry}
            needsConnection={isOffline ? offline : undefined}
            onMove={() => {
              setMoved(entry);
            }}
          />
        ))}
      </ListPage>
      {moved !== null && (
        <MovePackageName
          opened={moved}
          present={rows.find(({ name }) => name === moved.name) ?? moved}
          isOffline={isOffline}
          onStale={refresh}
          onMoved={refresh}
          onClose={() => {
            setMoved(null);
          }}
        />
      )}
    </>
  );
}

interface RowProps {
  readonly entry: PackageName;
  /** Id of what says that nothing can be moved; undefined while there is a connection. */
  readonly needsConnection: string | undefined;
  readonly onMove: () => void;
}

function PackageNameRow({ entry, needsConnection, onMove }: RowProps) {
  const t = useText();
  const { name, organization, isOfProduct } = entry;
  return (
    <tbody role="rowgroup">
      <tr role="row">
        <Cell label={t('admin.packageNames.name')} className="name-cell">
          <NameOfPackage entry={entry} />
          {isOfProduct && <div className="caption">{t('admin.packageNames.ofProduct')}</div>}
        </Cell>
        <Cell label={t('admin.packageNames.organization')}>
          <bdi>{organization.name}</bdi>
        </Cell>
        <FactsOfPackage entry={entry} />
        <td role="cell" className="end">
          {!isOfProduct && (
            <Button
              aria-label={t('admin.packageNames.moveNamed', { name })}
              aria-describedby={needsConnection}
              disabled={needsConnection !== undefined}
              onClick={onMove}
            >
              {t('admin.packageNames.move')}
            </Button>
          )}
        </td>
      </tr>
    </tbody>
  );
}
