import type { Data, RequestBasis } from './model/data.ts';
import { newId } from '#base/id.ts';
import { limits } from '#protocol/limits.ts';
import { wireFieldOf } from '#protocol/names.ts';
import { invalid, ProblemError } from '#protocol/problem.ts';
import { newRecord } from '#rules/record/defaults.ts';
import { displayNameOf } from '#rules/record/display.ts';
import { normalise, validate } from '#rules/valid/index.ts';
import { resourceOf, toOnesOf } from '#schema/index.ts';
import type { Of, TypeName } from '#schema/index.ts';
import { pickFields } from './outbox/rebase-changes.ts';
import { LOCAL_SCHEMA } from './storage/backup.ts';
import type { FieldValues, Says } from './model/change.ts';
import { saving } from './model/change.ts';
import type { Environment } from './model/environment.ts';
import { createOrbitStoreView } from './store/orbit-store-view.ts';
import type { NewChange } from './outbox/coalesce.ts';
import { SerialQueue } from '#base/serial-queue.ts';
import { openLocalCopy } from './local-copy.ts';
import { fieldsOf, isSame, patchOf, valueOf } from './model/record.ts';
import type { StoreOperation, StorePatch, StoreRecord } from './model/record.ts';
import { viewerOf } from './store/viewer.ts';

/** Opens the local copy of `account`, the id of the user's own record. */
export function createData(environment: Environment, account: string): Data {
  const localCopy = openLocalCopy(environment, account);
  const { store, changes } = localCopy;
  const { clock, random } = environment;
  const at = (): string => new Date(clock()).toISOString();

  const draftOf = (says: Says, overrides: Partial<NewChange>): NewChange => ({
    ...{ id: newId(clock, random), userId: account, says, madeAt: clock(), schema: LOCAL_SCHEMA },
    ...{ operations: [], base: [], theirs: [], undo: [], call: null },
    ...{ basedOn: null, undoes: null, notBefore: null },
    ...overrides,
  });

  const commit = async (
    operation: StoreOperation,
    base: FieldValues,
    undo: StoreOperation,
    says: Says,
    overrides: Partial<NewChange> = {},
  ): Promise<void> => {
    await localCopy.restored;
    const one = { operations: [operation], base: [base], theirs: [{}], undo: [undo] };
    const draft = draftOf(says, { ...one, ...overrides });
    // A command is not a stored record: there is nothing to show.
    if (!resourceOf(operation.record.type).isStored) await changes.add(draft);
    else await saving(() => store.update(operation, { change: draft } as never));
  };

  const check = <T extends TypeName>(
    type: T,
    before: Of<T> | null,
    after: Of<T>,
    written: readonly string[],
  ): void => {
    const viewer = viewerOf(store.find, account);
    const checking = { viewer, find: store.find, at: at(), before, after, written };
    // Only the server can tell whether a record that is referred to exists.
    const [first, ...more] = validate(type, checking, null).map(({ field, rule, meta }) => {
      const isLink = toOnesOf(type).some(([name]) => name === field);
      const part = isLink ? 'relationships' : 'attributes';
      return invalid(`/data/${part}/${wireFieldOf(type, field)}`, rule, meta);
    });
    if (first !== undefined) throw new ProblemError([first, ...more]);
  };

  const add = async <T extends TypeName>(
    type: T,
    fields: Partial<Of<T>>,
    says: Says,
    { basedOn = null }: RequestBasis = {},
  ): Promise<string> => {
    await localCopy.restored;
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
    await commit({ op: 'addRecord', record: made }, {}, undo, says, { basedOn });
    return id;
  };

  // Edits run one after the other: the second of two must see what the first one left.
  const queue = new SerialQueue();
  const edit: Data['edit'] = (...values) => queue.run(() => editNow(...values));
  const editNow: Data['edit'] = async (type, id, fields, says) => {
    await localCopy.restored;
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
    const patch = pickFields(wanted, written);
    const after = { ...store.flat(record), ...normalise(type, fields, at()) };
    check(type, store.flat(record), after as never, written);
    const undo: StoreOperation = { op: 'updateRecord', record: patchOf(type, id, seen) };
    await commit({ op: 'updateRecord', record: patch }, seen, undo, says);
  };

  const remove: Data['remove'] = (...values) => queue.run(() => removeNow(...values));
  const removeNow: Data['remove'] = async (type, id, says) => {
    await localCopy.restored;
    const record = store.record({ type, id });
    if (record === null) return;
    const undo: StoreOperation = { op: 'addRecord', record };
    const notBefore = resourceOf(type).delaysRemoval ? clock() + limits.removalHeldMs : null;
    await commit({ op: 'removeRecord', record: { type, id } }, {}, undo, says, { notBefore });
  };

  const call: Data['call'] = async (request, says, { basedOn = null } = {}) => {
    await localCopy.restored;
    const draft = draftOf(says, { call: request, basedOn });
    await changes.add(draft);
    return draft.id;
  };

  const nameOf: Data['nameOf'] = (type, id) => {
    if (type !== 'user') return store.find.one(type, id)?.name ?? '';
    const user = store.find.one('user', id);
    return user === null ? '' : (displayNameOf(user) ?? '');
  };

  return {
    ...localCopy,
    clock,
    find: store.find,
    facade: createOrbitStoreView(store),
    viewerId: () => account,
    nameOf,
    add,
    edit,
    remove,
    call,
  };
}
