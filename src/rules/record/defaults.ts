import { resourceOf } from '#schema/index.ts';
import type { Of, TypeName } from '#schema/index.ts';
import type { Field } from '#schema/define.ts';
import type { Find } from '../find.ts';
import type { Viewer } from '../viewer.ts';

export interface Making {
  readonly viewer: Viewer;
  readonly find: Find;
  /** The present moment, as it travels. */
  readonly at: string;
  readonly id: string;
}

type Values = Readonly<Record<string, unknown>>;

/**
 * The new record that `fields`, normalised, make: every field is stated, `null` where there is
 * nothing. What the server sets is predicted by the same function on the device (version 0).
 */
export function newRecord<T extends TypeName>(
  type: T,
  fields: Partial<Of<T>>,
  making: Making,
): Of<T> {
  const stated = fields as Values;
  const predicted = resourceOf(type).predict(stated, {
    ...making,
    find: (to, id) => (typeof id === 'string' ? making.find.one(to as TypeName, id) : null),
  });
  const record: Record<string, unknown> = {
    id: making.id,
    version: 0,
    dateCreated: making.at,
    dateUpdated: making.at,
  };
  for (const [name, field] of Object.entries(resourceOf(type).fields)) {
    if (field.is !== 'many')
      record[name] = stated[name] ?? predicted[name] ?? fallback(field, stated[name]);
  }
  return record as Of<T>;
}

/** A null that was stated stays: whether it may be is a question of validity. */
function fallback(field: Field, stated: unknown): unknown {
  return field.is === 'attribute' && stated === undefined ? field.fallback : null;
}
