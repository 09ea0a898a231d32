import { useState } from 'react';
import { Link } from 'react-router-dom';
import { packageNamesAddressOf, packageNamesFrom } from '#protocol/package-names.ts';
import type { PackageName, PackageNames } from '#protocol/package-names.ts';
import { limits } from '#protocol/limits.ts';
import { EmptyBox } from '#ui/status/boxes.tsx';
import { CardTable } from '#ui/table/card-table.tsx';
import { Cell, Pager } from '#ui/table/table.tsx';
import { CopyButton } from '#ui/form/copy-button.tsx';
import { useText } from '#ui/text/text.ts';
import { RelativeTime } from '#ui/value/values.tsx';
import { useOnlineQuery } from '../app/page/device/use-online-query.ts';
import type { OnlineQuery } from '../app/page/device/use-online-query.ts';
import { WithoutAnswer } from '../app/page/device/without-answer.tsx';
import './package-names.css';

interface Props {
  /** The id of the organization that holds them. */
  readonly organization: string;
}

/** The package names under which nobody but an organization can publish, for its admins. */
export function OrganizationPackageNames({ organization }: Props) {
  const t = useText();
  const [page, setPage] = useState(1);
  const asked = { organization, search: '', sort: 'name', page, pageSize: limits.pageSize };
  const query = useOnlineQuery(packageNamesAddressOf(asked), packageNamesFrom);
  const { known } = query;
  return (
    <section aria-busy={known.is === 'told' && known.isOld && !query.isOffline}>
      <h2>{t('admin.packageNames.title')}</h2>
      <p className="soft">{t('org.packageNames.text')}</p>
      {known.is !== 'told' && <NoPackageNames query={query} />}
      {known.is === 'told' && known.value.total === 0 && <NonePublished />}
      {known.is === 'told' && known.value.total > 0 && (
        <>
          <CardTable
            label={t('admin.packageNames.title')}
            className="package-names"
            columns={[
              'admin.packageNames.name',
              'admin.packageNames.products',
              'admin.packageNames.since',
              'admin.packageNames.lastPublished',
            ]}
          >
            {known.value.packageNames.map((entry) => (
              <tr role="row" key={entry.name}>
                <Cell label={t('admin.packageNames.name')}>
                  <NameOfPackage entry={entry} />
                </Cell>
                <FactsOfPackage entry={entry} />
              </tr>
            ))}
          </CardTable>
          <Pager
            page={page}
            pageSize={limits.pageSize}
            total={known.value.total}
            onPage={setPage}
          />
        </>
      )}
    </section>
  );
}

/** Stands for the list as long as there is none: it is coming, or why it is not. */
export function NoPackageNames({ query }: { readonly query: OnlineQuery<PackageNames> }) {
  const t = useText();
  return (
    <WithoutAnswer
      query={query}
      rows={6}
      offline={t('admin.packageNames.offline')}
      noAnswer={t('admin.packageNames.noAnswer')}
      noAnswerText={t('admin.packageNames.noAnswerText')}
    />
  );
}

/** Says that there are no package names yet, and what brings some. */
export function NonePublished() {
  const t = useText();
  return (
    <EmptyBox icon="folder" title={t('admin.packageNames.empty')}>
      {t('admin.packageNames.emptyText')}
    </EmptyBox>
  );
}

interface EntryProps {
  readonly entry: PackageName;
}

/** The name, and why it was moved. */
export function NameOfPackage({ entry: { name, reason } }: EntryProps) {
  const t = useText();
  return (
    <>
      <bdi className="package-name">{name}</bdi> <CopyButton text={name} what={name} />
      {reason !== null && (
        <div className="caption">
          <bdi>{t('admin.packageNames.movedBecause', { reason })}</bdi>
        </div>
      )}
    </>
  );
}

/** The cells of a row that say what was published under a name, and since when it is held. */
export function FactsOfPackage({ entry }: EntryProps) {
  const t = useText();
  const { since, products } = entry;
  const last = products[0]?.lastPublished ?? null;
  return (
    <>
      <Cell label={t('admin.packageNames.products')}>
        <ProductsUnder entry={entry} />
      </Cell>
      <Cell label={t('admin.packageNames.since')}>
        {since === null ? '--' : <RelativeTime at={since} isSpan />}
      </Cell>
      <Cell label={t('admin.packageNames.lastPublished')}>
        {last === null ? '--' : <RelativeTime at={last} />}
      </Cell>
    </>
  );
}

function ProductsUnder({ entry: { products, productsTotal, organization } }: EntryProps) {
  const t = useText();
  if (products.length === 0)
    return <span className="soft">{t('admin.packageNames.nothingPublished')}</span>;
  const more = productsTotal - products.length;
  return (
    <span className="package-products">
      {products.map((product) => (
        <span key={product.id}>
          <Link to={`/projects/${product.project.id}`}>
            <bdi>{product.project.name}</bdi>
          </Link>{' '}
          <bdi className="soft">{product.name}</bdi>
          {product.organization.id !== organization.id && (
            <span className="caption">
              {t('admin.packageNames.earlier', { organization: product.organization.name })}
            </span>
          )}
        </span>
      ))}
      {more > 0 && <span className="soft">{t('admin.packageNames.more', { count: more })}</span>}
    </span>
  );
}
