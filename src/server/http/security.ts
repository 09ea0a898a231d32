import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';

/** What a page of ours may load, and what others may do with it. The same in development. */
export async function secure(app: FastifyInstance, config: Config): Promise<void> {
  const { origin, protocol } = new URL(config.publicUrl);
  const issuer = new URL(config.auth.issuer).origin;
  const others = issuer === origin ? [] : [issuer];

  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'none'"],
        'script-src': ["'self'"],
        'style-src': ["'self'"],
        // An organization's logo may be anywhere.
        'img-src': ["'self'", 'data:', 'blob:', 'http:', 'https:'],
        'font-src': ["'self'", 'data:'],
        // Not every browser counts the hub's ws: as 'self'.
        'connect-src': ["'self'", origin.replace(/^http/, 'ws'), ...others],
        'worker-src': ["'self'"],
        'manifest-src': ["'self'"],
        'form-action': ["'self'", ...others],
        'base-uri': ["'none'"],
        'frame-ancestors': ["'none'"],
      },
    },
    strictTransportSecurity: protocol === 'https:' ? { maxAge: 31_536_000 } : false,
    // Addresses hold invitation tokens; an outside avatar or logo host must not hear of them.
    referrerPolicy: { policy: 'no-referrer' },
    frameguard: { action: 'deny' },
    crossOriginEmbedderPolicy: false,
  });
}
