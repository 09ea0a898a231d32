import type { FastifyInstance, FastifyReply } from 'fastify';
import { sql } from 'kysely';
import { paths } from '#protocol/paths.ts';
import type { Services } from '../../../domain/services.ts';

const options = { config: { access: 'public', media: 'json' } } as const;
const ANSWERS_WITHIN_MS = 5_000;

/** `GET /api/health/live`, `/ready` and `/api/health` (wire 11.1). */
export function healthRoutes(
  app: FastifyInstance,
  services: Services,
  isStopping: () => boolean,
): void {
  app.get(paths.live, options, () => ({ status: 'ok' }));

  const ready = async (_: unknown, reply: FastifyReply) => {
    const database = await databaseAnswers(services);
    // Waiting jobs are in the database and this process runs them: one fails with the other.
    const jobs = database && !isStopping();
    if (!database || !jobs) void reply.code(503).header('Retry-After', '5');
    const word = (isWell: boolean) => (isWell ? 'ok' : 'failed');
    return {
      status: word(database && jobs),
      checks: { database: word(database), jobs: word(jobs) },
    };
  };
  app.get(paths.ready, options, ready);
  app.get('/api/health', options, ready);
}

async function databaseAnswers({ db, log }: Services): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => {
      fail(new Error('The database did not answer in time'));
    }, ANSWERS_WITHIN_MS);
  });
  try {
    await Promise.race([db.read((tx) => tx.query(sql`select 1`)), late]);
    return true;
  } catch (error) {
    log.warn({ err: error }, 'The database does not answer');
    return false;
  } finally {
    clearTimeout(timer);
  }
}
