import type { FastifyInstance } from 'fastify';
import { DATA_EXPORT } from '#protocol/data-export.ts';
import { filePaths } from '#protocol/file-paths.ts';
import type { FileLink } from '#protocol/file-paths.ts';
import { ProblemError } from '#protocol/problem.ts';
import { issueTicket } from '../../../domain/files/tickets.ts';
import {
  dataExportOf,
  readyExportOf,
  requestDataExport,
} from '../../../domain/personal-data/data-export.ts';
import type { Services } from '../../../domain/services.ts';
import { routeHandler } from '../api-request.ts';
import type { ApiHandler } from '../api-request.ts';

/** What the installation keeps about the caller, as a file (wire 11.13). */
export function dataExportRoutes(app: FastifyInstance, services: Services): void {
  const asJson = (method: 'GET' | 'POST', url: string, answer: ApiHandler) =>
    app.route({ method, url, config: { media: 'json' }, handler: routeHandler(services, answer) });
  asJson('GET', DATA_EXPORT, ({ caller }) => dataExportOf(services, caller.user.id));
  asJson('POST', DATA_EXPORT, request);
  asJson('GET', filePaths.fileLink(DATA_EXPORT), link);
}

const request: ApiHandler = async ({ services, caller }) => {
  const { user, address } = caller;
  const cause = { at: services.clock(), by: user.id, changes: [], address };
  await services.db.write(cause, (write) => requestDataExport(services, write, user.id));
  return dataExportOf(services, user.id);
};

/** Audited, because whoever follows the link is not known any more. */
const link: ApiHandler = async ({ services, caller }): Promise<FileLink> => {
  const { user, address } = caller;
  const ready = await readyExportOf(services, user.id);
  if (ready === null) throw new ProblemError({ code: 'not-found' });
  const { file, sizeBytes } = ready;
  const ticket = await issueTicket(services, file);
  const cause = { at: services.clock(), by: user.id, changes: [], address };
  await services.db.write(cause, (write) => {
    const subject = { type: 'user', id: user.id } as const;
    write.audit({ kind: 'data-downloaded', subject, before: null, after: null });
    return Promise.resolve();
  });
  return { ...ticket, filename: file.filename, sizeBytes };
};
