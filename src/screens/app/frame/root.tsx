import { Outlet, ScrollRestoration } from 'react-router-dom';
import { Toasts } from '#ui/overlay/toasts.tsx';
import { UpdateToast } from './update-toast.tsx';
import { useAppearance } from './use-appearance.ts';

/** Around every page, signed in or not. */
export function Root() {
  useAppearance();
  return (
    <Toasts>
      <UpdateToast />
      <Outlet />
      <ScrollRestoration />
    </Toasts>
  );
}
