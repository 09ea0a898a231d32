import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../kernel/config.ts';

/** Abilities of a browser that pages of ours do not use; of writing to the clipboard it says nothing. */
const UNUSED = [
  'accelerometer',
  'autoplay',
  'camera',
  'display-capture',
  'encrypted-media',
  'fullscreen',
  'geolocation',
  'gyroscope',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'picture-in-picture',
  'publickey-credentials-create',
  'publickey-credentials-get',
  'screen-wake-lock',
  'serial',
  'usb',
  'xr-spatial-tracking',
];

/** Returns the value of `Permissions-Policy`; the pages that ask for passkeys may use those. */
export function permissionsPolicy({
  allowsPasskeys,
}: {
  readonly allowsPasskeys: boolean;
}): string {
  return UNUSED.filter((feature) => !(allowsPasskeys && feature.startsWith('publickey-')))
    .map((feature) => `${feature}=()`)
    .join(', ');
}

const PERMISSIONS_POLICY = permissionsPolicy({ allowsPasskeys: false });

/**
 * Sets what a page of ours may load, and what others may do with it. It is the same in development.
 */
export async function secure(app: FastifyInstance, config: Config): Promise<void> {
  const { origin, protocol } = new URL(config.publicUrl);
  const issuer = new URL(config.auth.issuer).origin;
  const others = issuer === origin ? [] : [issuer];

  app.addHook('onRequest', (_, { raw }, done) => {
    raw.setHeader('Permissions-Policy', PERMISSIONS_POLICY);
    done();
  });

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
