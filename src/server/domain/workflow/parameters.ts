import { DEFAULT_PROPERTIES } from '#rules/valid/product-properties.ts';
import type { Organization } from '#schema/organization.ts';
import type { ProductDefinition } from '#schema/product-definition.ts';
import type { Product } from '#schema/product.ts';
import type { Project } from '#schema/project.ts';
import type { Flags } from './guards.ts';
import type { EngineOrders, WorkflowType } from './scheme.ts';
import { isObject } from '#base/is-object.ts';
import { parseJson } from '#base/json.ts';

type Values = Readonly<Record<string, unknown>>;
type Environment = Readonly<Record<string, string>>;

/** The purpose of scoped keys of definitions, such as `build:targets`. */
export type ParameterPurpose = 'build' | 'publish' | 'review';

/** The channel of releases, unless a definition names another. */
const CHANNEL = 'production';

/** Everything that parameters are merged from, beside what the machine makes (domain 4.5). */
export interface Sources {
  readonly productDefinition: Pick<ProductDefinition, 'properties'>;
  readonly workflowDefinition: { readonly properties: string | null };
  readonly product: Pick<Product, 'properties'>;
  readonly flags: Flags;
  /** The result of `identityOf`. */
  readonly identity: Environment;
}

/**
 * Returns the parameters of both definitions, merged; keys for one purpose stand in them as they
 * are written.
 */
export function definedParameters({
  productDefinition,
  workflowDefinition,
}: Pick<Sources, 'productDefinition' | 'workflowDefinition'>): Values {
  const layers = [productDefinition, workflowDefinition];
  return layers.map(({ properties }) => objectIn(properties) ?? {}).reduce(merged);
}

/**
 * Returns the parameters of a build, a release or a review mail. Later layers win; the identity
 * variables are last, and nothing replaces them.
 */
export function parametersFor(
  purpose: ParameterPurpose,
  work: EngineOrders,
  sources: Sources,
): Values & { readonly environment: Environment } {
  const usual = purpose === 'publish' ? { channel: CHANNEL, ...work.publish } : work[purpose];
  const defined = merged(usual, definedParameters(sources));
  const parameters = scopedTo(purpose, defined);
  const own = objectIn(sources.product.properties ?? DEFAULT_PROPERTIES) ?? {};
  const environment = [
    purpose === 'review' ? {} : flagVariables(sources.flags),
    own.environment,
    sources.identity,
  ].reduce<Values>((before, after) => merged(before, isObject(after) ? after : {}), {
    ...(isObject(parameters.environment) ? parameters.environment : {}),
  });
  return { ...parameters, environment: asVariables(environment) };
}

/**
 * Returns the JSON object in `text`; null when there is none, of which super admins are told once.
 */
export function objectIn(text: string | null): Values | null {
  if (text === null || text.trim() === '') return {};
  try {
    const value = parseJson(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** Merges objects key by key and unites arrays; other values are replaced. */
function merged(before: Values, after: Values): Values {
  return { ...before, ...mapped(after, (value, key) => mergedValue(before[key], value)) };
}

function mergedValue(before: unknown, after: unknown): unknown {
  if (Array.isArray(before) && Array.isArray(after)) {
    return [...new Set<unknown>([...(before as unknown[]), ...(after as unknown[])])];
  }
  return isObject(before) && isObject(after) ? merged(before, after) : after;
}

/** A key for `purpose` replaces the plain one; those for other purposes are left out. */
function scopedTo(purpose: ParameterPurpose, values: Values): Values {
  const plain = Object.entries(values).filter(([key]) => !key.includes(':'));
  const scope = `${purpose}:`;
  const own = Object.entries(values).filter(([key]) => key.startsWith(scope));
  return Object.fromEntries([
    ...plain,
    ...own.map(([key, value]) => [key.slice(scope.length), value] as const),
  ]);
}

/** Returns the memory of a workflow in the form that the engine reads. */
function flagVariables({ existing, draft, uploaded }: Flags): Environment {
  return {
    ...(draft ? { PUBLISH_GOOGLE_PLAY_DRAFT: '1' } : {}),
    ...(existing ? { google_play_existing: '1' } : {}),
    ...(uploaded === null
      ? {}
      : {
          PUBLISH_GOOGLE_PLAY_UPLOADED_BUILD_ID: String(uploaded.buildId),
          PUBLISH_GOOGLE_PLAY_UPLOADED_VERSION_CODE: uploaded.versionCode,
        }),
  };
}

const workflowWords = { 1: 'Startup', 2: 'Rebuild', 3: 'Republish' } as const satisfies Readonly<
  Record<WorkflowType, string>
>;

/** Returns the variables that tell the engine to whom a build belongs (domain 11.3). */
export function identityOf(of: {
  readonly publicUrl: string;
  readonly type: WorkflowType;
  readonly product: Pick<Product, 'id'>;
  readonly definition: Pick<ProductDefinition, 'name'>;
  readonly project: Pick<Project, 'id' | 'name' | 'description' | 'language'>;
  readonly organization: Pick<Organization, 'name'>;
  readonly owner: { readonly name: string | null; readonly email: string | null };
}): Environment {
  const { publicUrl, project, owner } = of;
  return {
    UI_URL: publicUrl,
    ORIGIN: publicUrl,
    PRODUCT_ID: of.product.id,
    PROJECT_ID: project.id,
    PROJECT_NAME: project.name,
    PROJECT_DESCRIPTION: project.description ?? '',
    PROJECT_URL: `${publicUrl}/projects/${project.id}`,
    PROJECT_LANGUAGE: project.language,
    PROJECT_ORGANIZATION: of.organization.name ?? '',
    PROJECT_OWNER_NAME: owner.name ?? '',
    PROJECT_OWNER_EMAIL: owner.email ?? '',
    WORKFLOW_TYPE: workflowWords[of.type],
    WORKFLOW_PRODUCT_NAME: of.definition.name,
  };
}

/** Keeps names of letters, digits and `_` alone, with their values as text. */
function asVariables(environment: Values): Environment {
  return Object.fromEntries(
    Object.entries(environment)
      .filter(([name]) => /^\w+$/.test(name))
      .map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
}

function mapped(values: Values, change: (value: unknown, key: string) => unknown): Values {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, change(value, key)]),
  );
}
