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
import { contentAt, filenameIn, noteUpload, tagOf, uploadsOf } from './uploads.ts';

const URL = '/api/projects/:id/repository';

/** The content of a project that the bundled engine builds from (wire 12). */
export function repositoryRoutes(app: FastifyInstance, parts: Services): void {
  const asJson = (method: 'GET' | 'POST', url: string, answer: ApiHandler) =>
    app.route({ method, url, config: { media: 'json' }, handler: routeHandler(parts, answer) });

  app.route({
    method: ['GET', 'HEAD'],
    url: URL,
    compress: false,
    handler: (request, reply) =>
      download({ services: parts, request, reply, caller: callerIn(request) }),
  });
  app.route({
    method: 'PUT',
    url: URL,
    config: { takes: 'application/zip', bodyBytes: limits.repositoryBytes },
    handler: routeHandler(parts, upload),
  });
  asJson('GET', `${URL}/link`, link);
  asJson('GET', `${URL}/uploads`, list);
  asJson('GET', `${URL}/uploads/:number/link`, linkToOne);
  asJson('POST', `${URL}/sample`, startFromSample);
}

async function download(asked: ApiRequest): Promise<FastifyReply> {
  const { project, content } = await newestIn(asked);
  const { request, reply } = asked;
  if (request.method === 'GET') await noteAccess(asked, project.id, 'Project Download');
  // An access is told of whole: a part of it would be one more.
  delete request.headers.range;
  return sendFile(request, reply, sentOf(project.name, content), tagOf(content));
}

const link: ApiHandler = async (asked) => {
  const { project, content } = await newestIn(asked);
  return linkTo(asked, project, content, project.name);
};

/** An upload that others came after is called by its number. */
const linkToOne: ApiHandler = async (asked) => {
  const { project, place } = await repositoryIn(asked, mayDownloadRepository);
  const { number } = asked.request.params as { readonly number: string };
  const wanted = /^[1-9]\d{0,8}$/.test(number) ? Number(number) : 0;
  const content = await contentAt(asked.services.engines, place, wanted);
  if (content === null) throw new ProblemError({ code: 'not-found' });
  return linkTo(asked, project, content, `${project.name} ${number}`);
};

async function linkTo(
  asked: ApiRequest,
  { id }: Of<'project'>,
  content: Content,
  name: string,
): Promise<FileLink> {
  const sent = sentOf(name, content);
  const ticket = await issueTicket(asked.services, sent);
  // Who follows the link is not known any more; who asked for it is.
  await noteAccess(asked, id, 'Project Download');
  return { ...ticket, filename: sent.filename, sizeBytes: content.sizeBytes };
}

/** All that is kept, newest first. */
const list: ApiHandler = async (asked): Promise<{ readonly uploads: readonly Uploaded[] }> => ({
  uploads: await uploadsOf(asked.services, await repositoryIn(asked, mayDownloadRepository)),
});

const upload: ApiHandler = async (asked) => {
  const { request, reply } = asked;
  const repository = await repositoryIn(asked, mayUploadRepository);
  await requireMatch(asked, repository);
  const body = request.body as AsyncIterable<Uint8Array> | undefined;
  if (body === undefined) throw new ProblemError(invalid('/', 'shape', { reason: 'not-a-zip' }));
  const content = await take(asked, repository, {
    body,
    // Somebody else's may have come while this one did.
    require: () => requireMatch(asked, repository),
    facts: { filename: filenameIn(request.headers['content-disposition']), isSample: false },
  });
  void reply.header('ETag', tagOf(content));
};

/** Content to begin with. Never over what somebody made. */
const startFromSample: ApiHandler = async (asked) => {
  const repository = await repositoryIn(asked, mayUploadRepository);
  await requireNothing(asked, repository);
  const folder = await mkdtemp(join(tmpdir(), 'slipway-sample-'));
  try {
    const path = join(folder, 'sample.zip');
    await writeSample(path);
    await take(asked, repository, {
      body: createReadStream(path),
      require: () => requireNothing(asked, repository),
      facts: { filename: null, isSample: true },
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return { uploads: await uploadsOf(asked.services, repository) };
};

interface IncomingUpload {
  readonly body: AsyncIterable<Uint8Array>;
  /** What must still hold once all of it is here. @throws ProblemError */
  readonly require: () => Promise<void>;
  readonly facts: Parameters<typeof noteUpload>[3];
}

/** Keeps content as the newest. @throws ProblemError 413, 422 */
async function take(
  asked: ApiRequest,
  repository: Repository,
  { body, require, facts }: IncomingUpload,
): Promise<Content> {
  const { services, caller } = asked;
  const { project, place } = repository;
  const content = await services.engines.bundled.repositories
    .add(place, body, checkContent, (sizeBytes, keep) =>
      // Nothing but `tx` asks the database here, and what is done with files is over at once.
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
  await noteAccess(asked, project.id, 'Project Upload', async (doing, id) => {
    await noteUpload(doing, id, content, facts);
    await rebuildAll(doing, id);
  });
  services.log.info({ project: project.id, by: caller.user.id }, 'Content was uploaded');
  return content;
}

function refusalOf({ message, reason, entry }: ContentRefused): ProblemError {
  const meta = { reason, ...(entry === null ? {} : { entry }) };
  return new ProblemError({ ...invalid('/', 'shape', meta), detail: message });
}

/** `If-Match`, of who means to replace what they know. @throws ProblemError 412 */
async function requireMatch(
  { services: parts, request }: ApiRequest,
  { place }: Repository,
): Promise<void> {
  const header = request.headers['if-match'];
  if (header === undefined) return;
  const newest = await parts.engines.bundled.repositories.newest(place);
  const tags = header.split(',').map((tag) => tag.trim());
  if (newest === null || !(tags.includes('*') || tags.includes(tagOf(newest))))
    throw new ProblemError({ code: 'precondition-failed' });
}

/** @throws ProblemError 409 */
async function requireNothing(
  { services: parts }: ApiRequest,
  { place }: Repository,
): Promise<void> {
  const newest = await parts.engines.bundled.repositories.newest(place);
  if (newest !== null)
    throw new ProblemError({ code: 'action-not-allowed', meta: { reason: 'has-content' } });
}

function sentOf(name: string, { path }: Content): Sent {
  return { path, filename: `${name}.zip`, contentType: 'application/zip', isInline: false };
}

async function newestIn(asked: ApiRequest) {
  const { project, place } = await repositoryIn(asked, mayDownloadRepository);
  const content = await asked.services.engines.bundled.repositories.newest(place);
  if (content === null) throw new ProblemError({ code: 'not-found' });
  return { project, content };
}
