import { useCallback, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { TaskFormCommand } from '#protocol/task-forms.ts';
import type { Of } from '#schema/index.ts';
import { useRecord, useViewer } from '#data/react/hooks.ts';
import { useText } from '#ui/text/text.ts';
import { useToast } from '#ui/overlay/toasts.tsx';
import { useProblemText } from '../../app/page/changes/problem-text.ts';
import type { FlowProps } from '../form/flow-props.ts';
import { useCommandName } from '../task.tsx';
import { commentOf, useCommand } from './use-command.ts';
import type { CommandRow } from './use-command.ts';
import { isObject } from '#base/is-object.ts';
import { writeSetting, readSetting, useUiEnvironment } from '#ui/ui-environment.tsx';
import { keptCommentsOf } from '../../app/page/device/use-leave.ts';

/** The step as the person can do it: what they may give, what they typed, what they gave. */
export function useStep({ form, product, project, task, change }: FlowProps) {
  const t = useText();
  const go = useNavigate();
  const show = useToast();
  const nameOf = useCommandName();
  const { record: definition } = useRecord('productDefinition', product.productDefinition);
  const names = { product: definition?.name ?? '', project: project.name };
  const onDone = useCallback(
    (command: string, isLeaving: boolean) => {
      show({ tone: 'success', title: t('flow.done', { command: nameOf(command) }) });
      if (isLeaving) void go('/tasks');
    },
    [show, t, nameOf, go],
  );
  const commanding = useCommand({ product, change, names, then: form.then, onDone });
  const { underWay, needy } = commanding;
  const refused = needy?.state === 'refused' ? needy : null;
  const comment = useComment(product.id, product.workflowState ?? '', commentOf(refused));
  const commentError = useCommentError(refused, comment.text);

  const offered = offeredTo(task, form.commands);
  const isAnswered = underWay === null && (needy === null || refused !== null);
  return {
    ...commanding,
    names,
    comment,
    commentError,
    offered,
    /** True if there is something to send, and nothing else is on its way. */
    mayGive: offered.length > 0 && isAnswered,
    give: (to: Of<'userTask'>, command: string) =>
      commanding.sendCommand(to, command, comment.text, comment.forget),
  };
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

interface Comment {
  readonly text: string;
  readonly write: (text: string) => void;
  /** It is kept elsewhere now, or not wanted any more. */
  readonly forget: () => void;
}

/** The comments by product: one each, with the state that it is about. */
type Comments = Readonly<Record<string, unknown>>;

/**
 * Keeps what is being typed to a product in `state`, on this device until it is sent; it stays in
 * an open page when the product moves on under it.
 *
 * @param before what stands there until something is typed
 */
function useComment(product: string, state: string, before: string): Comment {
  const { storage } = useUiEnvironment();
  const key = keptCommentsOf(useViewer().id);
  const [typed, setTyped] = useState<string | null>(() =>
    read(readSetting(storage, key), product, state),
  );

  const put = (text: string) => {
    const all = readSetting(storage, key);
    const comments: Comments = { ...(isObject(all) ? all : {}), [product]: { state, text } };
    const typed = Object.entries(comments).filter(([, one]) => isObject(one) && one.text !== '');
    writeSetting(storage, key, typed.length === 0 ? null : Object.fromEntries(typed));
  };
  return {
    text: typed ?? before,
    write: (text) => {
      setTyped(text);
      put(text);
    },
    forget: () => {
      setTyped(null);
      put('');
    },
  };
}

function read(all: unknown, product: string, state: string): string | null {
  const one = isObject(all) ? all[product] : null;
  return isObject(one) && one.state === state && typeof one.text === 'string' ? one.text : null;
}
