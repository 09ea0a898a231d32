import { paths } from '#protocol/paths.ts';
import type { PublicConfig } from '#protocol/paths.ts';
import { browserEnvironment, NoAnswerError } from './environment.ts';
import type { SessionEnvironment } from './environment.ts';
import { objectIn, readStored } from './json.ts';

const KEY = 'slipway.config';
const ANSWER_WITHIN_MS = 20_000;

/** The server's configuration from its last answer; null before the first one. Works offline. */
export function knownConfig(
  { storage }: Pick<SessionEnvironment, 'storage'> = browserEnvironment(),
): PublicConfig | null {
  const stored = readStored(storage, KEY);
  return stored === null ? null : configIn(stored);
}

/**
 * The server's present configuration, or that of its last answer when it cannot be reached.
 *
 * @throws NoAnswerError when it does not answer and never has
 */
export async function loadConfig(
  environment: SessionEnvironment = browserEnvironment(),
): Promise<PublicConfig> {
  try {
    const answer = await environment.fetch(paths.config, {
      headers: { Accept: 'application/json' },
      signal: environment.abortAfter(ANSWER_WITHIN_MS),
    });
    const document = objectIn(await answer.text());
    const config = answer.ok && document !== null ? configIn(document) : null;
    if (config === null) throw new NoAnswerError(paths.config);
    environment.storage.setItem(KEY, JSON.stringify(config));
    return config;
  } catch (cause) {
    const known = knownConfig(environment);
    if (known !== null) return known;
    throw new NoAnswerError(paths.config, cause);
  }
}

/** The configuration in `document`; null when it has another form, such as a captive portal's. */
function configIn(document: Readonly<Record<string, unknown>>): PublicConfig | null {
  const auth = document.auth as Partial<PublicConfig['auth']> | undefined;
  const isOurs = typeof auth?.issuer === 'string' && typeof auth.clientId === 'string';
  return isOurs ? (document as unknown as PublicConfig) : null;
}
