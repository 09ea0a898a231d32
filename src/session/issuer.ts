import { NoAnswerError } from './environment.ts';
import type { SessionEnvironment } from './environment.ts';
import { objectIn, readStored } from './json.ts';

const KEY = 'slipway.issuer';
const ANSWER_WITHIN_MS = 20_000;

type Endpoint = 'token_endpoint' | 'end_session_endpoint' | 'revocation_endpoint';

/**
 * An address from the issuer's discovery document, which is stored for later; null when the issuer
 * has none.
 *
 * @throws NoAnswerError when the document is not known yet and cannot be fetched, or is another
 *   issuer's
 */
export async function endpointOf(
  environment: SessionEnvironment,
  issuer: string,
  endpoint: Endpoint,
): Promise<string | null> {
  const known = readStored(environment.storage, KEY);
  const metadata = known?.issuer === issuer ? known : await discover(environment, issuer);
  const address = metadata[endpoint];
  return typeof address === 'string' ? address : null;
}

/** Tells whether `name` is the issuer's own; a slash at its end makes no difference. */
export function isIssuer(name: unknown, issuer: string): boolean {
  return typeof name === 'string' && name.replace(/\/$/, '') === issuer.replace(/\/$/, '');
}

async function discover(
  environment: SessionEnvironment,
  issuer: string,
): Promise<Readonly<Record<string, unknown>>> {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  try {
    const answer = await environment.fetch(address, {
      signal: environment.abortAfter(ANSWER_WITHIN_MS),
    });
    const document = objectIn(await answer.text());
    if (
      !answer.ok ||
      typeof document?.token_endpoint !== 'string' ||
      !isIssuer(document.issuer, issuer)
    )
      throw new NoAnswerError(address);
    const { token_endpoint, end_session_endpoint, revocation_endpoint } = document;
    const metadata = { issuer, token_endpoint, end_session_endpoint, revocation_endpoint };
    environment.storage.setItem(KEY, JSON.stringify(metadata));
    return metadata;
  } catch (cause) {
    throw new NoAnswerError(address, cause);
  }
}
