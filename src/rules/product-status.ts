import type { Product } from '#schema/product.ts';
import type { ProductBuild } from '#schema/product-build.ts';
import type { Find } from './find.ts';
import { allOf, anyOf, at, equals, everyone, inScope, notNull, self, some } from './scope.ts';
import type { Scope } from './scope.ts';
import type { Viewer } from './viewer.ts';
import { members, projectAuthor } from './who.ts';

/*
 * What state a product is in, and a build: scopes, so that the device evaluates and the server
 * compiles the same text. Outsiders know no more of a product than whether it is published.
 */

/** The states in which the engine works: no person's step leads on from them. */
export const ENGINE_STATES = [
  'Product Creation',
  'Product Build',
  'Product Rebuild',
  'Product Republish',
  'Product Publish',
] as const;

const ofMembers = members('project.organization');

/** The statuses of a product by word; the first that holds is the one it has. */
export const productStatuses = {
  building: allOf(
    ofMembers,
    anyOf(...ENGINE_STATES.map((state) => equals('workflowState', state))),
  ),
  failed: allOf(ofMembers, notNull('failure')),
  // An owner whose authors have the work can only take it back.
  'waiting-for-you': allOf(
    ofMembers,
    notNull('waitingFor'),
    some('userTask', 'product', self('user')),
    anyOf(
      equals('waitingFor', 'owner'),
      equals('waitingFor', 'admins'),
      at('project', projectAuthor),
    ),
  ),
  waiting: allOf(ofMembers, notNull('waitingFor')),
  published: notNull('datePublished'),
  'not-started': everyone,
} as const satisfies Readonly<Record<string, Scope>>;

export type ProductStatusWord = keyof typeof productStatuses;

export const PRODUCT_STATUS_WORDS = Object.keys(productStatuses) as readonly ProductStatusWord[];

/** The status of a product for one viewer, with what its word leaves open. */
export type ProductStatus =
  | { readonly is: 'building' | 'waiting-for-you' | 'not-started' }
  | {
      readonly is: 'failed';
      readonly what: NonNullable<Product['failure']>;
      readonly reason: string | null;
    }
  | {
      readonly is: 'waiting';
      readonly role: NonNullable<Product['waitingFor']>;
      /** The id of the person who alone can go on; null when several can, or nobody. */
      readonly person: string | null;
    }
  | { readonly is: 'published'; readonly version: string | null };

/** Returns the status that `product`, which `viewer` sees, has for them. */
export function productStatusOf(viewer: Viewer, product: Product, find: Find): ProductStatus {
  const word = wordOf(viewer, product, find);
  switch (word) {
    case 'failed':
      return { is: word, what: required(product.failure), reason: product.failureReason };
    case 'waiting':
      return { is: word, role: required(product.waitingFor), person: product.assigned };
    case 'published':
      return { is: word, version: product.versionPublished };
    case 'building':
    case 'waiting-for-you':
    case 'not-started':
      return { is: word };
  }
}

/**
 * Returns `value`.
 *
 * @throws Error where it is null, although the scope of the status asks for it
 */
function required<T>(value: T | null): T {
  if (value === null) throw new Error('A product has a status without what it is about');
  return value;
}

function wordOf(viewer: Viewer, product: Product, find: Find): ProductStatusWord {
  const isIt = (word: ProductStatusWord) =>
    inScope(productStatuses[word], viewer, 'product', product, find);
  return PRODUCT_STATUS_WORDS.find(isIt) ?? 'not-started';
}

/** The statuses of a build by word; it has one of them. */
export const buildStatuses = {
  building: equals('success', null),
  failed: equals('success', false),
  built: equals('success', true),
} as const satisfies Readonly<Record<string, Scope>>;

export type BuildStatusWord = keyof typeof buildStatuses;

export const BUILD_STATUS_WORDS = Object.keys(buildStatuses) as readonly BuildStatusWord[];

/** Returns the status of a build. */
export function buildStatusOf({ success }: Pick<ProductBuild, 'success'>): BuildStatusWord {
  if (success === null) return 'building';
  return success ? 'built' : 'failed';
}
