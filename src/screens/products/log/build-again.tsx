import { useCallback } from 'react';
import { Link } from 'react-router-dom';
import { buildsAgain } from '#rules/task/task.ts';
import type { Of } from '#schema/index.ts';
import { useList, useRecord, useViewer } from '#data/react/hooks.ts';
import type { ChangeState } from '#data/model/change.ts';
import { Button } from '#ui/form/controls.tsx';
import { useText } from '#ui/text/text.ts';
import { useToast } from '#ui/overlay/toasts.tsx';
import { useCommand } from '../../flow/command/use-command.ts';
import { logPageOf, useCommandDone, useNewestBuild } from '../../flow/task.tsx';

interface Props {
  readonly product: Of<'product'>;
  readonly project: Of<'project'>;
  readonly change: ChangeState | null;
  readonly build: Of<'productBuild'>;
}

/**
 * Gives the command that builds anew, for who may give it after this build failed; leads to the
 * build that came after this one.
 */
export function BuildAgain({ product, project, change, build }: Props) {
  const t = useText();
  const { id: user } = useViewer();
  const show = useToast();
  const doneOf = useCommandDone();
  const onDone = useCallback(
    (done: string) => {
      show({ tone: 'success', title: doneOf(done) });
    },
    [show, doneOf],
  );
  const newest = useNewestBuild(product.id);
  const [task] = useList('userTask', { user, product: product.id }).rows;
  const { record: definition } = useRecord('productDefinition', product.productDefinition);
  const names = { product: definition?.name ?? '', project: project.name };
  const { underWay, needy, keeping, sendCommand } = useCommand({
    product,
    change,
    names,
    then: 'stay',
    onDone,
  });
  if (newest !== null && newest.id !== build.id && isBefore(build, newest))
    return (
      <Link className="ui button" to={logPageOf(product.id, newest.id)}>
        {t('builds.log.newer')}
      </Link>
    );
  const command = task?.commands.find((each) => buildsAgain(product.workflowState ?? '', each));
  if (build.success !== false || task === undefined || command === undefined) return null;
  if (project.dateArchived !== null || needy !== null) return null;
  const isBusy = keeping !== null || underWay !== null;
  return (
    <Button
      primary
      loading={isBusy}
      disabled={isBusy}
      data-shortcut="build"
      onClick={() => void sendCommand(task, command, NOTHING, () => undefined)}
    >
      {t('flow.buildAgain')}
    </Button>
  );
}

/** Nothing is typed here. */
const NOTHING = { comment: '', release: null };

const isBefore = (one: Of<'productBuild'>, other: Of<'productBuild'>): boolean =>
  (one.dateCreated ?? '') < (other.dateCreated ?? '');
