import { useState } from 'react';
import { isObject } from '#base/is-object.ts';
import { useViewer } from '#data/react/hooks.ts';
import { readSetting, useUiEnvironment, writeSetting } from '#ui/ui-environment.tsx';
import { keptCommentsOf } from '../../app/page/device/use-leave.ts';

/** What is typed in a step; null: nothing was typed there. */
interface Typed {
  readonly text: string | null;
  /** The version and the notes of the release. */
  readonly version: string | null;
  readonly notes: string | null;
}

export interface StepDraft {
  readonly typed: Typed;
  readonly write: (change: Partial<Typed>) => void;
  /** It is kept elsewhere now, or not wanted any more. */
  readonly forget: () => void;
}

const NOTHING: Typed = { text: null, version: null, notes: null };

/**
 * Keeps what is being typed to a product in `state`, on this device until it is sent; it stays in
 * an open page when the product moves on under it. Each product has one draft, with the state that
 * it is about.
 */
export function useStepDraft(product: string, state: string): StepDraft {
  const { storage } = useUiEnvironment();
  const key = keptCommentsOf(useViewer().id);
  const [typed, setTyped] = useState<Typed>(() => read(readSetting(storage, key), product, state));

  const put = (next: Typed) => {
    setTyped(next);
    const all = readSetting(storage, key);
    const drafts = Object.entries(isObject(all) ? all : {}).filter(([of]) => of !== product);
    if (isWorthKeeping(next)) drafts.push([product, { state, ...next }]);
    writeSetting(storage, key, drafts.length === 0 ? null : Object.fromEntries(drafts));
  };
  return {
    typed,
    write: (change) => {
      put({ ...typed, ...change });
    },
    forget: () => {
      put(NOTHING);
    },
  };
}

/** An emptied comment is none; an emptied box of a release is not what was suggested there. */
function isWorthKeeping({ text, version, notes }: Typed): boolean {
  return (text ?? '') !== '' || version !== null || notes !== null;
}

function read(all: unknown, product: string, state: string): Typed {
  const one = isObject(all) ? all[product] : null;
  if (!isObject(one) || one.state !== state) return NOTHING;
  return { text: textIn(one.text), version: textIn(one.version), notes: textIn(one.notes) };
}

const textIn = (value: unknown): string | null => (typeof value === 'string' ? value : null);
