import { Link } from 'react-router-dom';
import { useId } from 'react';
import type { ReactNode } from 'react';
import {
  isPublishedAt,
  mayDownloadFiles,
  mayMoveWorkflow,
  whyNotReachable,
} from '#rules/product.ts';
import { mayEditProject } from '#rules/project.ts';
import type { Of } from '#schema/index.ts';
import type { ChangeState } from '#data/model/change.ts';
import { useChanges, useFind, useList, useRecord, useViewer } from '#data/react/hooks.ts';
import { knownConfig } from '#session/public-config.ts';
import { badgeOf, RecordBadge, recordMark } from '../../app/page/changes/record-badge.tsx';
import { ProductStatusChip } from '../../app/page/status/product-status.tsx';
import { ProductIcon } from '#ui/picture/icon.tsx';
import { RelativeTime } from '#ui/value/values.tsx';
import { useText } from '#ui/text/text.ts';
import { flowPathOf } from '../../flow/task.tsx';
import { useAttempt } from '../../app/page/use-attempt.ts';
import { ProductMenu } from './product-menu.tsx';
import { ProductStep } from './product-step.tsx';
import { useProductRun } from './use-product-run.ts';
import { NeedsConnection } from '#ui/status/boxes.tsx';
import { useFetchFile } from '../../app/page/files/use-fetch-file.ts';
import { downloadPageOf } from './download-page.ts';
import { publishedFileOf, useIsOut } from './published-files.ts';

type Product = Of<'product'>;

interface ProductCardProps {
  readonly id: string;
  readonly project: Of<'project'>;
  readonly onRemove: (product: Product, name: string) => Promise<void>;
}

/** One product of a project: where it stands, what is out, and what can be done. */
export function ProductCard({ id, ...rest }: ProductCardProps) {
  const { record, change } = useRecord('product', id);
  return record === null ? null : <OneProduct product={record} change={change} {...rest} />;
}

interface OneProps extends Omit<ProductCardProps, 'id'> {
  readonly product: Product;
  readonly change: ChangeState | null;
}

function OneProduct({ product, change, project, onRemove }: OneProps) {
  const { record: definition } = useRecord('productDefinition', product.productDefinition);
  const name = definition?.name ?? '';
  const { underWay, run } = useProductRun(product, change, {
    product: name,
    project: project.name,
  });
  const badge = badgeOf(change);
  // A creation that was refused is here alone: it is corrected or discarded, not worked with.
  const isUnborn = product.version === 0 && badge !== null && badge !== 'waiting';

  return (
    <li
      className={`product-card ${isUnborn ? 'is-unborn' : ''}`}
      data-record={recordMark('product', product.id)}
      data-change={badge ?? undefined}
    >
      <ProductIcon name={name} />
      <div className="product-body">
        <div className="product-title">
          <h3>
            <Name product={product} project={project} name={name} isLink={!isUnborn} />
          </h3>
          {!isUnborn && <ProductStatusChip product={product} />}
          <RecordBadge record={product.id} change={change} showsReason />
        </div>
        {underWay !== null && <WillBeSent {...underWay} />}
        {!isUnborn && <ProductStep product={product} />}
      </div>
      <Facts product={product} project={project} name={name} />
      {!isUnborn && (
        <div className="product-actions">
          <Continue product={product} name={name} />
          <WorkflowLink product={product} name={name} />
          <ProductMenu
            product={product}
            name={name}
            isRunning={underWay !== null}
            onRun={run}
            onRemove={() => void onRemove(product, name)}
          />
        </div>
      )}
    </li>
  );
}

interface NameProps {
  readonly product: Product;
  readonly project: Of<'project'>;
  readonly name: string;
  readonly isLink: boolean;
}

/** Leads to what was built, for who may see that. */
function Name({ product, project, name, isLink }: NameProps) {
  const viewer = useViewer();
  const text = <bdi>{name}</bdi>;
  if (!isLink || !mayEditProject(viewer, project)) return text;
  return <Link to={`/products/${product.id}/files`}>{text}</Link>;
}

type WillBeSentProps = NonNullable<ReturnType<typeof useProductRun>['underWay']>;

/** Shows a request that has no answer yet; while it is unsent it can be undone. */
function WillBeSent({ row, action }: WillBeSentProps) {
  const t = useText();
  const { undo } = useChanges();
  const attempt = useAttempt();
  return (
    <p className="caption" role="status">
      {t('sync.willBeSent')}: {t(`products.actions.${action}`)}{' '}
      {row.canUndo && (
        <button
          type="button"
          className="link-button"
          onClick={() => void attempt(t('errors.generic'), () => undo(row.id))}
        >
          {t('common.undo')}
        </button>
      )}
    </p>
  );
}

