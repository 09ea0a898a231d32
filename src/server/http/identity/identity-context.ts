import type { Provider } from 'oidc-provider';
import type { Parts } from '../../domain/parts.ts';

/** The pages of the provider share this. */
export interface IdentityContext {
  readonly parts: Parts;
  readonly provider: Provider;
  /** It signs the tokens of forms. */
  readonly secret: string;
}
