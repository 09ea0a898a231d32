import { useState } from 'react';
import type { ReactNode } from 'react';
import type { ListView } from '#data/model/views.ts';
import { useList, useRecord } from '#data/react/hooks.ts';
import { Switch } from '#ui/form/switch.tsx';
import { Skeleton } from '#ui/status/boxes.tsx';
import { useText } from '#ui/text/text.ts';
import { badgeOf, recordMarks } from './changes/record-badge.tsx';
import { NotHere } from './device/not-here.tsx';
import { useSaved } from './changes/use-saved.ts';
import { useAttempt } from './use-attempt.ts';
import { useOneAtATime } from './use-one-at-a-time.ts';
import './held-switch.css';

/**
 * The switches of all that can be held, once the copy on this device is whole. It is read and loaded
 * kind by kind: before, a switch would say that it is off, and who presses it would hold it twice.
 */
export function HeldSwitches({ children }: { readonly children: ReactNode }) {
  switch (useCompleteness()) {
    case 'ready':
      return <div className="held-switches">{children}</div>;
    case 'not-here':
      return <NotHere />;
    case 'loading':
    case 'error':
      return <Skeleton rows={3} />;
  }
}

/** How whole the copy on this device is: of a list without records, its state says that. */
function useCompleteness(): ListView<'group'>['state'] {
  return useList('group', { owner: '' }).state;
}

interface HeldSwitchProps {
  /** The kind of record that says that it is held. */
  readonly type:
    'userRole' | 'groupMembership' | 'organizationProductDefinition' | 'organizationStore';
  readonly label: string;
  readonly help?: string | undefined;
  /** The id of the record that says so; null: it is not held. */
  readonly held: string | null;
  readonly onChange: (isOn: boolean) => void;
}

/** A switch of something that is held or not; says when that is not in force yet. */
export function HeldSwitch({ type, label, help, held, onChange }: HeldSwitchProps) {
  const t = useText();
  // What was just taken away is known by its id until that is sent.
  const [last, setLast] = useState(held);
  if (held !== null && held !== last) setLast(held);
  const { change } = useRecord(type, last);
  const isPending = badgeOf(change) !== null;
  return (
    <div {...(last === null ? {} : recordMarks({ type, id: last, change }))}>
      <Switch
        label={label}
        help={isPending ? t('users.notYetInForce') : help}
        isOn={held !== null}
        onChange={onChange}
      />
    </div>
  );
}

/** Gives or takes at once, says so by `success`, and has a way back. Each switch is a `setting`. */
export function useSwitching(success: (isOn: boolean) => string) {
  const t = useText();
  const attempt = useAttempt();
  const saved = useSaved();
  type Act = () => Promise<() => Promise<unknown>>;
  return useOneAtATime(async (isOn: boolean, act: Act, setting?: string) => {
    let undo: () => Promise<unknown> = () => Promise.resolve();
    const isDone = await attempt(t('errors.generic'), async () => {
      undo = await act();
    });
    if (!isDone) return;
    saved({
      success: success(isOn),
      undo: () => void attempt(t('errors.generic'), undo),
      ...(setting === undefined ? {} : { setting }),
    });
  });
}
