import type { FastifyInstance } from 'fastify';
import type { Services } from '../../domain/services.ts';
import { fileRoutes } from './file-redirects.ts';
import { artifactFile, consoleOf } from './of-product.ts';
import type { ConsoleOwner } from './of-product.ts';
import { publishedAppRoutes } from './published-app.ts';
import { publishedRoutes } from './published.ts';
import { repositoryRoutes } from './repository.ts';
import { versionRoutes } from './versions.ts';

/** The files that members reach by a record, by address. */
export const memberFiles = {
  '/api/product-artifacts/:id/content': artifactFile,
  '/api/product-builds/:id/console': consoleOf('productBuild'),
  '/api/product-publications/:id/console': consoleOf('productPublication'),
} as const;

/** Those of them that are logs, with the record that each is of. */
const logs: Readonly<Record<string, ConsoleOwner>> = {
  '/api/product-builds/:id/console': 'productBuild',
  '/api/product-publications/:id/console': 'productPublication',
};

/** Every call that leads to a file (wire 12). */
export function filesRoutes(app: FastifyInstance, services: Services): void {
  for (const [url, find] of Object.entries(memberFiles))
    fileRoutes(app, services, url, find, logs[url] ?? null);
  repositoryRoutes(app, services);
  versionRoutes(app, services);
  publishedRoutes(app, services);
  publishedAppRoutes(app, services);
}
