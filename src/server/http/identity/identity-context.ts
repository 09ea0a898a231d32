import type { Provider } from 'oidc-provider';
import type { Services } from '../../domain/services.ts';

/** The pages of the provider share this. */
export interface IdentityContext {
  readonly services: Services;
  readonly provider: Provider;
  /** It signs the tokens of forms. */
  readonly secret: string;
}
