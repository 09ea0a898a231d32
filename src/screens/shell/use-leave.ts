import { signOut } from '#session/sign-in.tsx';
import { useData } from '#data/use-data.ts';

/** Leaves nothing of the person on this device. */
export function useLeave(): () => Promise<void> {
  const data = useData();
  return async () => {
    await data.clear();
    await signOut();
  };
}
