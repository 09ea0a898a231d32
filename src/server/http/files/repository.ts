import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { FileLink, Uploaded } from '#protocol/file-paths.ts';
import { limits } from '#protocol/limits.ts';
import { invalid, ProblemError } from '#protocol/problem.ts';
import { mayDownloadRepository, mayUploadRepository } from '#rules/project.ts';
import type { Of } from '#schema/index.ts';
import { routeHandler } from '../api/api-request.ts';
import type { ApiHandler, ApiRequest } from '../api/api-request.ts';
import { checkContent } from '#engine/content/check.ts';
import { ContentRefused } from '#engine/content/refusal.ts';
import type { Content } from '#engine/repositories.ts';
import { writeSample } from '#engine/sample/sample.ts';
import { callerIn } from '../caller-in.ts';
import type { Services } from '../../domain/services.ts';
import { noteAccess, rebuildAll } from './accessed.ts';
import { repositoryIn } from './repository-of.ts';
import type { Repository } from './repository-of.ts';
import { lockUploads, evictOldUploads } from './upload-quota.ts';
import { sendFile } from './send.ts';
import type { Sent } from '../../domain/files/tickets.ts';
import { issueTicket } from '../../domain/files/tickets.ts';
import {
  contentAt,
  countChanges,
  filenameIn,
  noteUpload,
  numberIn,
  tagOf,
  uploadsOf,
} from './uploads.ts';

const URL = '/api/projects/:id/repository';

/** The content of a project that the bundled engine builds from (wire 12). */
export function repositoryRoutes(app: FastifyInstance, services: Services): void {
  const asJson = (method: 'GET' | 'POST', url: string, answer: ApiHandler) =>
    app.route({ method, url, config: { media: 'json' }, handler: routeHandler(services, answer) });

  app.route({
    method: ['GET', 'HEAD'],
    url: URL,
    compress: false,
    handler: (request, reply) => download({ services, request, reply, caller: callerIn(request) }),
  });
  app.route({
    method: 'PUT',
    url: URL,
    config: { takes: 'application/zip', bodyBytes: limits.repositoryBytes },
    handler: routeHandler(services, upload),
  });
  asJson('GET', `${URL}/link`, link);
  asJson('GET', `${URL}/uploads`, list);
  asJson('GET', `${URL}/uploads/:number/link`, linkToOne);
  asJson('POST', `${URL}/sample`, startFromSample);
}

async function download(apiRequest: ApiRequest): Promise<FastifyReply> {
  const { project, content } = await newestIn(apiRequest);
  const { request, reply } = apiRequest;
  if (request.method === 'GET') await noteAccess(apiRequest, project.id, 'Project Download');
  // An access is recorded as a whole: a part of it would be one more.
  delete request.headers.range;
  return sendFile(request, reply, sentOf(project.name, content), tagOf(content));
}

const link: ApiHandler = async (apiRequest) => {
  const { project, content } = await newestIn(apiRequest);
  return linkTo(apiRequest, project, content, project.name);
};

/** An upload that others came after is called by its number. */
const linkToOne: ApiHandler = async (apiRequest) => {
  const { project, place } = await repositoryIn(apiRequest, mayDownloadRepository);
  const { number } = apiRequest.request.params as { readonly number: string };
  const content = await contentAt(apiRequest.services.engines, place, numberIn(number) ?? 0);
  if (content === null) throw new ProblemError({ code: 'not-found' });
  return linkTo(apiRequest, project, content, `${project.name} ${number}`);
};

async function linkTo(
  apiRequest: ApiRequest,
  { id }: Of<'project'>,
  content: Content,
  name: string,
): Promise<FileLink> {
  const sent = sentOf(name, content);
  const ticket = await issueTicket(apiRequest.services, sent);
  // The one who follows the link is not known any more; the one who asked for it is.
  await noteAccess(apiRequest, id, 'Project Download');
  return { ...ticket, filename: sent.filename, sizeBytes: content.sizeBytes };
}

/** Returns all uploads that are kept, newest first. */
const list: ApiHandler = async (
  apiRequest,
): Promise<{ readonly uploads: readonly Uploaded[] }> => ({
  uploads: await uploadsOf(
    apiRequest.services,
    await repositoryIn(apiRequest, mayDownloadRepository),
  ),
});

