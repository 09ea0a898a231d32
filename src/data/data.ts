import type { Clock } from '#base/id.ts';
import type { Of, TypeName } from '#schema/index.ts';
import type { Find } from '#rules/find.ts';
import type { FieldValues, Says } from './change.ts';
import type { Changes, ChangesView } from './use-changes.ts';
import type { Filter, ListOptions, ListView } from './use-list.ts';
import type { RecordView } from './use-record.ts';
import type { Standing } from './use-viewer.ts';

/** A value that tells when it changes. */
export interface Watched<T> {
  readonly subscribe: (listener: () => void) => () => void;
  /** The same object until it changes. */
  readonly view: () => T;
}

/** The local copy of everything for one user: what hooks read and actions write. */
export interface Data {
  readonly clock: Clock;
  readonly records: {
    readonly subscribe: (type: TypeName, id: string | null, listener: () => void) => () => void;
    readonly view: <T extends TypeName>(type: T, id: string | null) => RecordView<T>;
  };
  readonly lists: {
    readonly open: <T extends TypeName>(
      type: T,
      filter: Filter<T>,
      options?: ListOptions,
    ) => Watched<ListView<T>>;
  };
  readonly changes: Watched<ChangesView> & Pick<Changes, 'tryAgain' | 'discard' | 'exportText'>;
  readonly standing: Watched<Standing>;
  /** Looks at the device's copy, for rules. */
  readonly find: Find;
  /** The id of the viewer's own record. */
  readonly viewerId: () => string;
  /** A record's name for a sentence; '' when it is not here. */
  readonly nameOf: (type: 'user' | 'group' | 'organization', id: string) => string;

  /** Makes a record; resolves with its id once durable. */
  readonly add: <T extends TypeName>(
    type: T,
    fields: Partial<Of<T>>,
    says: Says,
  ) => Promise<string>;
  /** Replaces fields of a record; resolves once durable. Values that are there already are left out. */
  readonly edit: (type: TypeName, id: string, fields: FieldValues, says: Says) => Promise<void>;
  /** Removes a record and what is below it; resolves once durable. */
  readonly remove: (type: TypeName, id: string, says: Says) => Promise<void>;

  /** The organization a super admin looks at; null: all. Others always have all of theirs. */
  readonly look: (organization: string | null) => void;
  /** Stops everything; the device's copy stays. */
  readonly close: () => Promise<void>;
  /** Closes and removes the device's copy, waiting changes too: say how many before. */
  readonly clear: () => Promise<void>;
}
