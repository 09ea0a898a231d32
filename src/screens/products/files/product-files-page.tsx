import { Link, useNavigate, useParams, useSearchParams } from 'react-router-dom';
import type { Of } from '#schema/index.ts';
import type { ChangeState } from '#data/model/change.ts';
import { useChanges, useList, useRecord } from '#data/react/hooks.ts';
import type { ListView } from '#data/model/views.ts';
import { EmptyBox, NeedsConnection, NotOnDevice, Skeleton, Note } from '#ui/status/boxes.tsx';
import { PageHead } from '#ui/page/page-head.tsx';
import { ProductIcon } from '#ui/picture/icon.tsx';
import { momentOf } from '#ui/value/values.tsx';
import { useLanguage, useText } from '#ui/text/text.ts';
import { Trail } from '#ui/page/trail.tsx';
import { RecordBadge } from '../../app/page/changes/record-badge.tsx';
import { Decided, projectEditors } from '../../app/page/guards.tsx';
import { ProductMenu } from '../in-project/product-menu.tsx';
import { useProductRun } from '../in-project/use-product-run.ts';
import { useRemoving } from '../in-project/use-removing.ts';
import { usePageTitle } from '../../app/page/page-title.ts';
import { NotFound } from '../../app/page/not-found.tsx';
import { BuildFiles } from './build-files.tsx';
import { BuildPicker } from './build-picker.tsx';
import { newestFirst } from '../builds.ts';
import { History } from '../history.tsx';
import { Publications } from './publications.tsx';
import '../../flow/flow.css';
import './product-files.css';
import { Phase } from '../../flow/whats-on.tsx';
import { ConsoleLink } from '../../flow/task.tsx';

/** `/products/{id}/files`: what was built and published of a product. */
export function ProductFilesPage() {
  const { productId = null } = useParams();
  const { state, record: product, change } = useRecord('product', productId);
  const { status, sendNow } = useChanges();

  if (state === 'loading') return <Skeleton rows={5} />;
  if (state === 'gone' || (product === null && change !== null))
    return <NotFound withChangesOf={change === null ? null : productId} />;
  if (product !== null) return <Found key={product.id} product={product} change={change} />;
  if (status === 'offline') return <NotOnDevice isPage onTryAgain={sendNow} />;
  return (
    <Decided guard={projectEditors} project={null}>
      {null}
    </Decided>
  );
}

interface FoundProps {
  readonly product: Of<'product'>;
  readonly change: ChangeState | null;
}

function Found(props: FoundProps) {
  const { record: project } = useRecord('project', props.product.project);
  return (
    <Decided guard={projectEditors} project={project}>
      {project !== null && <OneProduct project={project} {...props} />}
    </Decided>
  );
}

interface ProductFilesPageProps extends FoundProps {
  readonly project: Of<'project'>;
}

const OFFLINE = 'files-offline';

function OneProduct(props: ProductFilesPageProps) {
  const { product } = props;
  const isOffline = useChanges().status === 'offline';
  const { state, rows } = useList('productBuild', { product: product.id }, { beyond: true });
  const builds = newestFirst(rows);
  const [search, setSearch] = useSearchParams();
  const chosen = builds.find(({ id }) => id === search.get('build')) ?? builds[0] ?? null;
  return (
    <div className="stack product-files">
      <Head {...props} isOffline={isOffline} />
      <BuildPicker
        builds={builds}
        chosen={chosen}
        onChoose={(build) => {
          setSearch(build === builds[0]?.id ? {} : { build }, { replace: true });
        }}
      />
      {chosen !== null && (
        <OneBuild
          key={chosen.id}
          product={product}
          build={chosen}
          needsConnection={isOffline ? OFFLINE : undefined}
        />
      )}
      {chosen === null && <Instead state={state} product={product} />}
      <History product={product} />
    </div>
  );
}

function Head({ isOffline, ...rest }: ProductFilesPageProps & { readonly isOffline: boolean }) {
  const t = useText();
  const { product, project } = rest;
  const { record: definition } = useRecord('productDefinition', product.productDefinition);
  const name = definition?.name ?? '';
  usePageTitle(`${t('files.title')} · ${name}`);
  return (
    <div>
      <Trail here={name}>
        <Link to={`/projects/${project.id}`}>
          <bdi>{project.name}</bdi>
        </Link>
      </Trail>
      <PageHead
        title={t('files.title')}
        context={
          <>
            <span className="project-name">
              <span className="fact flow-product">
                <ProductIcon name={name} /> {name}
              </span>
              <RecordBadge record={product.id} change={rest.change} />
            </span>
            <div dir="auto">{definition?.description}</div>
            {isOffline && <AsOf project={project.id} />}
          </>
        }
        actions={<Menu name={name} {...rest} />}
      />
    </div>
  );
}

