import type { Of, TypeName } from '#schema/index.ts';

/**
 * The way in which a rule looks at other records: the local store in the browser, the open
 * transaction on the server. It answers what is there, not what the viewer may see.
 */
export interface Find {
  /** The record, or null when there is none. */
  readonly one: <T extends TypeName>(type: T, id: string) => Of<T> | null;
  /** Every record of `type` whose fields equal those given. */
  readonly all: <T extends TypeName>(type: T, where: Partial<Of<T>>) => readonly Of<T>[];
}
