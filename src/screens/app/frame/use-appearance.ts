import { useEffect } from 'react';
import { useSetting } from '#ui/ui-environment.tsx';

export type Appearance = 'light' | 'dark' | 'system';
export const APPEARANCES = ['light', 'dark', 'system'] as const;

const KEY = 'slipway.appearance';

function isAppearance(value: unknown): value is Appearance {
  return APPEARANCES.some((appearance) => appearance === value);
}

/** Light, dark, or as the system has it; kept on this device. */
export function useAppearance(): [Appearance, (appearance: Appearance) => void] {
  const [appearance, set] = useSetting<Appearance>(KEY, 'system', isAppearance);
  useEffect(() => {
    if (appearance === 'system') delete document.documentElement.dataset.appearance;
    else document.documentElement.dataset.appearance = appearance;
  }, [appearance]);
  return [appearance, set];
}
