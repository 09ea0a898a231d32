import type { WorkflowDefinition } from '#schema/workflow-definition.ts';

/** An actor does a step (domain 4.1). */
export type Actor = 'Owner' | 'OrgAdmin' | 'Author';

export type WorkflowType = WorkflowDefinition['type'];
export const STARTUP = 1;
export const REBUILD = 2;
export const REPUBLISH = 3;

interface Options {
  /** An organization admin agrees before anything is made. */
  readonly approval: boolean;
  /** An organization admin looks at the first build as a customer would. */
  readonly preview: boolean;
  /** The actor who makes the entry in the store; null: there is none. */
  readonly storeStep: Actor | null;
}

/**
 * The orders for the engine: what it makes and publishes, and which files reviewers get (domain
 * 4.4).
 */
export interface EngineOrders {
  readonly build: Order;
  readonly publish: Order;
  readonly review: Parameters & { readonly types: readonly string[] };
}

type Parameters = Readonly<Record<string, unknown>>;
type Order = Parameters & {
  /** The words are separated by spaces. */
  readonly targets: string;
  readonly environment?: Readonly<Record<string, string>>;
};

/** Lets the engine count version code and name up. */
export const VERSION = { BUILD_MANAGE_VERSION_CODE: '1', BUILD_MANAGE_VERSION_NAME: '1' };
export const SHARED = { BUILD_SHARE_APP_LINK: '1' };

/** One variant of the machine; `workflow-scheme` of a definition names it. */
export interface Scheme extends Options {
  readonly family: 'play' | 'files' | 'web';
  readonly type: WorkflowType;
  readonly work: EngineOrders;
}

/** Returns a scheme with the given options; those left out are off. */
export function scheme(
  family: Scheme['family'],
  type: WorkflowType,
  work: EngineOrders,
  options: Partial<Options> = {},
): Scheme {
  return { family, type, work, approval: false, preview: false, storeStep: null, ...options };
}
