import { useState } from 'react';
import { isObject } from '#base/is-object.ts';
import { useViewer } from '#data/react/hooks.ts';
import { writeSetting, readSetting, useUiEnvironment } from '#ui/ui-environment.tsx';
import { keptCommentsOf } from '../../app/page/device/use-leave.ts';

interface Comment {
  readonly text: string;
  readonly write: (text: string) => void;
  /** It is kept elsewhere now, or not wanted any more. */
  readonly forget: () => void;
}

/** The comments by product: one each, with the state that it is about. */
type Comments = Readonly<Record<string, unknown>>;

/**
 * Keeps what is being typed to a product in `state`, on this device until it is sent; it stays in
 * an open page when the product moves on under it.
 *
 * @param before what stands there until something is typed
 */
export function useComment(product: string, state: string, before: string): Comment {
  const { storage } = useUiEnvironment();
  const key = keptCommentsOf(useViewer().id);
  const [typed, setTyped] = useState<string | null>(() =>
    read(readSetting(storage, key), product, state),
  );

  const put = (text: string) => {
    const all = readSetting(storage, key);
    const comments: Comments = { ...(isObject(all) ? all : {}), [product]: { state, text } };
    const typed = Object.entries(comments).filter(([, one]) => isObject(one) && one.text !== '');
    writeSetting(storage, key, typed.length === 0 ? null : Object.fromEntries(typed));
  };
  return {
    text: typed ?? before,
    write: (text) => {
      setTyped(text);
      put(text);
    },
    forget: () => {
      setTyped(null);
      put('');
    },
  };
}

function read(all: unknown, product: string, state: string): string | null {
  const one = isObject(all) ? all[product] : null;
  return isObject(one) && one.state === state && typeof one.text === 'string' ? one.text : null;
}
