import type { FastifyInstance, FastifyReply } from 'fastify';
import type { FileLink } from '#protocol/paths.ts';
import { limits } from '#protocol/limits.ts';
import { invalid, ProblemError } from '#protocol/problem.ts';
import type { Find } from '#rules/find.ts';
import { mayDownloadRepository, mayUploadRepository } from '#rules/project.ts';
import type { Viewer } from '#rules/viewer.ts';
import type { Of } from '#schema/index.ts';
import { answering, idIn, questionIn } from '../api/asked.ts';
import type { Answer, Asked } from '../api/asked.ts';
import { requireSeen } from '../api/reading.ts';
import { checkContent } from '../builds/content/check.ts';
import { ContentRefused } from '../builds/content/refusal.ts';
import { projectAt } from '../builds/places.ts';
import type { Content } from '../builds/repositories.ts';
import { settle } from '../database/settle.ts';
import { callerIn } from '../http/access.ts';
import type { Parts } from '../parts.ts';
import { noteAccess, rebuildAll } from './accessed.ts';
import { sendFile } from './send.ts';
import type { Sent } from './send.ts';
import { issueTicket } from './tickets.ts';

const URL = '/api/projects/:id/repository';

/** The content of a project that the bundled engine builds from (wire 12). */
export function repositoryRoutes(app: FastifyInstance, parts: Parts): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: URL,
    compress: false,
    handler: (request, reply) => download({ parts, request, reply, caller: callerIn(request) }),
  });
  app.route({
    method: 'PUT',
    url: URL,
    config: { takes: 'application/zip', bodyBytes: limits.repositoryBytes },
    handler: answering(parts, upload),
  });
  app.route({
    method: 'GET',
    url: `${URL}/link`,
    config: { media: 'json' },
    handler: answering(parts, link),
  });
}

async function download(asked: Asked): Promise<FastifyReply> {
  const { project, content } = await newestIn(asked);
  const { request, reply } = asked;
  if (request.method === 'GET') await noteAccess(asked, project.id, 'Project Download');
  // An access is told of whole: a part of it would be one more.
  delete request.headers.range;
  return sendFile(request, reply, sentOf(project, content), tagOf(content));
}

const link: Answer = async (asked): Promise<FileLink> => {
  const { project, content } = await newestIn(asked);
  const sent = sentOf(project, content);
  const ticket = await issueTicket(asked.parts, sent);
  // Who follows the link is not known any more; who asked for it is.
  await noteAccess(asked, project.id, 'Project Download');
  return { ...ticket, filename: sent.filename, sizeBytes: content.sizeBytes };
};

const upload: Answer = async (asked) => {
  const { parts, request, reply, caller } = asked;
  const { repositories } = parts.engines.bundled;
  const { project, place } = await repositoryIn(asked, mayUploadRepository);
  await requireMatch(asked, place);
  const body = request.body as AsyncIterable<Uint8Array> | undefined;
  if (body === undefined) throw new ProblemError(invalid('/', 'shape', { reason: 'not-a-zip' }));
  const content = await repositories
    .add(place, body, async (path) => {
      await checkContent(path);
      // Somebody else's may have come while this one did.
      await requireMatch(asked, place);
    })
    .catch((error: unknown) => {
      throw error instanceof ContentRefused ? refusalOf(error) : error;
    });
  await noteAccess(asked, project.id, 'Project Upload', rebuildAll);
  parts.log.info({ project: project.id, by: caller.user.id }, 'Content was uploaded');
  void reply.header('ETag', tagOf(content));
};

function refusalOf({ message, reason }: ContentRefused): ProblemError {
  return new ProblemError({ ...invalid('/', 'shape', { reason }), detail: message });
}

const tagOf = ({ number, sizeBytes }: Content): string => `"${number}.${sizeBytes}"`;

/** `If-Match`, of who means to replace what they know. @throws ProblemError 412 */
async function requireMatch({ parts, request }: Asked, place: number): Promise<void> {
  const header = request.headers['if-match'];
  if (header === undefined) return;
  const newest = await parts.engines.bundled.repositories.newest(place);
  const tags = header.split(',').map((tag) => tag.trim());
  if (newest === null || !(tags.includes('*') || tags.includes(tagOf(newest))))
    throw new ProblemError({ code: 'precondition-failed' });
}

function sentOf({ name }: Of<'project'>, { path }: Content): Sent {
  return { path, filename: `${name}.zip`, contentType: 'application/zip', isInline: false };
}

async function newestIn(asked: Asked) {
  const { project, place } = await repositoryIn(asked, mayDownloadRepository);
  const content = await asked.parts.engines.bundled.repositories.newest(place);
  if (content === null) throw new ProblemError({ code: 'not-found' });
  return { project, content };
}

type May = (viewer: Viewer, project: Of<'project'>, find: Find) => boolean;

/** The project and the engine's number of it. @throws ProblemError 403, 404, 409 */
async function repositoryIn(asked: Asked, may: May) {
  const { parts, caller, request } = asked;
  const id = idIn(request);
  await questionIn(asked, 'project', 'nothing');
  const { project, engine } = await parts.db.read(async (tx) => {
    await requireSeen(tx, caller.viewer, 'project', id);
    const found = await tx.one('project', id);
    if (found === null) throw new ProblemError({ code: 'not-found' });
    if (!(await settle(tx, (find) => may(caller.viewer, found, find))))
      throw new ProblemError({ code: 'forbidden' });
    return { project: found, engine: await parts.engines.of(tx, found.organization) };
  });
  if (engine.url !== null) throw external();
  const { workflowProjectUrl } = project;
  if (workflowProjectUrl === null) throw new ProblemError({ code: 'not-ready' });
  const place = projectAt(workflowProjectUrl);
  // Set up by another engine before the organization came to this one.
  if (place === null) throw external();
  return { project, place };
}

const external = () =>
  new ProblemError({ code: 'action-not-allowed', meta: { reason: 'external-engine' } });
