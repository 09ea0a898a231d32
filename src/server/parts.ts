import type { Logger } from 'pino';
import type { Clock, Random } from '#base/id.ts';
import type { OpenedEngines } from './builds/open.ts';
import type { Bus } from './bus/bus.ts';
import type { Config } from './config.ts';
import type { Database } from './database/database.ts';
import type { Jobs } from './jobs/jobs.ts';
import type { Limits } from './limits/limits.ts';
import type { Mailer } from './mail/mailer.ts';

/** What every piece of the server is given. */
export interface Parts {
  readonly config: Config;
  readonly db: Database;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly mail: Mailer;
  readonly jobs: Jobs;
  readonly limits: Limits;
  readonly engines: OpenedEngines;
}
