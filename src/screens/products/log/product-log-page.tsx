import { Link, useParams, useSearchParams } from 'react-router-dom';
import { isBundled } from '#protocol/file-paths.ts';
import { mayReadConsole } from '#rules/product.ts';
import { mayEditProject } from '#rules/project.ts';
import type { Of } from '#schema/index.ts';
import { useRecord, useViewer } from '#data/react/hooks.ts';
import type { ChangeState } from '#data/model/change.ts';
import { ProductName } from '#ui/picture/icon.tsx';
import { Trail } from '#ui/page/trail.tsx';
import { CopyButton } from '#ui/form/copy-button.tsx';
import { useText } from '#ui/text/text.ts';
import { RelativeTime } from '#ui/value/values.tsx';
import { DetailPage } from '../../app/page/detail-page.tsx';
import { Decided, Found } from '../../app/page/guards.tsx';
import type { Guard } from '../../app/page/guards.tsx';
import { LateNotFound } from '../../app/page/late-not-found.tsx';
import { useFetchFile } from '../../app/page/files/use-fetch-file.ts';
import { Button } from '#ui/form/controls.tsx';
import { NotifyWhenBuilt } from '../../flow/notify-when-built.tsx';
import { BuildStatus } from '../builds/build-status.tsx';
import { Ended } from '../ended.tsx';
import { BuildAgain } from './build-again.tsx';
import { LogOf } from './log-of.tsx';
import './product-log.css';

/** Lets in those who may read what an engine said. */
const consoleReaders: Guard = ({ viewer, project }) =>
  project === null || mayReadConsole(viewer, project) ? null : 'not-a-member';

/**
 * `/products/{id}/builds/{build}/log`: what the engine said while it built, or by `?publication=`
 * while it published that build.
 */
export function ProductLogPage() {
  const { productId = '', buildId = '' } = useParams();
  return (
    <Found type="product" id={productId} guard={consoleReaders}>
      {(product, change) => (
        <OfProject key={buildId} product={product} change={change} buildId={buildId} />
      )}
    </Found>
  );
}

interface OfProductProps {
  readonly product: Of<'product'>;
  readonly change: ChangeState | null;
}

function OfProject({ buildId, ...props }: OfProductProps & { readonly buildId: string }) {
  const { record: project } = useRecord('project', props.product.project);
  return (
    <Decided guard={consoleReaders} project={project}>
      {project !== null && (
        <Found type="productBuild" id={buildId} guard={consoleReaders}>
          {(build) =>
            build.product === props.product.id ? (
              <OneBuild build={build} project={project} {...props} />
            ) : (
              <LateNotFound />
            )
          }
        </Found>
      )}
    </Decided>
  );
}

interface Props extends OfProductProps {
  readonly project: Of<'project'>;
  readonly build: Of<'productBuild'>;
  /** Null: the log is that of the build. */
  readonly publication: Of<'productPublication'> | null;
}

/** Shows the log of the build, or that of one of its publications. */
function OneBuild(props: Omit<Props, 'publication'>) {
  const [search] = useSearchParams();
  const publicationId = search.get('publication');
  if (publicationId === null) return <OneLog publication={null} {...props} />;
  return (
    <Found type="productPublication" id={publicationId} guard={consoleReaders}>
      {(publication) =>
        publication.productBuild === props.build.id ? (
          <OneLog key={publication.id} publication={publication} {...props} />
        ) : (
          <LateNotFound />
        )
      }
    </Found>
  );
}

function OneLog(props: Props) {
  const { product, project, change, build, publication } = props;
  const t = useText();
  const viewer = useViewer();
  const { record: definition } = useRecord('productDefinition', product.productDefinition);
  const name = definition?.name ?? '';
  const of = publication ?? build;
  const title = t(publication === null ? 'builds.log.title' : 'builds.log.titleOfPublication');
  const { workflowProjectUrl: engine } = project;
  const notBegun = engine === null || isBundled(engine) ? t('builds.log.notBegun') : null;
  return (
    <DetailPage
      record={{ type: 'product', id: product.id, change }}
      title={`${title} · ${name}`}
      heading={title}
      trail={
        <Trail here={title}>
          {mayEditProject(viewer, project) && [
            <Link key="project" to={`/projects/${project.id}`}>
              <bdi>{project.name}</bdi>
            </Link>,
            <Link key="files" to={`/products/${product.id}/files`}>
              <bdi>{name}</bdi>
            </Link>,
            <Link key="builds" to={`/products/${product.id}/builds`}>
              {t('builds.title')}
            </Link>,
          ]}
        </Trail>
      }
      facts={
        <>
          <ProductName name={name} className="fact" />
          {build.buildVersion !== null && (
            <span className="fact">
              {t('builds.version')} <bdi>{build.buildVersion}</bdi>{' '}
              <CopyButton text={build.buildVersion} what={t('builds.version')} />
            </span>
          )}
          <span className="fact">
            <RelativeTime at={of.dateCreated} />
          </span>
          <span className="fact">
            {t('builds.id')} <bdi>{build.id}</bdi>{' '}
            <CopyButton text={build.id} what={t('builds.id')} />
          </span>
        </>
      }
      more={
        publication === null ? (
          <>
            <BuildStatus build={build} />
            <NotifyWhenBuilt build={build} />
          </>
        ) : (
          <Ended of={publication} />
        )
      }
      actions={
        <>
          {of.logUrl !== null && <Raw address={of.logUrl} />}
          {publication === null && <BuildAgain {...props} />}
        </>
      }
      className="stack product-log"
    >
      <LogOf
        key={of.id}
        of={of}
        tail={publication === null ? build.logTail : null}
        notBegun={publication === null ? notBegun : t('builds.log.notPublished')}
      />
    </DetailPage>
  );
}

/** Opens the whole text as it is, in a tab of its own. */
function Raw({ address }: { readonly address: string }) {
  const t = useText();
  const open = useFetchFile('show');
  return <Button onClick={() => void open(address)}>{t('builds.log.raw')}</Button>;
}
