import type { Of } from '#schema/index.ts';
import type { IconName } from '#ui/picture/icon.tsx';

/** Somewhere to go, or something to do. */
export interface PaletteMatch {
  /** Differs from that of every other one. */
  readonly key: string;
  readonly leads: { readonly to: string } | { readonly run: () => void };
  readonly title: string;
  readonly icon: IconName;
  /** Says whose it is, where the title does not say enough. */
  readonly detail?: string;
  /** Shows the status of this product beside it. */
  readonly product?: Of<'product'>;
}
