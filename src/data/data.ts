import { newId } from '#base/id.ts';
import type { Clock } from '#base/id.ts';
import { wireFieldOf } from '#protocol/names.ts';
import { invalid, ProblemError } from '#protocol/problem.ts';
import { newRecord } from '#rules/defaults.ts';
import { displayNameOf } from '#rules/display.ts';
import type { Find } from '#rules/find.ts';
import { normalise, validate } from '#rules/valid/index.ts';
import { toOnesOf } from '#schema/index.ts';
import type { Of, TypeName } from '#schema/index.ts';
import { LOCAL_SCHEMA } from './backup.ts';
import type { FieldValues, Says } from './change.ts';
import { NotSavedError } from './change.ts';
import type { Environment } from './environment.ts';
import { createFacade } from './facade.ts';
import type { Facade } from './facade.ts';
import type { Draft } from './outbox.ts';
import { openPieces } from './pieces.ts';
import { fieldsOf, isSame, patchOf, valueOf } from './record.ts';
import type { StoreOperation, StorePatch, StoreRecord } from './record.ts';
import type { Changes, ChangesView } from './use-changes.ts';
import type { Filter, ListOptions, ListView } from './use-list.ts';
import type { RecordView } from './use-record.ts';
import type { Standing } from './use-viewer.ts';
import { viewerOf } from './viewer.ts';

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
  readonly changes: Watched<ChangesView> &
    Pick<Changes, 'tryAgain' | 'discard' | 'sendNow' | 'exportText'>;
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
  /** What react-orbitjs takes for a store, see `facade.ts`. */
  readonly facade: Facade;
  /** Resolves once the device's copy is read and shown. */
  readonly restored: Promise<void>;
  /** Stops everything; the device's copy stays. */
  readonly close: () => Promise<void>;
  /** Closes and removes the device's copy, waiting changes too: say how many before. */
  readonly clear: () => Promise<void>;
}

/** Opens the local copy of `account`, the id of the user's own record. */
export function createData(environment: Environment, account: string): Data {
  const pieces = openPieces(environment, account);
  const { store, lists, records, changes, standing } = pieces;
  const { clock, random } = environment;
  const at = (): string => new Date(clock()).toISOString();

  const commit = async (
    operation: StoreOperation,
    base: FieldValues,
    undo: StoreOperation,
    says: Says,
  ): Promise<void> => {
    await pieces.restored;
    const draft: Draft = {
      id: newId(clock, random),
      userId: account,
      operations: [operation],
      base: [base],
      theirs: [{}],
      undo: [undo],
      says,
      notBefore: null,
      madeAt: clock(),
      schema: LOCAL_SCHEMA,
    };
    try {
      await store.update(operation, { change: draft } as never);
    } catch (error) {
      throw new NotSavedError(error);
    }
  };

  const check = <T extends TypeName>(
    type: T,
    before: Of<T> | null,
    after: Of<T>,
    written: readonly string[],
  ): void => {
    const viewer = viewerOf(store.find, account);
    const checking = { viewer, find: store.find, at: at(), before, after, written };
    // Whether something referred to exists the server alone can tell.
    const [first, ...more] = validate(type, checking, { checkReferences: false }).map(
      ({ field, rule, meta }) => {
        const isLink = toOnesOf(type).some(([name]) => name === field);
        const part = isLink ? 'relationships' : 'attributes';
        return invalid(`/data/${part}/${wireFieldOf(type, field)}`, rule, meta);
      },
    );
    if (first !== undefined) throw new ProblemError([first, ...more]);
  };

  const add = async <T extends TypeName>(
    type: T,
    fields: Partial<Of<T>>,
    says: Says,
  ): Promise<string> => {
    await pieces.restored;
    const id = newId(clock, random);
    const stated = normalise(type, fields, at()) as Partial<Of<T>>;
    const viewer = viewerOf(store.find, account);
    const record = newRecord(type, stated, { viewer, find: store.find, at: at(), id });
    check(type, null, record, Object.keys(stated));
    const made: StoreRecord = {
      ...(patchOf(type, id, record) as Required<StorePatch>),
      meta: { version: 0 },
    };
    const undo: StoreOperation = { op: 'removeRecord', record: { type, id } };
    await commit({ op: 'addRecord', record: made }, {}, undo, says);
    return id;
  };

  const edit = async (
    type: TypeName,
    id: string,
    fields: FieldValues,
    says: Says,
  ): Promise<void> => {
    await pieces.restored;
    const record = store.record({ type, id });
    if (record === null) throw new ProblemError({ code: 'not-found' });
    const wanted = patchOf(type, id, normalise(type, fields, at()));
    const seen = Object.fromEntries(
      fieldsOf(wanted).flatMap((field) => {
        const value = valueOf(record, field);
        return isSame(value, valueOf(wanted, field)) ? [] : [[field, value]];
      }),
    );
    const written = Object.keys(seen);
    if (written.length === 0) return;
    const patch = only(wanted, written);
    const after = { ...store.flat(record), ...normalise(type, fields, at()) };
    check(type, store.flat(record), after as never, written);
    const undo: StoreOperation = { op: 'updateRecord', record: patchOf(type, id, seen) };
    await commit({ op: 'updateRecord', record: patch }, seen, undo, says);
  };

  const remove = async (type: TypeName, id: string, says: Says): Promise<void> => {
    await pieces.restored;
    const record = store.record({ type, id });
    if (record === null) return;
    const undo: StoreOperation = { op: 'addRecord', record };
    await commit({ op: 'removeRecord', record: { type, id } }, {}, undo, says);
  };

  const nameOf: Data['nameOf'] = (type, id) => {
    if (type !== 'user') return store.find.one(type, id)?.name ?? '';
    const user = store.find.one('user', id);
    return user === null ? '' : (displayNameOf(user) ?? '');
  };

  return {
    clock,
    records: {
      subscribe: (type, id, listener) => records.subscribe(type, id, listener),
      view: (type, id) => records.view(type, id),
    },
    lists: { open: (type, filter, options) => lists.open(type, filter, options) },
    changes,
    standing,
    find: store.find,
    facade: createFacade(store),
    viewerId: () => account,
    nameOf,
    add,
    edit,
    remove,
    look: pieces.look,
    restored: pieces.restored,
    close: pieces.close,
    clear: pieces.clear,
  };
}

function only(patch: StorePatch, fields: readonly string[]): StorePatch {
  const pick = <V>(values: Readonly<Record<string, V>> = {}): Record<string, V> =>
    Object.fromEntries(Object.entries(values).filter(([name]) => fields.includes(name)));
  return {
    type: patch.type,
    id: patch.id,
    attributes: pick(patch.attributes),
    relationships: pick(patch.relationships),
  };
}
