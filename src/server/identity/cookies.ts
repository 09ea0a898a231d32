import type { Config } from '../config.ts';

/** The cookies of the sign-in pages; all are for the server alone and go along with links. */
export interface Cookies {
  readonly isSecure: boolean;
  readonly session: string;
  readonly sessionPath: string;
  readonly interaction: string;
  readonly resume: string;
  readonly form: string;
}

/**
 * Their names and where they are sent. Over TLS the prefixes make browsers refuse such a cookie
 * from a neighbouring host or from plain HTTP; `__Host-` asks for the path `/`.
 */
export function cookiesOf({ publicUrl }: Pick<Config, 'publicUrl'>): Cookies {
  const isSecure = publicUrl.startsWith('https:');
  const withPath = isSecure ? '__Secure-' : '';
  return {
    isSecure,
    session: isSecure ? '__Host-slipway_session' : 'slipway_session',
    sessionPath: isSecure ? '/' : '/oidc',
    interaction: `${withPath}slipway_interaction`,
    resume: `${withPath}slipway_resume`,
    form: `${withPath}slipway_form`,
  };
}
