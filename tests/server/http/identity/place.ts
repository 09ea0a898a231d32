import { randomFillSync } from 'node:crypto';
import fastify from 'fastify';
import { pino } from 'pino';
import { newId } from '#base/id.ts';
import { readConfig } from '#server/kernel/config.ts';
import type { Env } from '#server/kernel/config.ts';
import { answerProblem } from '#server/http/problems.ts';
import { bearerOf, callerOf } from '#server/domain/accounts/caller.ts';
import { identityRoutes } from '#server/http/identity/identity-routes.ts';
import { openBuildEngines } from '#server/domain/builds/open-engines.ts';
import { openJobs } from '#server/db/jobs/open-jobs.ts';
import { systemTimers } from '#server/kernel/timers.ts';
import { openLimits } from '#server/db/limits/limits.ts';
import type { Mail } from '#server/kernel/mail/mail-templates.ts';
import type { Services } from '#server/domain/services.ts';
import { testDatabase } from '../../../support/database.ts';
import type { TestDatabase } from '../../../support/database.ts';
import { freePort } from '../../../support/free-port.ts';

export interface Place {
  readonly server: string;
  readonly parts: Services;
  /** Moves the clock of sign-in on. */
  wait(ms: number): void;
  /** The next mail to `address`, once it is sent. */
  mailTo(address: string): Promise<Mail>;
  readonly mails: readonly Mail[];
  close(): Promise<void>;
}

/** Sign-in alone, listening; on the database of the run unless another is given. */
export async function openPlace(env: Env = {}, database?: TestDatabase): Promise<Place> {
  const { db, bus } = database ?? (await testDatabase());
  const port = await freePort();
  const config = readConfig({ PORT: String(port), DEMO: '0', ...env });
  let waited = 0;
  const clock = () => Date.now() + waited;
  const random = (bytes: Uint8Array) => randomFillSync(bytes);
  const mails = new Mails();
  const log = pino({ level: 'silent' });
  const jobs = openJobs({ db, clock, random, log });
  const engines = await openBuildEngines({ config, db, clock, random, log }, systemTimers);
  const failed = () => undefined;
  const limits = openLimits(
    { db, clock, timers: systemTimers, failed },
    { installation: newId(clock, random) },
  );
  const services: Services = {
    config,
    db,
    bus,
    clock,
    random,
    log,
    mail: mails,
    jobs,
    limits,
    engines,
  };

  const app = fastify({ genReqId: () => newId(clock, random) });
  app.setErrorHandler(answerProblem);
  await app.register((scope) => identityRoutes(scope, services));
  app.get('/whoami', async (request) => {
    const { user, viewer, expiresAt } = await callerOf(services, bearerOf(request));
    return { user, isSuperAdmin: viewer.isSuperAdmin, expiresAt };
  });
  await app.listen({ port, host: '127.0.0.1' });

  return {
    server: `http://127.0.0.1:${port}`,
    parts: services,
    mails: mails.all,
    mailTo: (address) => mails.next(address),
    wait: (ms) => {
      waited += ms;
    },
    close: async () => {
      await app.close();
      await limits.stop();
    },
  };
}

/** Collects mail instead of sending it. */
class Mails {
  readonly all: Mail[] = [];
  private readonly read = new Set<Mail>();
  private readonly waiting = new Set<() => void>();

  send(mail: Mail): Promise<void> {
    this.all.push(mail);
    for (const wake of this.waiting) wake();
    return Promise.resolve();
  }

  forget(): Promise<void> {
    return Promise.resolve();
  }

  async next(address: string): Promise<Mail> {
    for (;;) {
      const found = this.all.find((mail) => mail.to === address && !this.read.has(mail));
      if (found !== undefined) {
        this.read.add(found);
        return found;
      }
      await new Promise<void>((wake) => this.waiting.add(wake));
    }
  }

  close(): void {
    this.waiting.clear();
  }
}
