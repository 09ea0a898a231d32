import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { isUuid } from '#base/id.ts';
import { isObject } from '#base/is-object.ts';
import { jobPaths } from '#protocol/jobs.ts';
import type { JobLists, JobPart, JobSummary } from '#protocol/jobs.ts';
import { limits } from '#protocol/limits.ts';
import { ProblemError } from '#protocol/problem.ts';
import type { DatabaseTransaction } from '../../../db/database.ts';
import type { ListedJob } from '../../../db/jobs/job-queue.ts';
import type { Services } from '../../../domain/services.ts';
import { idIn, routeHandler } from '../api-request.ts';
import type { ApiHandler, ApiRequest } from '../api-request.ts';
import { handleCall } from '../handle-call.ts';
import { narrowingIn } from '../headers.ts';

/** What the server does in the background, for super admins (wire 11.14). */
export function jobRoutes(app: FastifyInstance, services: Services): void {
  const config = { media: 'json' } as const;
  app.route({
    method: 'GET',
    url: jobPaths.list,
    config,
    handler: routeHandler(services, list),
  });
  app.route({
    method: 'POST',
    url: jobPaths.runAgain(':id'),
    config,
    handler: routeHandler(services, runAgain),
  });
}

const list: ApiHandler = async ({ services, caller, request }): Promise<JobLists> => {
  await narrowingIn(services, caller, request);
  if (!caller.viewer.isSuperAdmin) throw new ProblemError({ code: 'forbidden' });
  return services.db.read(async (tx) => ({
    failed: await partOf(services, tx, true),
    waiting: await partOf(services, tx, false),
  }));
};

interface RunAgain {
  readonly name: string;
}

/** Tries a failed job at once. To ask twice is no harm: what runs or is due stays as it is. */
async function runAgain(apiRequest: ApiRequest): Promise<RunAgain> {
  const { services, request } = apiRequest;
  return handleCall(apiRequest, async ({ write, viewer }) => {
    if (!viewer.isSuperAdmin) throw new ProblemError({ code: 'forbidden' });
    const found = await services.jobs.runAgain(write, idIn(request));
    if (found === null) throw new ProblemError({ code: 'not-found' });
    const { name, isBroughtForward } = found;
    if (isBroughtForward)
      write.audit({ kind: 'job-run-again', subject: null, before: null, after: { job: name } });
    return { name };
  });
}

async function partOf(
  { jobs }: Services,
  tx: DatabaseTransaction,
  isFailed: boolean,
): Promise<JobPart> {
  const { jobs: found, total } = await jobs.list(tx, { isFailed, limit: limits.jobsListed });
  const products = await productsOf(tx, found);
  return { jobs: found.map((job) => summaryOf(job, products)), total };
}

/** The data of a job stays here: a mail has its text, and links that open something. */
function summaryOf(job: ListedJob, products: ReadonlyMap<string, string>): JobSummary {
  const { id, name, isRunning, failures, trouble, failedAt, dueAt } = job;
  return {
    ...{ id, name, isRunning, failures, trouble, failedAt, dueAt },
    subject: subjectOf(job, products),
  };
}

function subjectOf(job: ListedJob, products: ReadonlyMap<string, string>): JobSummary['subject'] {
  const project = idAt(job, 'project');
  if (project !== null) return { type: 'projects', id: project };
  const part = idAt(job, 'build') ?? idAt(job, 'publication');
  const product = idAt(job, 'product') ?? (part === null ? null : (products.get(part) ?? null));
  if (product !== null) return { type: 'products', id: product };
  const user = idAt(job, 'user');
  return user === null ? null : { type: 'users', id: user };
}

/** The products of the builds and publications that the jobs are about. */
async function productsOf(
  tx: DatabaseTransaction,
  jobs: readonly ListedJob[],
): Promise<ReadonlyMap<string, string>> {
  const of = (field: string) => jobs.flatMap((job) => idAt(job, field) ?? []);
  const rows = await tx.query(sql<{ readonly id: string; readonly product: string }>`
    select id, product_id as product from product_builds where id = any(${of('build')}::uuid[])
    union all
    select id, product_id from product_publications
      where id = any(${of('publication')}::uuid[])`);
  return new Map(rows.map(({ id, product }) => [id, product]));
}

function idAt({ data }: ListedJob, field: string): string | null {
  const value = isObject(data) ? data[field] : null;
  return isUuid(value) ? value : null;
}
