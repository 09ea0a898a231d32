import type { ComponentType } from 'react';
import { Dialog } from '#ui/overlay/dialog.tsx';
import { LatePart } from './late-part.tsx';

interface Props<P> {
  /** The same function at every render. */
  readonly load: () => Promise<ComponentType<P>>;
  readonly props: P;
  /** The title above the text that it could not be loaded. */
  readonly title: string;
  readonly size?: 'small' | 'right';
}

/** A dialog, or a drawer, whose script comes when it is wanted. */
export function LateDialog<P extends { readonly onClose: () => void }>(late: Props<P>) {
  const { load, props, title, size = 'small' } = late;
  return (
    <LatePart
      load={load}
      props={props}
      frame={(trouble) => (
        <Dialog title={title} size={size} onClose={props.onClose}>
          {trouble}
        </Dialog>
      )}
    />
  );
}
