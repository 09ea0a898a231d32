import type { Logger } from 'pino';
import type { Clock, Random } from '#base/id.ts';
import type { Database } from '../../db/database.ts';
import type { Config } from '../../kernel/config.ts';
import type { Timers } from '#base/timers.ts';
import type { Build } from '#engine/queue/building.ts';
import { openBundledEngine } from '#engine/bundled-engine.ts';
import type { BundledEngine } from '#engine/bundled-engine.ts';
import { identityOf } from './app-identity.ts';
import { createOutboundFetch } from './client/outbound-fetch.ts';
import { runBuild } from '#engine/build/runner.ts';
import type { BuildLimits } from '#engine/build/runner.ts';
import { openEngines } from './which-engine.ts';
import type { Engines } from './which-engine.ts';

export interface OpenedEngines extends Engines {
  /** The bundled engine begins nothing before it is opened, and must be closed then. */
  readonly bundled: BundledEngine;
}

const small: BuildLimits = { timeMs: 10 * 60_000, memoryMb: 1_024, diskMb: 2_048 };
const medium: BuildLimits = { timeMs: 30 * 60_000, memoryMb: 2_048, diskMb: 4_096 };

/** The limits of a build are a property of its product. */
const inProcess: Build = (order, onLine, signal) => {
  const limits = order.environment.BUILD_COMPUTE_TYPE === 'medium' ? medium : small;
  return runBuild(order, limits, onLine, signal);
};

/** The build engines need this much of the server. */
interface EngineServices {
  readonly config: Config;
  readonly db: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
}

/** Opens every build engine that organizations of this installation may use. */
export async function openBuildEngines(
  services: EngineServices,
  timers: Timers,
): Promise<OpenedEngines> {
  const bundled = openBundledEngine({
    ...services,
    timers,
    build: inProcess,
    identityOf: (product, environment) => identityOf(services, product, environment),
  });
  const outboundFetch = createOutboundFetch({ hosts: services.config.engine.hosts, timers });
  return { bundled, ...(await openEngines({ ...services, outboundFetch, bundled })) };
}
