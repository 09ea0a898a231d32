import type { ReactNode } from 'react';
import { Button } from '#ui/form/button.tsx';

/** Loads the page anew: what leads on where nothing in it can. */
export function ReloadButton({ children }: { readonly children: ReactNode }) {
  return (
    <Button
      primary
      onClick={() => {
        location.reload();
      }}
    >
      {children}
    </Button>
  );
}
