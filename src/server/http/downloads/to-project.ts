import { html, nothing } from '#base/html.ts';
import type { Html } from '#base/html.ts';
import { mayOpenProject } from '#rules/project.ts';
import type { Viewer } from '#rules/viewer.ts';
import { translate } from '#text/say.ts';
import type { MailLanguage } from '#text/say.ts';
import type { DatabaseTransaction } from '../../db/database.ts';

/** For whom a page is written, and where. */
export interface PageContext {
  /** The address under which other devices find the page; null: they would be shown nothing. */
  readonly address: string | null;
  /** The request does not say who reads the page. */
  readonly isForEveryone: boolean;
  /** The names of the project, and of the organization whose it is; null: it has no name. */
  readonly project: string;
  readonly publisher: string | null;
  /** Where the reader finds the project in the app; null: nowhere, or not known. */
  readonly projectPath: string | null;
}

/**
 * Returns where `viewer` finds the project of `product` in the app: its page, or that of the
 * directory for who is not of its team; null: nowhere.
 */
export async function projectPathFor(
  tx: DatabaseTransaction,
  viewer: Viewer,
  product: string,
): Promise<string | null> {
  const found = await tx.one('product', product);
  const project = found === null ? null : await tx.one('project', found.project);
  if (project === null) return null;
  const authors = await tx.all('author', { project: project.id, user: viewer.id });
  const find = { one: () => null, all: () => authors as never };
  const isOfTeam = viewer.isSuperAdmin || viewer.memberOf.has(project.organization);
  if (isOfTeam && mayOpenProject(viewer, project, find)) return `/projects/${project.id}`;
  return project.isPublic && project.dateArchived === null ? `/directory/${project.id}` : null;
}

/** Returns the names of a product's project, and of the organization whose it is. */
export async function namesOf(
  tx: DatabaseTransaction,
  product: string,
): Promise<Pick<PageContext, 'project' | 'publisher'>> {
  const found = await tx.one('product', product);
  const project = await tx.one('project', found?.project ?? '');
  const organization = await tx.one('organization', project?.organization ?? '');
  return { project: project?.name ?? '', publisher: organization?.name ?? null };
}

/** The way to the project; for whoever is signed in a script puts it there, as they get it. */
export const linkToProject = (ours: MailLanguage, path: string | null): Html =>
  html`<p class="to-project" lang="${ours}" dir="ltr" data-to-project>
    ${path === null ? nothing : html`<a href="${path}">${translate(ours, 'downloads.toProject')}</a>`}
  </p>`;
