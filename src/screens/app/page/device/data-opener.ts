import { createContext, useContext, useMemo } from 'react';
import type { Data } from '#data/model/data.ts';

/** Opens the local copy of the user named; the same one while it is the same user. */
export type OpenData = (userId: string) => Data;

export const OpenDataContext = createContext<OpenData | null>(null);

export function useDataOf(userId: string): Data {
  const open = useContext(OpenDataContext);
  if (open === null) throw new Error('Nothing says how to open the local copy');
  return useMemo(() => open(userId), [open, userId]);
}
