import { Link } from 'react-router-dom';
import { useData, useList, useRecord, useViewer } from '#data/react/hooks.ts';
import { PageHead } from '#ui/page/page-head.tsx';
import { ProductIcon } from '#ui/picture/icon.tsx';
import { RelativeTime } from '#ui/value/values.tsx';
import { useText } from '#ui/text/text.ts';
import { Trail } from '#ui/page/trail.tsx';
import { RecordBadge } from '../../app/page/changes/record-badge.tsx';
import type { FlowProps } from './flow-props.ts';
import { flowPathOf } from '../task.tsx';
import { waitsSince } from '../history.ts';

/** Stands in a sentence for what is more than text. */
const BETWEEN = '\0';

/** Shows where one is, how long the step waits, and the way to the next task. */
export function FlowHead(props: FlowProps & { readonly title: string }) {
  const { product, project, history, task, change, title } = props;
  const t = useText();
  const { record: definition } = useRecord('productDefinition', product.productDefinition);
  const name = definition?.name ?? '';
  const since = waitsSince(history) ?? task?.dateUpdated ?? null;
  const [before, after] = t('flow.waitingFor', { time: BETWEEN }).split(BETWEEN);

  return (
    <>
      <Trail here={name}>
        <Link to="/tasks">{t('tasks.title')}</Link>
        <Link to={`/projects/${project.id}`}>
          <bdi>{project.name}</bdi>
        </Link>
      </Trail>
      <PageHead
        title={title}
        context={
          <span className="project-name">
            <span className="fact flow-product">
              <ProductIcon name={name} /> {name}
            </span>
            {product.workflowState !== null && since !== null && (
              <span className="fact">
                {before}
                <RelativeTime at={since} />
                {after}
              </span>
            )}
            <RecordBadge record={product.id} change={change} />
          </span>
        }
        actions={task === null ? <NextTask /> : undefined}
      />
    </>
  );
}

/** The way on, for who has something to do elsewhere. */
function NextTask() {
  const t = useText();
  const { find } = useData();
  const { id: user } = useViewer();
  const { rows } = useList('userTask', { user }, { sort: '-dateUpdated' });
  const next = rows.map(({ product }) => (product === null ? null : find.one('product', product)));
  const product = next.find((one) => one !== null) ?? null;
  if (product === null) return null;
  return (
    <Link className="ui button" to={flowPathOf(product, find)}>
      {t('flow.nextTask')}
    </Link>
  );
}
