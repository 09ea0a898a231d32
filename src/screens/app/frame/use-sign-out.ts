import { useChanges } from '#data/react/hooks.ts';
import { useLeave } from '../page/device/use-leave.ts';

/** Leaves; with changes that were not sent, `ask` opens what asks about them. */
export function useSignOut(ask: () => void): () => void {
  const leave = useLeave();
  const { waiting, attention } = useChanges();
  return () => {
    if (waiting + attention > 0) ask();
    else void leave();
  };
}
