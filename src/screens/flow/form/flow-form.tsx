import { useState } from 'react';
import { Link } from 'react-router-dom';
import { Segment } from 'semantic-ui-react';
import type { Uploaded } from '#protocol/file-paths.ts';
import { WAITING_FORM } from '#protocol/task-forms.ts';
import type { TaskForm } from '#protocol/task-forms.ts';
import { lastWordOf } from '#rules/record/transitions.ts';
import { buildsAgain, isHandedOver } from '#rules/task/task.ts';
import type { Of } from '#schema/index.ts';
import { useList, useRecord } from '#data/react/hooks.ts';
import { Button } from '#ui/form/controls.tsx';
import { Note } from '#ui/status/boxes.tsx';
import { splitAtElement } from '#ui/text/split-at-element.ts';
import { useText, useTextOf } from '#ui/text/text.ts';
import { kebab } from '#base/kebab.ts';
import { DetailPage } from '../../app/page/detail-page.tsx';
import { CommandForm } from '../command/command-form.tsx';
import { Needy, UnderWay } from '../command/command-outcome.tsx';
import type { FlowProps } from './flow-props.ts';
import { FormFields } from './form-fields.tsx';
import { FormList } from './form-lists.tsx';
import { beganAt, stepAhead, waitsSince } from '../history.ts';
import { Instructions } from './instructions.tsx';
import { FailureNote, useFailure } from '../failure.tsx';
import { useContentDoubt } from '../command/use-content-doubt.ts';
import { useStep } from '../command/use-step.ts';
import { Stepper } from '../stepper.tsx';
import { Outcome, Running, WaitsFor } from '../whats-on.tsx';
import { Icon, ProductName } from '#ui/picture/icon.tsx';
import { RelativeTime } from '#ui/value/values.tsx';
import { NextTask } from '../next-task.tsx';
import { useTasksPath } from '../task-query.ts';
import { systemCommentIn, TaskComment, useNewestBuild, WordBy } from '../task.tsx';
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
  const [before, after] = splitAtElement((time) => t('flow.waitingFor', { time }));
  const step = useStep(props);
  const tasks = useTasksPath();

  return (
    <DetailPage
      record={{ type: 'product', id: product.id, change }}
      title={`${title} – ${project.name}`}
      heading={title}
      trail={
        <Trail here={name}>
          <Link to={tasks}>{t('tasks.title')}</Link>
          <Link to={`/projects/${project.id}`}>
            <bdi>{project.name}</bdi>
          </Link>
        </Trail>
      }
      facts={
        <>
          <ProductName name={name} className="fact" />
          {state !== null && since !== null && (
            <span className="fact">
              {before}
              <RelativeTime at={since} isSpan />
              {after}
            </span>
          )}
        </>
      }
      actions={<NextTask product={product.id} hasActed={step.hasActed} />}
      className="flow"
      data-form={form.name}
    >
      <Stepper product={product} />
      {project.dateArchived !== null && <Note tone="info">{t('flow.archived')}</Note>}
      <div className="flow-columns">
        <div className="flow-note">
          <Before {...props} step={step} />
        </div>
        <Work {...props} step={step} title={title} />
        <aside className="side-panel flow-side" aria-label={t('flow.facts')}>
          <h2>{t('flow.facts')}</h2>
          <FormFields product={product} project={project} fields={form.fields} />
        </aside>
      </div>
    </DetailPage>
  );
}

interface StepProps extends FlowProps {
  readonly step: ReturnType<typeof useStep>;
}

/** Shows what came before the step: what failed, and what was said last. */
function Before(props: StepProps) {
  const { form, product, history, task } = props;
  const word = lastWordOf(history);
  const comment = word === null ? (task?.comment ?? null) : word.comment;
  const found = useFailure(product.id, comment, beganAt(history));
  // A step that goes by itself has left the failure behind, and so has a workflow that has ended.
  const isForPeople = product.workflowState !== null && form.commands.length > 0;
  const failure = isForPeople ? found : null;
  const isSaid = failure !== null && systemCommentIn(comment ?? '') !== null;
  return (
    <>
      {failure !== null && <FailureNote failure={failure} again={<BuildAgain {...props} />} />}
      {!isSaid && <LastWord word={word} comment={comment} />}
    </>
  );
}

/** Gives the command that builds anew, with the comment that was typed; nothing for others. */
function BuildAgain({ product, project, task, step }: StepProps) {
  const t = useText();
  const { offered, keeping } = step;
  const again = offered.find(({ name }) => buildsAgain(product.workflowState ?? '', name));
  if (task === null || again === undefined) return null;
  if (!step.mayGive || project.dateArchived !== null) return null;
  return (
    <Button
      loading={keeping === again.name}
      disabled={keeping !== null}
      data-shortcut="build"
      onClick={() => void step.give(task, again.name)}
    >
      {t('flow.buildAgain')}
    </Button>
  );
}

