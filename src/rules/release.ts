import type { ProductArtifact } from '#schema/product-artifact.ts';
import type { ProductBuild } from '#schema/product-build.ts';
import { productPublication } from '#schema/product-publication.ts';
import type { ProductPublication } from '#schema/product-publication.ts';

const APPS: ReadonlySet<string | null> = new Set(['apk', 'aab']);

/**
 * Keeps the releases of a product that had the app itself: a republish of its listing is none of
 * them. Of a product that is no app all are kept.
 *
 * @param artifacts those of the product's builds
 */
export function appReleases<P extends Pick<ProductPublication, 'productBuild'>>(
  releases: readonly P[],
  artifacts: readonly Pick<ProductArtifact, 'artifactType' | 'productBuild'>[],
): readonly P[] {
  const apps = new Set(
    artifacts.flatMap(({ artifactType, productBuild }) =>
      APPS.has(artifactType) ? [productBuild] : [],
    ),
  );
  const kept = releases.filter(
    ({ productBuild }) => productBuild !== null && apps.has(productBuild),
  );
  return kept.length === 0 ? releases : kept;
}

/**
 * Returns the version of a release of `build` for which none is stated; null where the engine gave
 * none. An engine may call a version by more letters than a release has room for.
 */
export function releaseVersionOf(build: Pick<ProductBuild, 'buildVersion'> | null): string | null {
  const version = build?.buildVersion ?? null;
  const letters = Array.from(version ?? '');
  const longest = productPublication.fields.releaseVersion.limit ?? Infinity;
  return letters.length > longest ? `${letters.slice(0, longest - 1).join('')}…` : version;
}

/**
 * Returns the version that `publication` released. One from before releases had a version has that
 * of its build; null where the build is not among `builds`, or was given none.
 */
export function versionOfRelease(
  { releaseVersion, productBuild }: Pick<ProductPublication, 'releaseVersion' | 'productBuild'>,
  builds: readonly Pick<ProductBuild, 'id' | 'buildVersion'>[],
): string | null {
  const build = builds.find(({ id }) => id === productBuild);
  return releaseVersion ?? build?.buildVersion ?? null;
}
