import { createContext, useContext } from 'react';
import type { Data } from '../model/data.ts';

export const DataContext = createContext<Data | null>(null);

/** The local copy of everything; actions take it as their first argument. */
export function useData(): Data {
  const data = useContext(DataContext);
  if (data === null) throw new Error('useData needs a DataProvider above it');
  return data;
}
