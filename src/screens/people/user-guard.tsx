import type { ReactNode } from 'react';
import { useParams } from 'react-router-dom';
import type { Of } from '#schema/index.ts';
import type { ChangeState } from '#data/model/change.ts';
import { useChanges, useRecordAnywhere, useViewer } from '#data/react/hooks.ts';
import { NotOnDevice, Skeleton } from '#ui/status/boxes.tsx';
import { Decided } from '../app/page/guards.tsx';
import type { Guard } from '../app/page/guards.tsx';

interface Props {
  /** Says who of those who see the person may enter. */
  readonly guardOf: (user: Of<'user'>) => Guard;
  readonly children: (user: Of<'user'>, change: ChangeState | null) => ReactNode;
}

/** The person that the address names, for those who see them. */
export function SeenUser({ guardOf, children }: Props) {
  const { userId = '' } = useParams();
  const { isSuperAdmin } = useViewer();
  const seen = useRecordAnywhere('user', userId, isSuperAdmin);
  const { state, record, change, isUnanswered } = seen;
  const { status, sendNow } = useChanges();
  if (state === 'loading') return <Skeleton rows={4} />;
  if (record === null && (isUnanswered || (state === 'not-here' && status === 'offline')))
    return <NotOnDevice isPage onTryAgain={sendNow} />;
  return (
    <Decided guard={record === null ? unseen : guardOf(record)} project={null}>
      {record !== null && children(record, change)}
    </Decided>
  );
}

/** A person that one does not see is not there. */
const unseen: Guard = () => 'forbidden';
