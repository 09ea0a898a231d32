import type { Bus } from '../../kernel/bus/bus.ts';
import { localBus } from '../../kernel/bus/local-bus.ts';
import { postgresBus } from './postgres-bus.ts';

/**
 * Opens the bus that fits the database.
 *
 * @param broken called whenever the connection to the others was cut; it is made again by itself
 */
export function openBus(databaseUrl: string | null, broken: (error: Error) => void): Bus {
  return databaseUrl === null ? localBus() : postgresBus(databaseUrl, broken);
}
