import { isObject } from '#base/is-object.ts';
import { camelize } from './names.ts';
import type { AuditedValues } from './audit.ts';

/** Everything that a timeline tells, in the groups by which people look for it. */
export const activityGroups = {
  steps: ['product-added', 'republish-started', 'step', 'cancelled'],
  uploads: ['uploaded'],
  builds: ['built'],
  publications: ['published'],
  settings: [
    'project-created',
    'settings-changed',
    'owner-changed',
    'author-added',
    'author-removed',
  ],
  comments: ['commented'],
  removed: ['removed'],
} as const;

export type ActivityGroup = keyof typeof activityGroups;
export type ActivityKind = (typeof activityGroups)[ActivityGroup][number];

export const activityKinds: readonly ActivityKind[] = Object.values(activityGroups).flat();

/** A line of the timeline of a project (wire 11.15). */
export interface ActivityEvent {
  readonly id: string;
  /** One of `activityKinds`, or one of a newer server. */
  readonly kind: string;
  readonly at: string;
  /** Null: the server itself, or nobody knows. */
  readonly actorId: string | null;
  /** The present name; null where the reader does not see the person. */
  readonly actorName: string | null;
  readonly productId: string | null;
  readonly productName: string | null;
  /** The name of the type on the wire: `users`. */
  readonly subjectType: string | null;
  readonly subjectId: string | null;
  readonly subjectName: string | null;
  readonly before: AuditedValues | null;
  readonly after: AuditedValues | null;
  /** What a person wrote, cut after 500 characters. */
  readonly text: string | null;
  /** More of the fact, by the names of the wire. */
  readonly details: AuditedValues | null;
}

/** A page of a timeline, newest first. */
export interface ActivityPage {
  readonly events: readonly ActivityEvent[];
  /** The cursor of the page below; null: this was the last. */
  readonly before: string | null;
}

export interface ActivityQuestion {
  /** Empty: of all kinds. */
  readonly kinds: readonly ActivityKind[];
  readonly product: string | null;
  readonly limit: number;
  readonly before: string | null;
}

/** The most lines of one page. */
export const ACTIVITY_MOST = 100;

/** The address of a page of the timeline of a project. */
export function activityPath(project: string, question: ActivityQuestion): string {
  const { kinds, product, limit, before } = question;
  const query = new URLSearchParams({ 'page[limit]': String(limit) });
  if (kinds.length > 0) query.set('filter[kind]', `in:${kinds.join(',')}`);
  if (product !== null) query.set('filter[product-id]', product);
  if (before !== null) query.set('page[before]', before);
  return `/api/projects/${project}/activity?${query.toString()}`;
}

/** The page of a timeline in a JSON:API document; null: it is of another form. */
export function activityFrom(document: unknown): ActivityPage | null {
  if (!isObject(document) || !Array.isArray(document.data) || !isObject(document.meta)) return null;
  const { page } = document.meta;
  const before = isObject(page) && typeof page.before === 'string' ? page.before : null;
  return { events: document.data.filter(isObject).map(eventFrom), before };
}

function eventFrom({ id, attributes }: Readonly<Record<string, unknown>>): ActivityEvent {
  const named = Object.entries(isObject(attributes) ? attributes : {});
  const fields = named.map(([name, value]) => [camelize(name), value] as const);
  return { id, ...Object.fromEntries(fields) } as unknown as ActivityEvent;
}
