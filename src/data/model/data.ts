import type { MemorySource } from '@orbit/memory';
import type { RecordSchema } from '@orbit/records';
import type { Clock } from '#base/id.ts';
import type { Find } from '#rules/find.ts';
import type { Of, TypeName } from '#schema/index.ts';
import type { Basis, Call, FieldValues, Says } from './change.ts';
import type {
  ChangeActions,
  ChangesView,
  ListFilter,
  Health,
  HealthActions,
  Diagnostics,
  ListOptions,
  ListView,
  Online,
  RecordView,
  ServerViews,
  ViewerStatus,
  Watched,
} from './views.ts';

/** The part of a store that react-orbitjs uses. */
export interface OrbitStoreView {
  readonly cache: MemorySource['cache'];
  readonly schema: RecordSchema;
  readonly queryBuilder: MemorySource['queryBuilder'];
  readonly query: MemorySource['query'];
  readonly update: MemorySource['update'];
  readonly on: (event: string, listener: (transform: object) => void) => void;
  readonly off: (event: string, listener: (transform: object) => void) => void;
}

/**
 * The values that a request was based on: they are shown when it has waited long, and its badge is
 * on that record.
 */
export interface RequestBasis {
  readonly basedOn?: Basis | null;
}

/** The local copy of everything for one user: what hooks read and actions write. */
export interface Data {
  readonly clock: Clock;
  readonly records: {
    readonly subscribe: (type: TypeName, id: string | null, listener: () => void) => () => void;
    readonly view: <T extends TypeName>(type: T, id: string | null) => RecordView<T>;
    /** Counts the batches in which records changed, whichever they were. */
    readonly batches: Watched<number>;
  };
  readonly lists: {
    readonly open: <T extends TypeName>(
      type: T,
      filter: ListFilter<T>,
      options?: ListOptions,
    ) => Watched<ListView<T>>;
    /**
     * Somebody is about to search: the names of languages are loaded, once, and what is `typed` is
     * looked for before it is asked for.
     */
    readonly prepareSearch: (typed?: string) => void;
  };
  readonly changes: Watched<ChangesView> & ChangeActions;
  readonly health: Watched<Health> & HealthActions;
  readonly diagnostics: Diagnostics;
  readonly viewerStatus: Watched<ViewerStatus>;
  /** True while what is shown is being refreshed and that takes long. */
  readonly refreshing: Watched<boolean>;
  /** Reads the local copy, for rules. */
  readonly find: Find;
  /** The id of the viewer's own record. */
  readonly viewerId: () => string;
  /** A record's name for a sentence; '' when it is not here. */
  readonly nameOf: (type: 'user' | 'group' | 'organization', id: string) => string;

  /** Creates a record, or requests a command that is one; resolves with its id once durable. */
  readonly add: <T extends TypeName>(
    type: T,
    fields: Partial<Of<T>>,
    says: Says,
    basis?: RequestBasis,
  ) => Promise<string>;
  /**
   * Replaces fields of a record; resolves once durable. Values that it already has are left out.
   */
  readonly edit: (type: TypeName, id: string, fields: FieldValues, says: Says) => Promise<void>;
  /** Removes a record and what is below it; resolves once durable. */
  readonly remove: (type: TypeName, id: string, says: Says) => Promise<void>;
  /**
   * Requests a command that is a call and not a record; resolves with the change's id once durable.
   * It is sent alone, as soon as possible.
   */
  readonly call: (call: Call, says: Says, basis?: RequestBasis) => Promise<string>;
  /** Requests that need a connection. */
  readonly online: Online;
  /** What is outside the working set, as the server tells it. */
  readonly server: ServerViews;

  /** The organization a super admin looks at; null: all. Others always have all of theirs. */
  readonly selectOrganization: (organization: string | null) => void;
  /** The store as react-orbitjs sees it, see `orbit-store-view.ts`. */
  readonly facade: OrbitStoreView;
  /** Resolves once the local copy is read and shown. */
  readonly restored: Promise<void>;
  /** Stops everything; the local copy stays. */
  readonly close: () => Promise<void>;
  /**
   * Closes and removes the local copy with its pending changes: tell the person how many before.
   */
  readonly clear: () => Promise<void>;
}
