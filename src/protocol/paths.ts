import { wireTypeOf } from './names.ts';
import type { TypeName } from '#schema/index.ts';

/** Every address that the browser calls (wire 1.1, 11). */
export const paths = {
  config: '/api/config',
  live: '/api/health/live',
  ready: '/api/health/ready',
  /** The description of the API: for programs, and for people. */
  openApi: '/api/openapi.json',
  reference: '/help/api',
  currentUser: '/api/users/current-user',
  operations: '/api/operations',
  changes: '/api/changes',
  auditEvents: '/api/audit-events',
  productActions: '/api/product-actions',
  runProductActions: '/api/product-actions/run',
  inviteRequests: '/api/organization-invite-requests',
  redeem: (token: string) =>
    `/api/organization-membership-invites/redeem/${encodeURIComponent(token)}`,
  checkEngine: (organization: string) => `/api/organizations/${organization}/build-engine/check`,
  list: (type: TypeName) => `/api/${wireTypeOf(type)}`,
  record: (type: TypeName, id: string) => `/api/${wireTypeOf(type)}/${id}`,
  verification: '/oidc/verification',
  /** Where the pages of an account lead whom the issuer does not know in this browser. */
  signInForAccount: '/account?sign-in=again',
  openSource: '/open-source.json',
  taskForms: '/ui/form/businessobjects.js',
  languageTags: '/assets/language/langtags.json',
  languageNames: (language: string) => `/assets/language/${language}/ldml.json`,
  searchNames: '/assets/language/search-names.json',
} as const;

/** The result of a check of a build engine (wire 11.9); `reason` null: it is available. */
export interface EngineCheck {
  readonly available: boolean;
  readonly reason: 'unreachable' | 'refused' | 'no-usable-answer' | 'address-not-allowed' | null;
}

/** The settings that a client gets before it can sign in: `GET /api/config` (wire 11.1). */
export interface PublicConfig {
  readonly name: string;
  readonly version: string;
  readonly minimumClientVersion: string;
  readonly demo: boolean;
  readonly auth: {
    readonly issuer: string;
    readonly clientId: string;
    readonly audience: string;
    readonly scope: string;
    readonly redirectPath: string;
  };
  readonly links: {
    readonly community: string | null;
    readonly help: string | null;
    readonly importHelp: string | null;
    readonly workflowAdmin: string | null;
  };
  readonly avatars: string | null;
  readonly languages: readonly string[];
}