/** Shows what to do, what with, and the means to do it. */
function Work(props: StepProps & { readonly title: string }) {
  const { form, product, project, task } = props;
  const [uploads, setUploads] = useState<readonly Uploaded[] | null>(null);
  const build = useBuildShown(form, product);
  const isRunning = product.workflowState !== null;
  return (
    <Segment className="flow-work">
      <WhatToDo {...props} />
      {!isRunning && product.datePublished !== null && <Outcome product={product} />}
      {isRunning && form.commands.length === 0 && <Running product={product.id} />}
      {form.lists.map((list) => (
        <FormList
          key={list.kind}
          list={list}
          project={project}
          build={build}
          task={task}
          onUploads={setUploads}
        />
      ))}
      {project.dateArchived === null && <Doing {...props} uploads={uploads} />}
    </Segment>
  );
}

/** The instructions of a step; without the line on mailing the reviewers where there are none. */
function useInstructions(form: TaskForm, project: string): string {
  const t = useText();
  const textOf = useTextOf();
  const { state, rows } = useList('reviewer', { project });
  const text = form.instructions === null ? '' : textOf(form.instructions, '');
  if (state !== 'ready' || rows.length > 0) return text;
  const command = t('commands.email-reviewers');
  const lines = text.split('\n');
  return lines.filter((line) => !line.includes(command)).join('\n');
}

/** Says what is to be done in the step; to an owner who handed it over that authors are to do it. */
function WhatToDo({ form, title, task, ...props }: FlowProps & { readonly title: string }) {
  const t = useText();
  const textOf = useTextOf();
  const heading = textOf(form.title, form.name);
  const instructions = useInstructions(form, props.project.id);
  const isOthers = task !== null && isHandedOver(task);
  const ownHeading = heading === title ? t('flow.instructions') : heading;
  return (
    <>
      {isOthers && <WaitsForAuthors {...props} />}
      {form.instructions !== null && (
        <details className="flow-instructions" open={!isOthers}>
          <summary>
            <h2>{isOthers ? t('flow.instructionsOfAuthors') : ownHeading}</h2>
          </summary>
          <Instructions text={instructions} />
        </details>
      )}
    </>
  );
}

/** Says to an owner who can only take the work back whose turn it is. */
function WaitsForAuthors({ product, history }: Pick<FlowProps, 'product' | 'history'>) {
  const t = useText();
  const { workflowState: state } = product;
  const names = (state === null ? null : stepAhead(history, state)?.allowedUserNames) ?? '';
  return <h2>{names === '' ? t('flow.handedOver') : t('flow.handedOverTo', { names })}</h2>;
}

/** The newest build, or the one that was published. */
function useBuildShown(form: TaskForm, product: Of<'product'>): string | null {
  const newest = useNewestBuild(product.id);
  const publications = useList(
    'productPublication',
    { product: product.id, success: true },
    { sort: '-dateCreated' },
  );
  const published = publications.rows[0]?.productBuild ?? null;
  return form.name === 'published' ? published : (newest?.id ?? null);
}

/**
 * Shows what the person can do, what became of what they did, and whom the step waits for
 * otherwise.
 */
function Doing(props: StepProps & { readonly uploads: readonly Uploaded[] | null }) {
  const { form, product, task, history, step, uploads } = props;
  const { underWay, needy, offered } = step;
  const doubt = useContentDoubt(form, product, uploads);
  return (
    <div className="flow-doing">
      {needy !== null && <Needy row={needy} history={history} />}
      {underWay !== null && <UnderWay row={underWay} onUndone={step.putBack} />}
      {task !== null && step.mayGive && (
        <CommandForm
          form={form}
          offered={offered}
          state={task.status ?? ''}
          product={step.names.product}
          comment={step.comment}
          keeping={step.keeping}
          trouble={step.trouble}
          commentError={step.commentError}
          doubt={doubt}
          release={step.release}
          onComment={step.writeComment}
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
  /** The step that it was said with; null while the history is not here. */
  readonly word: ReturnType<typeof lastWordOf<Of<'productTransition'>>>;
  readonly comment: string | null;
}

/** Shows the comment of the last step, by whom and when; nothing where there is none. */
function LastWord({ word, comment }: LastWordProps) {
  const t = useText();
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
            <WordBy word={word} />
          </div>
        )}
      </div>
    </section>
  );
}
