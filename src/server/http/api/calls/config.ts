import type { FastifyInstance } from 'fastify';
import { VERSION, MINIMUM_CLIENT_VERSION } from '#protocol/limits.ts';
import { paths } from '#protocol/paths.ts';
import type { PublicConfig } from '#protocol/paths.ts';
import { LOCALES } from '#schema/user.ts';
import type { Config } from '../../../kernel/config.ts';
import type { Services } from '../../../domain/services.ts';

/** `GET /api/config`: the settings for a client before it can sign in (wire 11.1). */
export function configRoutes(app: FastifyInstance, { config }: Services): void {
  app.get(paths.config, { config: { access: 'public', media: 'json' } }, () =>
    publicConfig(config),
  );
}

function publicConfig({ demo, auth, links, avatarUrl }: Config): PublicConfig {
  const { issuer, clientId, audience, scope, redirectPath } = auth;
  return {
    name: 'Slipway',
    version: VERSION,
    minimumClientVersion: MINIMUM_CLIENT_VERSION,
    demo,
    auth: { issuer, clientId, audience, scope, redirectPath },
    links,
    avatars: avatarUrl,
    languages: LOCALES,
  };
}
