/** Values before or after what an audit event tells, by the names of the wire. */
export type AuditedValues = Readonly<Record<string, unknown>>;

/** An event as the page of the audit log gets it (wire 11.10). */
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
