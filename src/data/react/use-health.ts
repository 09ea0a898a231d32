import type { Health, HealthActions } from '../model/views.ts';
import { useSyncExternalStore } from 'react';
import { useData } from './use-data.ts';

export function useHealth(): Health & HealthActions {
  const { health } = useData();
  const view = useSyncExternalStore(health.subscribe, health.view);
  return { ...view, acknowledge: health.acknowledge, freeSpace: health.freeSpace };
}
