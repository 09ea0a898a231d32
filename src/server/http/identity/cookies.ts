import type { Config } from '../../kernel/config.ts';

/** The cookies of the sign-in pages; all are for the server alone and go along with links. */
export interface Cookies {
  readonly isSecure: boolean;
  readonly session: string;
  /** The path of the cookies that belong to the whole browser: the session's and that of forms. */
  readonly path: string;
  readonly interaction: string;
  readonly resume: string;
  readonly form: string;
}

/**
 * Returns the names of the cookies and where they are sent. Over TLS the prefixes make browsers
 * refuse such a cookie from a neighbouring host or from plain HTTP; `__Host-` needs the path `/`.
 * Each sign-in under way has its own cookies by its path, so that two can go on in one browser.
 */
export function cookiesOf({ publicUrl }: Pick<Config, 'publicUrl'>): Cookies {
  const isSecure = publicUrl.startsWith('https:');
  const ofHost = isSecure ? '__Host-' : '';
  const withPath = isSecure ? '__Secure-' : '';
  return {
    isSecure,
    session: `${ofHost}slipway_session`,
    path: isSecure ? '/' : '/oidc',
    interaction: `${withPath}slipway_interaction`,
    resume: `${withPath}slipway_resume`,
    form: `${ofHost}slipway_form`,
  };
}
