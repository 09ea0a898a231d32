import { Link, useNavigate, useParams, useSearchParams } from 'react-router-dom';
import type { Of } from '#schema/index.ts';
import type { ChangeState } from '#data/model/change.ts';
import { useChanges, useList, useRecord } from '#data/react/hooks.ts';
import type { ListView } from '#data/model/views.ts';
import { EmptyBox, Skeleton, Note } from '#ui/status/boxes.tsx';
import { ProductIcon } from '#ui/picture/icon.tsx';
import { useText } from '#ui/text/text.ts';
import { Trail } from '#ui/page/trail.tsx';
import { DetailPage } from '../../app/page/detail-page.tsx';
import { Decided, Found, projectEditors } from '../../app/page/guards.tsx';
import { ProductMenu } from '../in-project/product-menu.tsx';
import { useProductRun } from '../in-project/use-product-run.ts';
import { useRemoving } from '../in-project/use-removing.ts';
import { BuildFiles } from './build-files.tsx';
import { newestFirst } from '../builds.ts';
import { History } from '../history.tsx';
import { Publications } from './publications.tsx';
import '../../flow/flow.css';
import './product-files.css';
import { Phase } from '../../flow/whats-on.tsx';
import { ConsoleLink } from '../../flow/task.tsx';
import { BuildPicker } from '../build-picker.tsx';
import { PublishedPage } from '../published-page.tsx';

/** `/products/{id}/files`: what was built and published of a product. */
export function ProductFilesPage() {
  const { productId = '' } = useParams();
  return (
    <Found type="product" id={productId} guard={projectEditors}>
      {(product, change) => <OfProject key={product.id} product={product} change={change} />}
    </Found>
  );
}

interface OfProjectProps {
  readonly product: Of<'product'>;
  readonly change: ChangeState | null;
}

function OfProject(props: OfProjectProps) {
  const { record: project } = useRecord('project', props.product.project);
  return (
    <Decided guard={projectEditors} project={project}>
      {project !== null && <OneProduct project={project} {...props} />}
    </Decided>
  );
}

interface ProductFilesPageProps extends OfProjectProps {
  readonly project: Of<'project'>;
}

const OFFLINE = 'files-offline';

function OneProduct(props: ProductFilesPageProps) {
  const { product, project } = props;
  const t = useText();
  const isOffline = useChanges().status === 'offline';
  const { record: definition } = useRecord('productDefinition', product.productDefinition);
  const { state, rows } = useList('productBuild', { product: product.id }, { beyond: true });
  const builds = newestFirst(rows);
  const [search, setSearch] = useSearchParams();
  const chosen = builds.find(({ id }) => id === search.get('build')) ?? builds[0] ?? null;
  const name = definition?.name ?? '';
  return (
    <DetailPage
      record={{ type: 'product', id: product.id, change: props.change }}
      title={`${t('files.title')} · ${name}`}
      heading={t('files.title')}
      trail={
        <Trail here={name}>
          <Link to={`/projects/${project.id}`}>
            <bdi>{project.name}</bdi>
          </Link>
        </Trail>
      }
      facts={
        <span className="fact flow-product">
          <ProductIcon name={name} /> <bdi>{name}</bdi>
        </span>
      }
      more={<div dir="auto">{definition?.description}</div>}
      needsConnection={OFFLINE}
      actions={<Menu name={name} {...props} />}
      className="stack product-files"
    >
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
      <PublishedPage product={product} level="h2" />
      <History product={product} />
    </DetailPage>
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
          project={product.project}
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
