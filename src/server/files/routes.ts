import type { FastifyInstance } from 'fastify';
import type { Parts } from '../parts.ts';
import { fileRoutes } from './answers.ts';
import { artifactFile, consoleOf } from './of-product.ts';
import { publishedAppRoutes } from './published-app.ts';
import { publishedRoutes } from './published.ts';
import { repositoryRoutes } from './repository.ts';

/** Every call that leads to a file (wire 12). */
export function filesRoutes(app: FastifyInstance, parts: Parts): void {
  const consoles = { isText: true };
  fileRoutes(app, parts, '/api/product-artifacts/:id/content', artifactFile);
  fileRoutes(app, parts, '/api/product-builds/:id/console', consoleOf('productBuild'), consoles);
  fileRoutes(
    app,
    parts,
    '/api/product-publications/:id/console',
    consoleOf('productPublication'),
    consoles,
  );
  repositoryRoutes(app, parts);
  publishedRoutes(app, parts);
  publishedAppRoutes(app, parts);
}
