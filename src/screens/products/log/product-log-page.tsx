import { Link, useParams, useSearchParams } from 'react-router-dom';
import { mayReadConsole } from '#rules/product.ts';
import { mayEditProject } from '#rules/project.ts';
import type { Of } from '#schema/index.ts';
import { useRecord, useRecordAnywhere, useViewer } from '#data/react/hooks.ts';
import type { ChangeState } from '#data/model/change.ts';
import { ProductIcon } from '#ui/picture/icon.tsx';
import { Trail } from '#ui/page/trail.tsx';
import { useText } from '#ui/text/text.ts';
import { RelativeTime } from '#ui/value/values.tsx';
import { DetailPage } from '../../app/page/detail-page.tsx';
import { Decided, Found } from '../../app/page/guards.tsx';
import type { Guard } from '../../app/page/guards.tsx';
import { LateNotFound } from '../../app/page/late-not-found.tsx';
import { useFetchFile } from '../../app/page/files/use-fetch-file.ts';
import { Button } from '#ui/form/controls.tsx';
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
}

function OneBuild(props: Props) {
  const { product, project, change, build } = props;
  const t = useText();
  const viewer = useViewer();
  const [search] = useSearchParams();
  const publicationId = search.get('publication') ?? '';
  const { record: publication } = useRecordAnywhere(
    'productPublication',
    publicationId,
    publicationId !== '',
  );
  const { record: definition } = useRecord('productDefinition', product.productDefinition);
  const name = definition?.name ?? '';
  const of = publicationId === '' ? build : publication;
  const title = t(publicationId === '' ? 'builds.log.title' : 'builds.log.titleOfPublication');
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
          <span className="fact flow-product">
            <ProductIcon name={name} /> <bdi>{name}</bdi>
          </span>
          {build.buildVersion !== null && (
            <span className="fact">
              {t('builds.version')} <bdi>{build.buildVersion}</bdi>
            </span>
          )}
          <span className="fact">
            <RelativeTime at={of?.dateCreated ?? null} />
          </span>
        </>
      }
      more={
        publicationId === '' ? (
          <BuildStatus build={build} />
        ) : (
          publication !== null && <Ended of={publication} />
        )
      }
      actions={
        <>
          {typeof of?.logUrl === 'string' && <Raw address={of.logUrl} />}
          {publicationId === '' && <BuildAgain {...props} />}
        </>
      }
      className="stack product-log"
    >
      {of !== null && <LogOf key={of.id} of={of} tail={of === build ? build.logTail : null} />}
    </DetailPage>
  );
}

/** Opens the whole text as it is, in a tab of its own. */
function Raw({ address }: { readonly address: string }) {
  const t = useText();
  const open = useFetchFile('show');
  return <Button onClick={() => void open(address)}>{t('builds.log.raw')}</Button>;
}
