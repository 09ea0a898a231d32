import type { ResourceObject } from '#protocol/document.ts';
import type { Problem } from '#protocol/problem.ts';
import type { AnyRecord } from '#schema/index.ts';
import type { Act } from '../writes/act.ts';
import type { Stated } from '../writes/document.ts';

export type FieldValues = Readonly<Record<string, unknown>>;

interface Creating {
  readonly id: string;
  /** As sent, normalised. */
  readonly fields: FieldValues;
  readonly stated: Stated;
}

interface Checked {
  /** Null: a new record. */
  readonly before: AnyRecord | null;
  readonly after: AnyRecord;
  /** What is written. */
  readonly fields: FieldValues;
  readonly stated: Stated;
}

/** What a resource does beyond being written: one small file each. What is left out does nothing. */
export interface Effects {
  /** Before permissions: adds to a new record what the server knows. May refuse (404, 409). */
  readonly complete?: (act: Act, creating: Creating) => Promise<FieldValues>;
  /** Rules that only the server can check, on top of those in `rules/valid`. */
  readonly check?: (act: Act, checked: Checked) => Promise<readonly Problem[]>;
  /** What is valid but cannot be created as things are (409). */
  readonly ready?: (act: Act, record: AnyRecord) => Promise<void> | never;
  /** In place of a table: for what is a deed and not a record. Returns the answer. */
  readonly instead?: (act: Act, record: AnyRecord) => Promise<ResourceObject>;
  readonly created?: (act: Act, record: AnyRecord, fields: FieldValues) => Promise<void>;
  readonly changing?: Changing;
  readonly changed?: Changing;
  /** Before it is asked who needs the record: may hand over what does, and may refuse (403, 409). */
  readonly removing?: (act: Act, record: AnyRecord) => Promise<void>;
}

type Changing = (
  act: Act,
  before: AnyRecord,
  after: AnyRecord,
  fields: FieldValues,
) => Promise<void>;