const upload: ApiHandler = async (apiRequest) => {
  const { request, reply } = apiRequest;
  const repository = await repositoryIn(apiRequest, mayUploadRepository);
  await requireMatch(apiRequest, repository);
  const body = request.body as AsyncIterable<Uint8Array> | undefined;
  if (body === undefined) throw new ProblemError(invalid('/', 'shape', { reason: 'not-a-zip' }));
  const content = await take(apiRequest, repository, {
    body,
    // Somebody else's may have come while this one did.
    require: () => requireMatch(apiRequest, repository),
    facts: { filename: filenameIn(request.headers['content-disposition']), ...AS_IT_CAME },
  });
  void reply.header('ETag', tagOf(content));
};

const AS_IT_CAME = { isSample: false, restored: null };

/** Adds content to begin with, but never over what somebody made. */
const startFromSample: ApiHandler = async (apiRequest) => {
  const repository = await repositoryIn(apiRequest, mayUploadRepository);
  await requireNothing(apiRequest, repository);
  const folder = await mkdtemp(join(tmpdir(), 'slipway-sample-'));
  try {
    const path = join(folder, 'sample.zip');
    await writeSample(path);
    await take(apiRequest, repository, {
      body: createReadStream(path),
      require: () => requireNothing(apiRequest, repository),
      facts: { filename: null, isSample: true, restored: null },
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return { uploads: await uploadsOf(apiRequest.services, repository) };
};

interface IncomingUpload {
  readonly body: AsyncIterable<Uint8Array>;
  /** Checks what must still hold once all of it is here. @throws ProblemError */
  readonly require: () => Promise<void>;
  readonly facts: Omit<Parameters<typeof noteUpload>[3], 'changes'>;
}

/** Stores content as the newest. @throws ProblemError 413, 422 */
export async function take(
  apiRequest: ApiRequest,
  repository: Repository,
  { body, require, facts }: IncomingUpload,
): Promise<Content> {
  const { services, caller } = apiRequest;
  const { project, place } = repository;
  const content = await services.engines.bundled.repositories
    .add(place, body, checkContent, (sizeBytes, keep) =>
      // Only `tx` uses the database here, and the work with files is over at once.
      services.db.transact(async (tx) => {
        await lockUploads(tx, repository);
        await require();
        await evictOldUploads(tx, services, repository, sizeBytes);
        return keep();
      }),
    )
    .catch((error: unknown) => {
      throw error instanceof ContentRefused ? refusalOf(error) : error;
    });
  const changes = await countChanges(services.engines, place, content);
  await noteAccess(apiRequest, project.id, 'Project Upload', async (context, id) => {
    await noteUpload(context, id, content, { ...facts, changes });
    await rebuildAll(context, id);
  });
  services.log.info({ project: project.id, by: caller.user.id }, 'Content was uploaded');
  return content;
}

function refusalOf({ message, reason, entry }: ContentRefused): ProblemError {
  const meta = { reason, ...(entry === null ? {} : { entry }) };
  return new ProblemError({ ...invalid('/', 'shape', meta), detail: message });
}

/** Checks `If-Match`, by which a client replaces only what it knows. @throws ProblemError 412 */
export async function requireMatch(
  { services, request }: ApiRequest,
  { place }: Repository,
): Promise<void> {
  const header = request.headers['if-match'];
  if (header === undefined) return;
  const newest = await services.engines.bundled.repositories.newest(place);
  const tags = header.split(',').map((tag) => tag.trim());
  if (newest === null || !(tags.includes('*') || tags.includes(tagOf(newest))))
    throw new ProblemError({ code: 'precondition-failed' });
}

/** @throws ProblemError 409 */
async function requireNothing({ services }: ApiRequest, { place }: Repository): Promise<void> {
  const newest = await services.engines.bundled.repositories.newest(place);
  if (newest !== null)
    throw new ProblemError({ code: 'action-not-allowed', meta: { reason: 'has-content' } });
}

function sentOf(name: string, { path }: Content): Sent {
  return { path, filename: `${name}.zip`, contentType: 'application/zip', isInline: false };
}

async function newestIn(apiRequest: ApiRequest) {
  const { project, place } = await repositoryIn(apiRequest, mayDownloadRepository);
  const content = await apiRequest.services.engines.bundled.repositories.newest(place);
  if (content === null) throw new ProblemError({ code: 'not-found' });
  return { project, content };
}
