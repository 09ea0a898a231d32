import type { FastifyInstance } from 'fastify';
import type { Services } from '../../domain/services.ts';
import { activityRoutes } from './calls/activity.ts';
import { auditEventRoutes } from './calls/audit-events.ts';
import { buildEngineRoutes } from './calls/build-engine.ts';
import { buildFigureRoutes } from './calls/build-figures.ts';
import { bulkActionRoutes } from './calls/bulk-actions.ts';
import { changesRoutes } from './calls/changes.ts';
import { configRoutes } from './calls/config.ts';
import { currentUserRoutes } from './calls/current-user.ts';
import { dataExportRoutes } from './calls/data-export.ts';
import { healthRoutes } from './calls/health.ts';
import { inviteRequestRoutes } from './calls/invite-requests.ts';
import { jobRoutes } from './calls/jobs.ts';
import { notificationRoutes } from './calls/notifications.ts';
import { operationsRoutes } from './calls/operations.ts';
import { packageNameRoutes } from './calls/package-names.ts';
import { productRoutes } from './calls/products.ts';
import { redeemRoutes } from './calls/redeem.ts';
import { secondFactorRoutes } from './calls/second-factor.ts';
import { workflowRoutes } from './calls/workflow.ts';
import { resourceRoutes } from './resources.ts';
import { openApiRoute } from '../reference/reference-routes.ts';
import { filesRoutes } from '../files/file-routes.ts';

/** Every address below `/api`: resources, the feed, and all other calls (wire 7, 8, 9, 11, 12). */
export function apiRoutes(
  app: FastifyInstance,
  services: Services,
  isStopping: () => boolean,
): Promise<void> {
  configRoutes(app, services);
  healthRoutes(app, services, isStopping);
  openApiRoute(app);
  resourceRoutes(app, services);
  changesRoutes(app, services);
  operationsRoutes(app, services);
  activityRoutes(app, services);
  auditEventRoutes(app, services);
  buildEngineRoutes(app, services);
  buildFigureRoutes(app, services);
  bulkActionRoutes(app, services);
  currentUserRoutes(app, services);
  dataExportRoutes(app, services);
  filesRoutes(app, services);
  inviteRequestRoutes(app, services);
  jobRoutes(app, services);
  notificationRoutes(app, services);
  packageNameRoutes(app, services);
  productRoutes(app, services);
  redeemRoutes(app, services);
  secondFactorRoutes(app, services);
  workflowRoutes(app, services);
  return Promise.resolve();
}
