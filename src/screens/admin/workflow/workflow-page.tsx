import { useId, useState, useEffect } from 'react';
import { Link, useParams } from 'react-router-dom';
import { appReleases } from '#rules/release.ts';
import type { Of } from '#schema/index.ts';
import type { ChangeState } from '#data/model/change.ts';
import { useChanges, useList, useRecord, useData } from '#data/react/hooks.ts';
import { useOrganization } from '#session/organization.ts';
import { NeedsConnection, Skeleton } from '#ui/status/boxes.tsx';
import { Button } from '#ui/form/controls.tsx';
import { ProductName } from '#ui/picture/icon.tsx';
import { useText } from '#ui/text/text.ts';
import { Trail } from '#ui/page/trail.tsx';
import { useToast } from '#ui/overlay/toasts.tsx';
import { DetailPage } from '../../app/page/detail-page.tsx';
import { History } from '../../products/history.tsx';
import { outNow, Publications } from '../../products/files/publications.tsx';
import { ProductStep } from '../../products/in-project/product-step.tsx';
import { NotHere } from '../../app/page/device/not-here.tsx';
import { NotFound } from '../../app/page/not-found.tsx';
import { NotInView } from '../../app/page/not-in-view.tsx';
import { BuildsTable } from './builds-table.tsx';
import { MachineView } from './machine-view.tsx';
import { MoveDialog } from './move/move-dialog.tsx';
import { useMachine } from './use-machine.ts';
import { useStateName } from '../../flow/task.tsx';
import '../../flow/flow.css';
import '../../products/files/product-files.css';
import '../../products/in-project/products.css';
import './workflow.css';
import { fetchProduct } from '#data/actions/workflows.ts';
import type { OnlineResult } from '#data/model/views.ts';

/** `/admin/workflows/{productId}`: where a product's workflow stands, and how to help it on. */
export function WorkflowPage() {
  const { productId = '' } = useParams();
  const { state, record: product, change } = useRecord('product', productId);
  const { record: project } = useRecord('project', product?.project ?? null);
  const organization = useOrganization();

  if (state === 'loading') return <Skeleton rows={5} />;
  if (state === 'gone') return <NotFound withChangesOf={change === null ? null : productId} />;
  if (product === null || project === null) return <Fetched key={productId} id={productId} />;
  if (organization !== project.organization)
    return <WorkflowNotInView organization={project.organization} />;
  return <OneWorkflow key={product.id} {...{ product, project, change }} />;
}

function WorkflowNotInView({ organization }: { readonly organization: string }) {
  const t = useText();
  return (
    <NotInView
      organization={organization}
      title={(name) => t('workflow.elsewhere', { organization: name })}
    >
      {t('workflow.elsewhereText')}
    </NotInView>
  );
}

interface WorkflowPageProps {
  readonly product: Of<'product'>;
  readonly project: Of<'project'>;
  readonly change: ChangeState | null;
}

function OneWorkflow({ product, project, change }: WorkflowPageProps) {
  const t = useText();
  const nameOf = useStateName();
  const show = useToast();
  const isOffline = useChanges().status === 'offline';
  const offline = useId();
  const machine = useMachine(product);
  const [isMoving, setMoving] = useState(false);
  const { record: definition } = useRecord('productDefinition', product.productDefinition);
  const { known } = machine;
  const { workflowState } = product;
  const name = definition?.name ?? '';
  const needsConnection = isOffline ? offline : undefined;
  return (
    <DetailPage
      record={{ type: 'product', id: product.id, change }}
      title={`${t('workflow.title')} · ${name}`}
      heading={t('workflow.title')}
      trail={
        <Trail here={t('workflow.title')}>
          <Link to={`/projects/${project.id}`}>
            <bdi>{project.name}</bdi>
          </Link>
          <Link to={`/products/${product.id}/files`}>{name}</Link>
        </Trail>
      }
      facts={<ProductName name={name} className="fact" />}
      more={<ProductStep product={product} />}
      actions={
        <>
          {isOffline && <NeedsConnection id={offline} />}
          {workflowState !== null && (
            <Button
              primary
              disabled={isOffline || known.is !== 'told'}
              aria-describedby={needsConnection}
              onClick={() => {
                setMoving(true);
              }}
            >
              {t('workflow.move')}
            </Button>
          )}
        </>
      }
      className="stack workflow-view"
    >
      <p className="out-of-sight" role="status">
        {workflowState === null
          ? t('workflow.none')
          : t('workflow.now', { state: nameOf(workflowState) })}
      </p>
      <MachineView product={product} machine={machine} />
      <History product={product} isOpen />
      <section className="workflow-part">
        <h2>{t('workflow.builds')}</h2>
        <BuildsTable product={product.id} needsConnection={needsConnection} />
      </section>
      <AllPublications product={product} needsConnection={needsConnection} />
      {isMoving && known.is === 'told' && (
        <MoveDialog
          product={product}
          shape={known.value}
          isOffline={isOffline}
          onMoved={(state) => {
            setMoving(false);
            show({ tone: 'success', title: t('workflow.moved', { state: nameOf(state) }) });
          }}
          onClose={() => {
            setMoving(false);
          }}
        />
      )}
    </DetailPage>
  );
}

interface PublicationsProps {
  readonly product: Of<'product'>;
  readonly needsConnection: string | undefined;
}

function AllPublications({ product, needsConnection }: PublicationsProps) {
  const { rows } = useList(
    'productPublication',
    { product: product.id },
    { sort: '-dateCreated', beyond: true },
  );
  const builds = useList('productBuild', { product: product.id }, { beyond: true }).rows;
  const artifacts = useList('productArtifact', { product: product.id }, { beyond: true }).rows;
  const releases = appReleases(
    rows.filter(({ success }) => success === true),
    artifacts,
  );
  return (
    <Publications
      builds={builds}
      publications={rows}
      out={outNow(releases, product)}
      needsConnection={needsConnection}
    />
  );
}

/** A product that is not on the device: fetched, or said to be nowhere. */
function Fetched({ id }: { readonly id: string }) {
  const data = useData();
  const isOffline = useChanges().status === 'offline';
  const [answer, setAnswer] = useState<OnlineResult<unknown> | null>(null);
  const [again, setAgain] = useState(0);
  // What says that there is nothing here stays while the server is asked once more.
  if (isOffline && (answer === null || answer.is === 'told')) setAnswer({ is: 'no-answer' });
  useEffect(() => {
    if (isOffline) return undefined;
    let isOver = false;
    void fetchProduct(data, id).then((next) => {
      if (!isOver) setAnswer(next);
    });
    return () => {
      isOver = true;
    };
  }, [data, id, isOffline, again]);

  if (answer?.is === 'refused') return <NotFound />;
  if (answer?.is !== 'no-answer') return <Skeleton rows={5} />;
  return (
    <NotHere
      isPage
      serverError={answer.serverError}
      onTryAgain={() => {
        setAnswer(null);
        setAgain(again + 1);
        data.changes.sendNow();
      }}
    />
  );
}
