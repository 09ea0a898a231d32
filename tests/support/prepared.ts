import { randomFillSync } from 'node:crypto';
import pino from 'pino';
import { readConfig } from '#server/kernel/config.ts';
import type { Env } from '#server/kernel/config.ts';
import { callerOf } from '#server/domain/accounts/caller.ts';
import { openBuildEngines } from '#server/domain/builds/open-engines.ts';
import { openJobs } from '#server/db/jobs/open-jobs.ts';
import { systemTimers } from '#server/kernel/timers.ts';
import { openLimits } from '#server/db/limits/limits.ts';
import { openMailer } from '#server/kernel/mail/mailer.ts';
import { openAt } from './database.ts';
import type { Place } from './database.ts';
import { freePort } from './free-port.ts';
import { aGroup, aMember, anOrganization, aRecord } from './make.ts';
import { TEST_KEY } from './test-key.ts';
import { tokenFor } from './tokens.ts';

/** A place with someone in it who may make projects there, before any server has started. */
export interface Prepared {
  /** Settings of a server there; several at once on PostgreSQL, each with a port of its own. */
  readonly env: Env;
  /** Good for hours, at every server that is started with `env`. */
  readonly token: string;
  readonly user: string;
  readonly organization: string;
  readonly group: string;
  readonly type: string;
}

/** @param publicUrl where people reach the servers; unless stated, the one at the port of `env` */
export async function prepare(place: Place, publicUrl: string | null = null): Promise<Prepared> {
  const port = String(await freePort());
  const env = {
    PORT: port,
    PUBLIC_URL: publicUrl ?? `http://localhost:${port}`,
    DATA_DIR: place.dataDir,
    DATABASE_URL: place.databaseUrl ?? '',
    DEMO: '0',
    SECRET_KEY: TEST_KEY,
  };
  const config = readConfig(env);
  const clock = Date.now;
  const random = (bytes: Uint8Array) => randomFillSync(bytes);
  const { db, bus, close } = await openAt(place);
  try {
    const mail = openMailer(config, clock, random);
    const log = pino({ level: 'silent' });
    const jobs = openJobs({ db, clock, random, log });
    const engines = await openBuildEngines({ config, db, clock, random, log }, systemTimers);
    const limits = openLimits({ db, clock, timers: systemTimers, failed: () => undefined });
    const parts = { config, db, bus, clock, random, mail, jobs, limits, engines, log };
    const token = await tokenFor(parts, 'builder@press.test', { lastsSeconds: 14_400 });
    const user = (await callerOf(parts, token)).user.id;
    const organization = (await anOrganization(db)).id;
    const group = (await aGroup(db, { owner: organization })).id;
    await limits.stop();
    await aMember(db, organization, { user, roles: ['AppBuilder'], groups: [group] });
    const type = (await aRecord(db, 'applicationType', { name: 'pressed' })).id;
    return { env, token, user, organization, group, type };
  } finally {
    await close();
  }
}
