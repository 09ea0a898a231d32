import { useEffect } from 'react';
import { useViewer } from '#data/react/hooks.ts';
import { readSetting, useUiEnvironment, writeSetting } from '#ui/ui-environment.tsx';
import { recentlyViewedOf } from './use-leave.ts';

/** What the page was about that a person opened. */
export interface ViewedRecord {
  readonly type: 'project' | 'product';
  readonly id: string;
}

/** One more than is offered: the page that is open is not offered. */
const KEPT = 6;

/** Returns the projects and products that the person opened on this device, the last one first. */
export function useRecentlyViewed(): readonly ViewedRecord[] {
  const { storage } = useUiEnvironment();
  const { id } = useViewer();
  const kept = readSetting(storage, recentlyViewedOf(id));
  return Array.isArray(kept) ? kept.filter(isViewedRecord) : [];
}

/** Remembers that the person has opened the page of a record. */
export function useRemembersView(type: ViewedRecord['type'], id: string): void {
  const { storage } = useUiEnvironment();
  const viewed = useRecentlyViewed();
  const { id: user } = useViewer();
  const [last] = viewed;
  const isLast = last?.type === type && last.id === id;
  useEffect(() => {
    if (isLast) return;
    const others = viewed.filter((one) => one.id !== id);
    writeSetting(storage, recentlyViewedOf(user), [{ type, id }, ...others].slice(0, KEPT));
  });
}

function isViewedRecord(value: unknown): value is ViewedRecord {
  if (typeof value !== 'object' || value === null) return false;
  const { type, id } = value as Partial<Record<string, unknown>>;
  return (type === 'project' || type === 'product') && typeof id === 'string';
}
