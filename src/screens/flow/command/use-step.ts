import { useCallback } from 'react';
import { useNavigate } from 'react-router-dom';
import type { TaskFormCommand } from '#protocol/task-forms.ts';
import { publishes } from '#rules/task/task.ts';
import type { Of } from '#schema/index.ts';
import { useRecord } from '#data/react/hooks.ts';
import { useToast } from '#ui/overlay/toasts.tsx';
import { useProblemText } from '../../app/page/changes/problem-text.ts';
import type { FlowProps } from '../form/flow-props.ts';
import { useCommandDone } from '../task.tsx';
import { useTasksPath } from '../task-query.ts';
import { commentOf, useCommand } from './use-command.ts';
import type { CommandRow } from './use-command.ts';
import { useStepDraft } from './use-step-draft.ts';
import type { StepDraft } from './use-step-draft.ts';
import { typedWith, useRelease } from './use-release.ts';

/** The step as the person can do it: what they may give, what they typed, what they gave. */
export function useStep({ form, product, project, task, change }: FlowProps) {
  const go = useNavigate();
  const tasks = useTasksPath();
  const show = useToast();
  const doneOf = useCommandDone();
  const { record: definition } = useRecord('productDefinition', product.productDefinition);
  const names = { product: definition?.name ?? '', project: project.name };
  const about = `${names.project} · ${names.product}`;
  const onDone = useCallback(
    (command: string, isLeaving: boolean) => {
      show({ tone: 'success', title: doneOf(command), detail: about });
      if (isLeaving) void go(tasks);
    },
    [show, doneOf, about, go, tasks],
  );
  const commanding = useCommand({ product, change, names, then: form.then, onDone });
  const { underWay, needy } = commanding;
  const refused = needy?.state === 'refused' ? needy : null;
  const draft = useStepDraft(product.id, product.workflowState ?? '');
  const comment = draft.typed.text ?? commentOf(refused);
  const commentError = useCommentError(refused, comment);
  const release = useRelease(form, product, draft, refused);

  const offered = offeredTo(task, form.commands);
  const isAnswered = underWay === null && (needy === null || refused !== null);
  return {
    ...commanding,
    names,
    comment,
    writeComment: (text: string) => {
      draft.write({ text });
    },
    commentError,
    release,
    /** Puts back what was typed with a command that was undone. */
    putBack: (row: CommandRow) => {
      draft.write({ text: commentOf(row), ...releaseOf(row) });
    },
    offered,
    /** True if there is something to send, and nothing else is on its way. */
    mayGive: offered.length > 0 && isAnswered,
    give: (to: Of<'userTask'>, command: string) => {
      const said = { comment, release: release?.said ?? null };
      const isRelease = publishes(to.status ?? '', command);
      return commanding.sendCommand(to, command, said, () => {
        if (isRelease) draft.forget();
        // What is said of the release waits; what was refused gives way to this command.
        else draft.write({ text: null, ...releaseOf(refused), ...typedIn(draft) });
      });
    },
  };
}

/** What a command that publishes was given with; nothing of another. */
function releaseOf(row: CommandRow | null): Partial<StepDraft['typed']> {
  if (row === null || !publishes(row.typed.state, row.typed.command)) return {};
  return { version: typedWith(row, 'version'), notes: typedWith(row, 'notes') };
}

/** What was typed of the release since. */
function typedIn({ typed: { version, notes } }: StepDraft): Partial<StepDraft['typed']> {
  return { ...(version === null ? {} : { version }), ...(notes === null ? {} : { notes }) };
}

/** Those of the form that stand in the person's task. */
function offeredTo(
  task: Of<'userTask'> | null,
  commands: readonly TaskFormCommand[],
): readonly TaskFormCommand[] {
  return commands.filter(({ name }) => task?.commands.includes(name) ?? false);
}

/** Says what the server found wrong with the comment, as long as it stands there. */
function useCommentError(refused: CommandRow | null, comment: string): string | null {
  const reasonOf = useProblemText();
  const problem = refused?.problem ?? null;
  if (problem?.source?.pointer?.endsWith('/comment') !== true) return null;
  return comment === commentOf(refused) ? reasonOf(problem) : null;
}
