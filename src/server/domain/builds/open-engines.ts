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
  /** Begins nothing before it is opened, and must be closed then. */
  readonly bundled: BundledEngine;
}

const small: BuildLimits = { timeMs: 10 * 60_000, memoryMb: 1_024, diskMb: 2_048 };
const medium: BuildLimits = { timeMs: 30 * 60_000, memoryMb: 2_048, diskMb: 4_096 };

/** What a build may take is a property of its product. */
const inProcess: Build = (order, heard, signal) => {
  const limits = order.environment.BUILD_COMPUTE_TYPE === 'medium' ? medium : small;
  return runBuild(order, limits, heard, signal);
};

/** The build engines need this much of the server. */
interface EngineParts {
  readonly config: Config;
  readonly db: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
}

/** Every build engine that organizations of this installation may use. */
export async function openBuildEngines(parts: EngineParts, timers: Timers): Promise<OpenedEngines> {
  const bundled = openBundledEngine({
    ...parts,
    timers,
    build: inProcess,
    identityOf: (product, environment) => identityOf(parts, product, environment),
  });
  const reach = createOutboundFetch({ hosts: parts.config.engine.hosts, timers });
  return { bundled, ...(await openEngines({ ...parts, reach, bundled })) };
}
