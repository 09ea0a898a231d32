import { isObject } from '#base/is-object.ts';
import { camelize } from './names.ts';

/** Values before or after what an audit event tells, by the names of the wire. */
export type AuditedValues = Readonly<Record<string, unknown>>;

/** An event of the audit log (wire 11.10). */
export interface AuditEvent {
  readonly id: string;
  /** One of `auditKinds`, or one of a newer server. */
  readonly kind: string;
  readonly at: string;
  readonly actorId: string | null;
  readonly actorName: string | null;
  readonly organizationId: string | null;
  /** The name of the type on the wire: `users`. */
  readonly subjectType: string | null;
  readonly subjectId: string | null;
  readonly subjectName: string | null;
  readonly before: AuditedValues | null;
  readonly after: AuditedValues | null;
  /** Null where it is not for the person who asks. */
  readonly address: string | null;
}

/** A page of the audit log. */
export interface AuditLog {
  readonly events: readonly AuditEvent[];
  /** The number of events that were found, counted up to a limit. */
  readonly total: number;
  /** True where there are more than were counted. */
  readonly isMore: boolean;
}

/** The page of the audit log in a JSON:API document; null: it is of another form. */
export function auditLogFrom(document: unknown): AuditLog | null {
  if (!isObject(document) || !isObject(document.meta)) return null;
  const { data, meta } = document;
  const total = meta['total-records'];
  if (!Array.isArray(data) || typeof total !== 'number') return null;
  const isMore = isObject(meta.page) && meta.page.more === true;
  return { events: data.filter(isObject).map(eventFrom), total, isMore };
}

function eventFrom({ id, attributes }: Readonly<Record<string, unknown>>): AuditEvent {
  const named = Object.entries(isObject(attributes) ? attributes : {});
  const fields = named.map(([name, value]) => [camelize(name), value] as const);
  return { id, ...Object.fromEntries(fields) } as unknown as AuditEvent;
}
