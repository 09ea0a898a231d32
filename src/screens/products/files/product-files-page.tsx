import { Link, useSearchParams } from 'react-router-dom';
import { appReleases } from '#rules/release.ts';
import type { Of } from '#schema/index.ts';
import { useChanges, useList, useRecord, useRecordAnywhere } from '#data/react/hooks.ts';
import type { ChangeState } from '#data/model/change.ts';
import type { ListView } from '#data/model/views.ts';
import { Skeleton, Note } from '#ui/status/boxes.tsx';
import { CopyButton } from '#ui/form/copy-button.tsx';
import { useText } from '#ui/text/text.ts';
import { LatePart, loadWithTexts } from '../../app/page/late/late-part.tsx';
import { NotHere } from '../../app/page/device/not-here.tsx';
import { BuildFiles } from './build-files.tsx';
import { BuildOnPhone } from './build-on-phone.tsx';
import { History } from '../history.tsx';
import { outNow, Publications } from './publications.tsx';
import { RollBack } from './roll-back.tsx';
import { usePickedBuild } from './use-picked-build.ts';
import './product-files.css';
import { Phase } from '../../flow/whats-on.tsx';
import { ConsoleLink, logPageAt } from '../../flow/task.tsx';
import { BuildPicker } from '../build-picker.tsx';
import { NoBuilds } from '../no-builds.tsx';
import { ProductPage } from '../product-page.tsx';
import { PublishedPage } from '../published-page.tsx';

const loadActivity = loadWithTexts(
  async () => (await import('../../activity/activity-box.tsx')).ActivityBox,
);

const OFFLINE = 'files-offline';
const ON_DEVICE = 'files-builds-on-device';

/** `/products/{id}/files`: the page of a product, with what was built and published of it. */
export function ProductFilesPage() {
  return (
    <ProductPage part="files" className="product-files" needsConnection={OFFLINE}>
      {(product, change) => <FilesOf product={product} change={change} />}
    </ProductPage>
  );
}

interface FilesProps {
  readonly product: Of<'product'>;
  readonly change: ChangeState | null;
}

function FilesOf({ product, change }: FilesProps) {
  const t = useText();
  const isOffline = useChanges().status === 'offline';
  const { record: project } = useRecord('project', product.project);
  const [search, setSearch] = useSearchParams();
  const { builds, chosen, isPart, onShowOlder, ...list } = usePickedBuild(
    product.id,
    search.get('build'),
  );
  const isLocal = isOffline || isPart;
  return (
    <>
      <div className="files-above">
        <BuildPicker
          builds={builds}
          chosen={chosen}
          onShowOlder={onShowOlder}
          describedBy={isLocal ? ON_DEVICE : undefined}
          onChoose={(build) => {
            setSearch(build === builds[0]?.id ? {} : { build }, { replace: true });
          }}
        />
        <Link className="ui button" to={`/products/${product.id}/builds`}>
          {t('builds.all')}
        </Link>
        {isLocal && (
          <p id={ON_DEVICE} className="caption">
            {t('builds.onDevice')}
          </p>
        )}
      </div>
      {chosen !== null && (
        <OneBuild
          key={chosen.id}
          product={product}
          change={change}
          build={chosen}
          needsConnection={isOffline ? OFFLINE : undefined}
        />
      )}
      {chosen === null && <Instead list={list} product={product} />}
      <PublishedPage product={product} level="h2" />
      {project !== null && <LatePart load={loadActivity} props={{ project, product }} />}
      <History product={product} />
    </>
  );
}

interface BuildProps extends FilesProps {
  readonly build: Of<'productBuild'>;
  readonly needsConnection: string | undefined;
}

function OneBuild({ product, change, build, needsConnection }: BuildProps) {
  const { rows: builds } = useList('productBuild', { product: product.id }, { anywhere: true });
  const { rows, state } = useList(
    'productPublication',
    { product: product.id },
    { sort: '-dateCreated', beyond: true },
  );
  const own = rows.filter(({ productBuild }) => productBuild === build.id);
  const artifacts = useList('productArtifact', { product: product.id }, { beyond: true });
  const isPublished = own.some(({ success }) => success === true);
  const hasFiles = artifacts.rows.some(({ productBuild }) => productBuild === build.id);
  const published = rows.filter(({ success }) => success === true);
  const releases = appReleases(published, artifacts.rows);
  // What is out may have been built before all that is in the list: its version is asked for.
  const outBuild = releases[0]?.productBuild ?? null;
  useRecordAnywhere(
    'productBuild',
    outBuild ?? '',
    outBuild !== null && builds.every(({ id }) => id !== outBuild),
  );
  return (
    <>
      <BuildState build={build} needsConnection={needsConnection} />
      {build.success !== null && (
        <BuildFiles
          build={build}
          project={product.project}
          isPublished={isPublished}
          needsConnection={needsConnection}
        />
      )}
      {build.success === true && hasFiles && !isPublished && state !== 'loading' && (
        <BuildOnPhone product={product} build={build} />
      )}
      {artifacts.state !== 'loading' && (
        <RollBack
          product={product}
          change={change}
          build={build}
          builds={builds}
          releases={releases}
        />
      )}
      <Publications
        builds={builds}
        publications={own}
        out={outNow(releases, product)}
        needsConnection={needsConnection}
      />
    </>
  );
}

interface InsteadProps {
  readonly list: Pick<ListView<'productBuild'>, 'state' | 'serverError'>;
  readonly product: Of<'product'>;
}

/** Shows where there is no build: none yet, or none on this device. */
function Instead({ list: { state, serverError }, product }: InsteadProps) {
  const t = useText();
  if (state === 'loading') return <Skeleton rows={3} />;
  if (state === 'not-here') return <NotHere serverError={serverError} />;
  return <NoBuilds project={product.project}>{t('files.noBuildsText')}</NoBuilds>;
}

interface BuildStateProps {
  readonly build: Of<'productBuild'>;
  readonly needsConnection: string | undefined;
}

/** Says how far a build is, or why it failed; of one that went well only the engine's own words. */
function BuildState({ build, needsConnection }: BuildStateProps) {
  const t = useText();
  const { success, phase, queuePosition, logTail, error, logUrl, product } = build;
  if (success === null)
    return (
      <section className="files-state" aria-label={t('files.build.pending')}>
        <Phase phase={phase} ahead={queuePosition} />
        {logTail !== null && logTail !== '' && (
          <pre className="log-tail" role="region" tabIndex={0} aria-label={t('files.log')}>
            {logTail}
          </pre>
        )}
      </section>
    );
  const console =
    logUrl === null ? null : (
      <ConsoleLink
        address={logUrl}
        page={logPageAt(logUrl, product)}
        needsConnection={needsConnection}
        label="files.log"
      />
    );
  if (success) return console === null ? null : <p className="files-state">{console}</p>;
  return (
    <div className="files-state">
      <Note tone="error">
        <strong>{t('files.build.failed')}</strong>
        {error !== null && (
          <p>
            <bdi>{error}</bdi> <CopyButton text={error} what={t('builds.whyFailed')} />
          </p>
        )}
        {console !== null && <div className="box-actions">{console}</div>}
      </Note>
    </div>
  );
}
