import type { Find } from '#rules/find.ts';
import type { Viewer } from '#rules/viewer.ts';
import { resourceOf } from '#schema/index.ts';
import type { AnyRecord, Of, TypeName } from '#schema/index.ts';

let made = 0;

/** An id that no other record of the tests has. */
export function anId(): string {
  made += 1;
  return `01970000-0000-7000-8000-${made.toString(16).padStart(12, '0')}`;
}

export const NOW = '2026-01-31T09:30:00.000Z';

/** A record in memory of `type` with `fields`; every other field has its fallback, a name, or null. */
export function recordOf<T extends TypeName>(type: T, fields: Partial<Of<T>> = {}): Of<T> {
  const record: Record<string, unknown> = {
    id: anId(),
    version: 1,
    dateCreated: NOW,
    dateUpdated: NOW,
  };
  for (const [name, field] of Object.entries(resourceOf(type).fields)) {
    if (field.is === 'one') record[name] = null;
    if (field.is === 'attribute') record[name] = field.fallback ?? field.choices?.[0] ?? null;
  }
  // What a test does not say about consent, it has: most are not about it.
  if (type === 'organizationMembership') record.dateAccepted = NOW;
  if (resourceOf(type).fields.name !== undefined) record.name = `A ${type}`;
  return { ...record, ...fields } as Of<T>;
}

/** Someone signed in who belongs nowhere, but for what `traits` say. */
export function aViewer(traits: Partial<Viewer> = {}): Viewer {
  const none: ReadonlySet<string> = new Set();
  return {
    id: anId(),
    isSuperAdmin: false,
    memberOf: none,
    adminOf: none,
    builderIn: none,
    authorIn: none,
    groups: none,
    ...traits,
  };
}

/** Records by type, to be looked through by rules. */
export class Records implements Find {
  readonly #byType = new Map<TypeName, Map<string, AnyRecord>>();

  /** Keeps a new record of `type` with `fields` and returns it. */
  add<T extends TypeName>(type: T, fields: Partial<Of<T>> = {}): Of<T> {
    return this.put(type, recordOf(type, fields));
  }

  /** Keeps `record` in place of the one with its id. */
  put<T extends TypeName>(type: T, record: Of<T>): Of<T> {
    this.#of(type).set(record.id, record);
    return record;
  }

  readonly one = <T extends TypeName>(type: T, id: string): Of<T> | null =>
    (this.#of(type).get(id) as Of<T> | undefined) ?? null;

  readonly all = <T extends TypeName>(type: T, where: Partial<Of<T>>): readonly Of<T>[] =>
    [...this.#of(type).values()].filter((record) =>
      Object.entries(where).every(([field, value]) => record[field] === value),
    ) as unknown as Of<T>[];

  #of(type: TypeName): Map<string, AnyRecord> {
    const known = this.#byType.get(type) ?? new Map<string, AnyRecord>();
    this.#byType.set(type, known);
    return known;
  }
}
