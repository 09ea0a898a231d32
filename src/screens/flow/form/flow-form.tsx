import { Link } from 'react-router-dom';
import { Segment } from 'semantic-ui-react';
import { WAITING_FORM } from '#protocol/task-forms.ts';
import type { TaskForm } from '#protocol/task-forms.ts';
import type { Of } from '#schema/index.ts';
import { useFind, useList, useRecord, useViewer } from '#data/react/hooks.ts';
import { Note } from '#ui/status/boxes.tsx';
import { useText, useTextOf } from '#ui/text/text.ts';
import { kebab } from '#base/kebab.ts';
import { DetailPage } from '../../app/page/detail-page.tsx';
import { CommandForm } from '../command/command-form.tsx';
import { Needy, UnderWay } from '../command/command-outcome.tsx';
import type { FlowProps } from './flow-props.ts';
import { FormFields } from './form-fields.tsx';
import { FormList } from './form-lists.tsx';
import { stepAhead, lastWordOf, waitsSince } from '../history.ts';
import { Instructions } from './instructions.tsx';
import { useStep } from '../command/use-step.ts';
import { Outcome, Running, WaitsFor } from '../whats-on.tsx';
import { Icon, ProductIcon } from '#ui/picture/icon.tsx';
import { RelativeTime } from '#ui/value/values.tsx';
import { TaskComment, useNameOf, flowPathOf } from '../task.tsx';
import { Trail } from '#ui/page/trail.tsx';

/** The form of a product's step, from its name to the buttons. */
export function FlowForm(props: FlowProps) {
  const { form, product, project, history, task, change } = props;
  const t = useText();
  const textOf = useTextOf();
  const { record: definition } = useRecord('productDefinition', product.productDefinition);
  const name = definition?.name ?? '';
  const state = product.workflowState;
  const title =
    state === null ? textOf(form.title, form.name) : textOf(`states.${kebab(state)}`, state);
  const since = waitsSince(history) ?? task?.dateUpdated ?? null;
  const [before, after] = t('flow.waitingFor', { time: BETWEEN }).split(BETWEEN);

  return (
    <DetailPage
      record={{ type: 'product', id: product.id, change }}
      title={`${title} – ${project.name}`}
      heading={title}
      trail={
        <Trail here={name}>
          <Link to="/tasks">{t('tasks.title')}</Link>
          <Link to={`/projects/${project.id}`}>
            <bdi>{project.name}</bdi>
          </Link>
        </Trail>
      }
      facts={
        <>
          <span className="fact flow-product">
            <ProductIcon name={name} /> {name}
          </span>
          {state !== null && since !== null && (
            <span className="fact">
              {before}
              <RelativeTime at={since} />
              {after}
            </span>
          )}
        </>
      }
      actions={task === null ? <NextTask /> : undefined}
      className="flow"
      data-form={form.name}
    >
      {project.dateArchived !== null && <Note tone="info">{t('flow.archived')}</Note>}
      <div className="flow-columns">
        <div className="flow-note">
          <LastWord history={history} otherwise={task?.comment ?? null} />
        </div>
        <aside className="side-panel flow-side" aria-label={t('flow.facts')}>
          <h2>{t('flow.facts')}</h2>
          <FormFields product={product} project={project} fields={form.fields} />
        </aside>
        <Work {...props} title={title} />
      </div>
    </DetailPage>
  );
}

/** Shows what to do, what with, and the means to do it. */
function Work(props: FlowProps & { readonly title: string }) {
  const { form, product, project, title } = props;
  const t = useText();
  const textOf = useTextOf();
  const build = useBuildShown(form, product);
  const heading = textOf(form.title, form.name);
  const isRunning = product.workflowState !== null;
  return (
    <Segment className="flow-work">
      {form.instructions !== null && (
        <details className="flow-instructions" open>
          <summary>
            <h2>{heading === title ? t('flow.instructions') : heading}</h2>
          </summary>
          <Instructions text={textOf(form.instructions, '')} />
        </details>
      )}
      {!isRunning && product.datePublished !== null && <Outcome product={product} />}
      {isRunning && form.commands.length === 0 && <Running product={product.id} />}
      {form.lists.map((list) => (
        <FormList key={list.kind} list={list} project={project} build={build} />
      ))}
      {project.dateArchived === null && <Doing {...props} />}
    </Segment>
  );
}

/** The newest build, or the one that was published. */
function useBuildShown(form: TaskForm, product: Of<'product'>): string | null {
  const builds = useList('productBuild', { product: product.id }, { sort: '-dateCreated' });
  const publications = useList(
    'productPublication',
    { product: product.id, success: true },
    { sort: '-dateCreated' },
  );
  const published = publications.rows[0]?.productBuild ?? null;
  return form.name === 'published' ? published : (builds.rows[0]?.id ?? null);
}

/**
 * Shows what the person can do, what became of what they did, and whom the step waits for
 * otherwise.
 */
function Doing(props: FlowProps) {
  const { form, task, history } = props;
  const step = useStep(props);
  const { underWay, needy, offered, comment } = step;
  return (
    <div className="flow-doing">
      {needy !== null && <Needy row={needy} history={history} />}
      {underWay !== null && <UnderWay row={underWay} onUndone={comment.write} />}
      {task !== null && step.mayGive && (
        <CommandForm
          form={form}
          offered={offered}
          state={task.status ?? ''}
          product={step.names.product}
          comment={comment.text}
          keeping={step.keeping}
          trouble={step.trouble}
          commentError={step.commentError}
          onComment={comment.write}
          onGive={(command) => void step.give(task, command)}
        />
      )}
      {offered.length === 0 && underWay === null && <NothingToDo {...props} />}
    </div>
  );
}

function NothingToDo({ form, product, project, history }: FlowProps) {
  const t = useText();
  const { workflowState: state } = product;
  if (state !== null)
    return <WaitsFor ahead={stepAhead(history, state)} isAutomatic={form.commands.length === 0} />;
  if (form.name !== WAITING_FORM) return null;
  return (
    <p className="soft">
      {t('flow.rests')} <Link to={`/projects/${project.id}`}>{t('flow.toProject')}</Link>
    </p>
  );
}

interface LastWordProps {
  readonly history: readonly Of<'productTransition'>[];
  /** The comment as the task has it, while the history is not here. */
  readonly otherwise: string | null;
}

/** Shows the comment of the last step, by whom and when; nothing where there is none. */
function LastWord({ history, otherwise }: LastWordProps) {
  const t = useText();
  const nameOf = useNameOf();
  const word = lastWordOf(history);
  const comment = word === null ? otherwise : word.comment;
  if (comment === null || comment.trim() === '') return null;
  return (
    <section className="last-word" aria-label={t('flow.lastStep')}>
      <Icon name="info" />
      <div>
        <div className="last-word-text">
          <TaskComment comment={comment} />
        </div>
        {word !== null && (
          <div className="caption">
            <bdi>{nameOf(word.workflowUserId)}</bdi> · <RelativeTime at={word.dateTransition} />
          </div>
        )}
      </div>
    </section>
  );
}

/** Stands in a sentence for what is more than text. */
const BETWEEN = '\0';

/** The way on, for who has something to do elsewhere. */
function NextTask() {
  const t = useText();
  const find = useFind();
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
