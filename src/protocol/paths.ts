import { wireTypeOf } from './names.ts';
import type { TypeName } from '#schema/index.ts';

/** Every address that the browser calls (wire 1.1, 11). */
export const paths = {
  config: '/api/config',
  live: '/api/health/live',
  ready: '/api/health/ready',
  currentUser: '/api/users/current-user',
  operations: '/api/operations',
  changes: '/api/changes',
  inviteRequests: '/api/organization-invite-requests',
  redeem: (token: string) =>
    `/api/organization-membership-invites/redeem/${encodeURIComponent(token)}`,
  list: (type: TypeName) => `/api/${wireTypeOf(type)}`,
  record: (type: TypeName, id: string) => `/api/${wireTypeOf(type)}/${id}`,
  verification: '/oidc/verification',
  taskForms: '/ui/form/businessobjects.js',
  /** Of an artifact; a browser asks for `fileLink` of it, as of the others below. */
  artifactFile: (id: string) => `/api/product-artifacts/${id}/content`,
  buildConsole: (id: string) => `/api/product-builds/${id}/console`,
  publicationConsole: (id: string) => `/api/product-publications/${id}/console`,
  repository: (project: string) => `/api/projects/${project}/repository`,
  /** All that was uploaded to it; one of them has a `fileLink`. */
  uploads: (project: string) => `/api/projects/${project}/repository/uploads`,
  upload: (project: string, number: number) =>
    `/api/projects/${project}/repository/uploads/${number}`,
  sample: (project: string) => `/api/projects/${project}/repository/sample`,
  publishedFile: (product: string, type: string) =>
    `/api/products/${encodeURIComponent(product)}/files/published/${encodeURIComponent(type)}`,
  publishedApp: (product: string) => `/api/products/${encodeURIComponent(product)}/published`,
  fileLink: (file: string) => `${file}/link`,
  languageTags: '/assets/language/langtags.json',
  languageNames: (language: string) => `/assets/language/${language}/ldml.json`,
} as const;

/** Where a browser goes for a file (wire 12). */
export interface FileLink {
  readonly url: string;
  /** Null: it lies with a build engine elsewhere, which knows. */
  readonly expiresAt: string | null;
  readonly filename: string;
  readonly sizeBytes: number | null;
}

/** What a build engine said when it was tried out (wire 11.9); `reason` null: it is available. */
export interface EngineCheck {
  readonly available: boolean;
  readonly reason: 'unreachable' | 'refused' | 'no-usable-answer' | 'address-not-allowed' | null;
}

/** Whether content is given to the bundled engine, by the address of a project's repository. */
export const isBundled = (repository: string): boolean => repository.startsWith('bundled:');

/** One upload of a project's content. */
export interface Uploaded {
  /** Counted from 1 in each project. */
  readonly number: number;
  readonly sizeBytes: number;
  /** ISO. */
  readonly at: string;
  /** Id of the user; null where that is not known. */
  readonly by: string | null;
  /** As it was called on the device that it came from. */
  readonly filename: string | null;
  readonly isSample: boolean;
  /** For `If-Match` of who means to replace it. */
  readonly tag: string;
}

/** What a client is told before it can sign in: `GET /api/config` (wire 11.1). */
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
