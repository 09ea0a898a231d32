import type { ReactNode } from 'react';
import { useParams } from 'react-router-dom';
import type { Of } from '#schema/index.ts';
import type { ChangeState } from '#data/model/change.ts';
import { Decided, everyone, Found } from '../app/page/guards.tsx';
import type { Guard } from '../app/page/guards.tsx';

interface Props {
  /** Says who of those who see the person may enter. */
  readonly guardOf: (user: Of<'user'>) => Guard;
  readonly children: (user: Of<'user'>, change: ChangeState | null) => ReactNode;
}

/** The person that the address names, for those who see them. */
export function SeenUser({ guardOf, children }: Props) {
  const { userId = '' } = useParams();
  return (
    <Found type="user" id={userId} guard={everyone}>
      {(user, change) => (
        <Decided guard={guardOf(user)} project={null}>
          {children(user, change)}
        </Decided>
      )}
    </Found>
  );
}
