import { useState } from 'react';
import { limits } from '#protocol/limits.ts';
import { Note } from '#ui/status/boxes.tsx';
import { Button } from '#ui/form/controls.tsx';
import { Dialog } from '#ui/overlay/dialog.tsx';
import { useText } from '#ui/text/text.ts';
import { Dot } from '#ui/value/values.tsx';
import { TaskFormsMissing, useTaskForms } from '../flow/form/needs-task-forms.tsx';
import { useStateName } from '../flow/task.tsx';
import type { TaskRow } from './task-rows.ts';
import { useApprovals } from './use-approvals.ts';
import type { Approvals } from './use-approvals.ts';
import { useApproveAll } from './use-approve-all.ts';

interface Props {
  readonly rows: readonly TaskRow[];
  readonly onClose: () => void;
}

/**
 * Asks before tasks are approved together: lists them, and those that need something first. The same
 * dialog stands while the task forms come.
 */
export function Approval({ rows, onClose }: Props) {
  const t = useText();
  const forms = useTaskForms();
  const { approve, isBusy } = useApproveAll(onClose);
  const now = useApprovals(rows, forms.is === 'here' ? forms.all : null);
  // What is being approved stays listed until that is known.
  const [asked, setAsked] = useState<typeof now | null>(null);
  const { may, mayNot } = (isBusy ? asked : null) ?? now;
  const count = may.length;
  return (
    <Dialog
      title={t('tasks.approve.title')}
      size="medium"
      isBusy={isBusy}
      onClose={onClose}
      actions={
        <>
          <Button disabled={isBusy} onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button
            primary
            loading={isBusy}
            disabled={isBusy || count === 0 || count > limits.bulkMost}
            onClick={() => {
              setAsked(now);
              void approve(may);
            }}
          >
            {forms.is === 'here' ? t('tasks.approve.yes', { count }) : t('commands.approve')}
          </Button>
        </>
      }
    >
      {forms.is === 'here' ? (
        <Listed may={may} mayNot={mayNot} />
      ) : (
        <TaskFormsMissing forms={forms} />
      )}
    </Dialog>
  );
}

function Listed({ may, mayNot }: Approvals) {
  const t = useText();
  const count = may.length;
  return (
    <>
      {count > 0 && <p>{t('tasks.approve.text')}</p>}
      {count > limits.bulkMost && (
        <Note tone="warning">{t('tasks.approve.tooMany', { number: limits.bulkMost })}</Note>
      )}
      <ul className="approve-list">
        {may.map(({ row }) => (
          <li key={row.id}>
            <TaskName row={row} />
          </li>
        ))}
      </ul>
      {mayNot.length > 0 && (
        <Note tone="warning">
          {t('tasks.approve.leftOut', { count: mayNot.length })}
          <ul className="approve-list">
            {mayNot.map(({ row, why }) => (
              <li key={row.id}>
                <TaskName row={row} />
                <div className="caption">{t(`tasks.approve.whyNot.${why}`)}</div>
              </li>
            ))}
          </ul>
        </Note>
      )}
      {count === 0 && mayNot.length === 0 && <p>{t('tasks.approve.nothing')}</p>}
    </>
  );
}

function TaskName({ row }: { readonly row: TaskRow }) {
  const stateName = useStateName();
  return (
    <>
      <bdi className="approve-project">{row.project?.name}</bdi>
      <div className="caption">
        <bdi>{row.definition}</bdi>
        <Dot />
        {stateName(row.state ?? '')}
      </div>
    </>
  );
}
