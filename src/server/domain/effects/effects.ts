import type { ResourceObject } from '#protocol/document.ts';
import type { Problem } from '#protocol/problem.ts';
import type { AnyRecord } from '#schema/index.ts';
import type { ChangeContext } from '../writes/change-context.ts';
import type { Stated } from '../writes/document.ts';

export type RecordFields = Readonly<Record<string, unknown>>;

interface Creating {
  readonly id: string;
  /** The fields as sent, normalised. */
  readonly fields: RecordFields;
  readonly stated: Stated;
}

interface Checked {
  /** It is null for a new record. */
  readonly before: AnyRecord | null;
  readonly after: AnyRecord;
  /** The fields that are written. */
  readonly fields: RecordFields;
  readonly stated: Stated;
}

/**
 * The effects of writing a resource: one small file each. A function that is left out does nothing.
 */
export interface Effects {
  /**
   * Adds to a new record what the server knows, before permissions are checked. May refuse (404,
   * 409).
   */
  readonly complete?: (context: ChangeContext, creating: Creating) => Promise<RecordFields>;
  /** Rules that only the server can check, on top of those in `rules/valid`. */
  readonly check?: (context: ChangeContext, checked: Checked) => Promise<readonly Problem[]>;
  /** Refuses a record that is valid but cannot be created as things are (409). */
  readonly ready?: (context: ChangeContext, record: AnyRecord) => Promise<void> | never;
  /** Runs in place of a table, for a command that is no record. Returns the answer. */
  readonly instead?: (context: ChangeContext, record: AnyRecord) => Promise<ResourceObject>;
  readonly created?: (
    context: ChangeContext,
    record: AnyRecord,
    fields: RecordFields,
  ) => Promise<void>;
  readonly changing?: Changing;
  readonly changed?: Changing;
  /**
   * Runs before the check that nobody needs the record: may hand over what does, and may refuse
   * (403, 409).
   */
  readonly removing?: (context: ChangeContext, record: AnyRecord) => Promise<void>;
}

type Changing = (
  context: ChangeContext,
  before: AnyRecord,
  after: AnyRecord,
  fields: RecordFields,
) => Promise<void>;