/** The way to one's own task; nothing for who has none. */
function Continue({ product, name }: { readonly product: Product; readonly name: string }) {
  const t = useText();
  const find = useFind();
  const { id: user } = useViewer();
  const { total } = useList('userTask', { user, product: product.id });
  if (total === 0) return null;
  return (
    <Link
      className="ui button"
      to={flowPathOf(product, find)}
      aria-label={t('products.continueOf', { name })}
    >
      {t('products.continue')}
    </Link>
  );
}

/**
 * Links super admins to the workflow while there is something to see: our own view, or the one that
 * a setting names.
 */
function WorkflowLink({ product, name }: { readonly product: Product; readonly name: string }) {
  const t = useText();
  const viewer = useViewer();
  if (!mayMoveWorkflow(viewer) || product.productWorkflow === null) return null;
  return (
    <a
      className="ui button"
      href={knownConfig()?.links.workflowAdmin ?? `/admin/workflows/${product.id}`}
      target="_blank"
      rel="noopener noreferrer"
      aria-label={t('products.workflowOf', { name })}
    >
      {t('products.workflow')}
    </a>
  );
}

function Facts({ product, project, name }: Omit<NameProps, 'isLink'>) {
  const t = useText();
  const { record: store } = useRecord('store', product.store);
  const { publishLink } = product;
  const address = publishLink !== null && /^https?:\/\//.test(publishLink) ? publishLink : null;
  return (
    <dl className="product-facts">
      <div>
        <dt>{t('products.version')}</dt>
        <dd>{product.versionBuilt ?? <span className="soft">--</span>}</dd>
      </div>
      <div>
        <dt>{t('products.built')}</dt>
        <dd>
          <RelativeTime at={product.dateBuilt} />
        </dd>
      </div>
      <div>
        <dt>{t('products.published')}</dt>
        <dd>
          <RelativeTime at={product.datePublished} />
          {address !== null && (
            <PublishedAt product={product} project={project} name={name} address={address} />
          )}
          <PublishedFile product={product} project={project} name={name} />
          <DownloadPageLink product={product} project={project} name={name} />
        </dd>
      </div>
      <div>
        <dt>{t('products.updated')}</dt>
        <dd>
          <RelativeTime at={product.dateUpdated} />
        </dd>
      </div>
      {store !== null && (
        <div>
          <dt>{t('products.store')}</dt>
          <dd>
            <bdi>{store.description ?? store.name}</bdi>
          </dd>
        </div>
      )}
    </dl>
  );
}

/** Leads to where the product is published, or says that nobody outside gets there. */
function PublishedAt({
  product,
  project,
  name,
  address,
}: PublishedFileProps & { readonly address: string }) {
  const t = useText();
  const whyNot = isPublishedAt(location.origin, product) ? whyNotReachable(project) : null;
  if (whyNot !== null) return <div className="caption">{t(`products.notReachable.${whyNot}`)}</div>;
  return (
    <PublishedLink address={address} label={t('products.openOf', { name })}>
      {t('products.open')}
    </PublishedLink>
  );
}

/** Leads to the page on which people find the file; without a connection that says so itself. */
function DownloadPageLink({ product, project, name }: PublishedFileProps) {
  const t = useText();
  const isOut = useIsOut(product);
  const address = downloadPageOf(product.id, name);
  if (address === null || !isOut || whyNotReachable(project) !== null) return null;
  return (
    <PublishedLink address={address} label={t('products.downloadPageOf', { name })}>
      {t('products.downloadPage')}
    </PublishedLink>
  );
}

interface PublishedLinkProps {
  readonly address: string;
  /** Names the product too, for who hears one link after the other. */
  readonly label: string;
  readonly children: ReactNode;
}

function PublishedLink({ address, label, children }: PublishedLinkProps) {
  return (
    <a
      className="product-published"
      href={address}
      target="_blank"
      rel="noopener noreferrer"
      aria-label={label}
    >
      {children}
    </a>
  );
}

interface PublishedFileProps {
  readonly product: Of<'product'>;
  readonly project: Of<'project'>;
  readonly name: string;
}

/** The way to the file that was published last: a link where everyone may follow it. */
function PublishedFile({ product, project, name }: PublishedFileProps) {
  const t = useText();
  const id = useId();
  const { status } = useChanges();
  const fetchFile = useFetchFile('save');
  const isOut = useIsOut(product);
  const address = publishedFileOf(product.id, name);
  if (address === null || !isOut) return null;

  const isOffline = status === 'offline';
  const label = t('files.downloadOf', { name });
  if (!isOffline && mayDownloadFiles(null, project))
    return (
      <a className="product-published" href={address} aria-label={label}>
        {t('files.download')}
      </a>
    );
  return (
    <>
      <button
        type="button"
        className="link-button product-published"
        disabled={isOffline}
        aria-label={label}
        aria-describedby={isOffline ? id : undefined}
        onClick={() => void fetchFile(address)}
      >
        {t('files.download')}
      </button>
      {isOffline && <NeedsConnection id={id} />}
    </>
  );
}