/** Says how old the shown data may be, and that the files themselves are not here. */
function AsOf({ project }: { readonly project: string }) {
  const t = useText();
  const language = useLanguage();
  const { asOf } = useList('product', { project });
  return (
    <>
      {asOf !== null && <div>{t('sync.asOf', { time: momentOf(asOf, language) })}</div>}
      <NeedsConnection id={OFFLINE} />
    </>
  );
}

/**
 * The menu of the product's card; a person who removes the product here goes back to the project.
 */
function Menu({
  product,
  project,
  change,
  name,
}: ProductFilesPageProps & { readonly name: string }) {
  const navigate = useNavigate();
  const names = { product: name, project: project.name };
  const { underWay, run } = useProductRun(product, change, names);
  const { remove } = useRemoving(project);
  return (
    <ProductMenu
      product={product}
      name={name}
      isRunning={underWay !== null}
      onRun={run}
      onRemove={() => {
        // Its page may have to be loaded; until it shows, this one needs the product.
        void Promise.resolve(navigate(`/projects/${project.id}`)).then(() => remove(product, name));
      }}
      isOfFiles
    />
  );
}

interface BuildProps {
  readonly product: Of<'product'>;
  readonly build: Of<'productBuild'>;
  readonly needsConnection: string | undefined;
}

function OneBuild({ product, build, needsConnection }: BuildProps) {
  const { rows } = useList(
    'productPublication',
    { product: product.id },
    { sort: '-dateCreated', beyond: true },
  );
  const own = rows.filter(({ productBuild }) => productBuild === build.id);
  const newest = rows.find(({ success }) => success === true);
  const { publishLink } = product;
  const isOut = newest !== undefined && publishLink !== null && /^https?:\/\//.test(publishLink);
  return (
    <>
      <BuildState build={build} needsConnection={needsConnection} />
      {build.success !== null && (
        <BuildFiles
          build={build}
          isPublished={own.some(({ success }) => success === true)}
          needsConnection={needsConnection}
        />
      )}
      <Publications
        publications={own}
        out={isOut ? { publication: newest.id, address: publishLink } : null}
        needsConnection={needsConnection}
      />
    </>
  );
}

interface InsteadProps {
  readonly state: ListView<'productBuild'>['state'];
  readonly product: Of<'product'>;
}

/** Shows where there is no build: none yet, or none on this device. */
function Instead({ state, product }: InsteadProps) {
  const t = useText();
  if (state === 'loading') return <Skeleton rows={3} />;
  if (state === 'not-here') return <p className="soft">{t('sync.notOnDevice')}</p>;
  return <NoBuilds product={product} />;
}

/** Builds are made by the workflow: the way to one is the project. */
function NoBuilds({ product }: { readonly product: Of<'product'> }) {
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
      {t('files.noBuildsText')}
    </EmptyBox>
  );
}

interface BuildStateProps {
  readonly build: Of<'productBuild'>;
  readonly needsConnection: string | undefined;
}

/** Says how far a build is, or why it failed; of one that went well only the engine's own words. */
function BuildState({ build, needsConnection }: BuildStateProps) {
  const t = useText();
  const { success, phase, queuePosition, logTail, error, logUrl } = build;
  if (success === null)
    return (
      <section className="files-state" aria-label={t('files.build.pending')}>
        <Phase phase={phase} ahead={queuePosition} />
        {logTail !== null && logTail !== '' && (
          <pre className="log-tail" tabIndex={0} aria-label={t('files.log')}>
            {logTail}
          </pre>
        )}
      </section>
    );
  const console =
    logUrl === null ? null : <ConsoleLink address={logUrl} needsConnection={needsConnection} />;
  if (success) return console === null ? null : <p className="files-state">{console}</p>;
  return (
    <div className="files-state">
      <Note tone="error">
        <strong>{t('files.build.failed')}</strong>
        {error !== null && (
          <p>
            <bdi>{error}</bdi>
          </p>
        )}
        {console !== null && <div className="box-actions">{console}</div>}
      </Note>
    </div>
  );
}
