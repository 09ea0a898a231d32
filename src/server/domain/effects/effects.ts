import type { ResourceObject } from '#protocol/document.ts';
import type { Problem } from '#protocol/problem.ts';
import type { AnyRecord } from '#schema/index.ts';
import type { ChangeContext } from '../writes/change-context.ts';
import type { Stated } from '../writes/document.ts';

export type RecordFields = Readonly<Record<string, unknown>>;

interface Creating {
  readonly id: string;
  /** As sent, normalised. */
  readonly fields: RecordFields;
  readonly stated: Stated;
}

interface Checked {
  /** Null: a new record. */
  readonly before: AnyRecord | null;
  readonly after: AnyRecord;
  /** What is written. */
  readonly fields: RecordFields;
  readonly stated: Stated;
}

/** What a resource does beyond being written: one small file each. What is left out does nothing. */
export interface Effects {
  /** Before permissions: adds to a new record what the server knows. May refuse (404, 409). */
  readonly complete?: (act: ChangeContext, creating: Creating) => Promise<RecordFields>;
  /** Rules that only the server can check, on top of those in `rules/valid`. */
  readonly check?: (act: ChangeContext, checked: Checked) => Promise<readonly Problem[]>;
  /** What is valid but cannot be created as things are (409). */
  readonly ready?: (act: ChangeContext, record: AnyRecord) => Promise<void> | never;
  /** In place of a table: for what is a deed and not a record. Returns the answer. */
  readonly instead?: (act: ChangeContext, record: AnyRecord) => Promise<ResourceObject>;
  readonly created?: (act: ChangeContext, record: AnyRecord, fields: RecordFields) => Promise<void>;
  readonly changing?: Changing;
  readonly changed?: Changing;
  /** Before it is asked who needs the record: may hand over what does, and may refuse (403, 409). */
  readonly removing?: (act: ChangeContext, record: AnyRecord) => Promise<void>;
}

type Changing = (
  act: ChangeContext,
  before: AnyRecord,
  after: AnyRecord,
  fields: RecordFields,
) => Promise<void>;
