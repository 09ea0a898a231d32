import { useState } from 'react';
import { limits } from '#protocol/limits.ts';
import type { Of } from '#schema/index.ts';
import { removeProduct } from '#data/actions/products.ts';
import { useData } from '#data/react/hooks.ts';
import { useUiEnvironment } from '#ui/ui-environment.tsx';
import { useText } from '#ui/text/text.ts';
import { useSaved } from '../../app/page/changes/use-saved.ts';
import { useAttempt } from '../../app/page/use-attempt.ts';

export interface Removing {
  readonly remove: (product: Of<'product'>, name: string) => Promise<void>;
  /** Definitions of what was removed and is not yet sent: adding them again would come too early. */
  readonly heldBack: ReadonlySet<string>;
}

/** Removes products from `project`, each with its way back for 8 s. */
export function useRemoving(project: Of<'project'>): Removing {
  const t = useText();
  const data = useData();
  const { later } = useUiEnvironment();
  const attempt = useAttempt();
  const saved = useSaved();
  const [heldBack, setHeldBack] = useState<ReadonlySet<string>>(new Set());

  const hold = (definition: string, isHeld: boolean) => {
    setHeldBack((all) => {
      const rest = [...all].filter((other) => other !== definition);
      return new Set(isHeld ? [...rest, definition] : rest);
    });
  };
  const remove: Removing['remove'] = async (product, name) => {
    const { productDefinition: definition } = product;
    let back: () => Promise<void> = () => Promise.resolve();
    const names = { product: name, project: project.name };
    const isDone = await attempt(t('errors.generic'), async () => {
      back = await removeProduct(data, product, names);
    });
    if (!isDone) return;
    hold(definition, true);
    later(() => {
      hold(definition, false);
    }, limits.removalHeldMs);
    saved({
      success: t('products.removed', { name }),
      undo: () => {
        hold(definition, false);
        void attempt(t('errors.generic'), back);
      },
    });
  };
  return { remove, heldBack };
}
