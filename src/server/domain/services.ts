import type { Logger } from 'pino';
import type { Clock, Random } from '#base/id.ts';
import type { OpenedEngines } from './builds/open-engines.ts';
import type { Bus } from '../kernel/bus/bus.ts';
import type { Config } from '../kernel/config.ts';
import type { Database } from '../db/database.ts';
import type { Jobs } from '../db/jobs/jobs.ts';
import type { RateLimiter } from '../db/limits/limits.ts';
import type { Mailer } from '../kernel/mail/mailer.ts';

/** The services that every module of the server receives. */
export interface Services {
  readonly config: Config;
  readonly db: Database;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly mail: Mailer;
  readonly jobs: Jobs;
  readonly limits: RateLimiter;
  readonly engines: OpenedEngines;
}
