import { createHash } from 'node:crypto';
import { newId } from '#base/id.ts';
import type { Of, TypeName } from '#schema/index.ts';
import { statedBy } from '../domain/writes/document.ts';
import { performOperation } from '../domain/writes/perform-operation.ts';
import type {
  FieldChanges,
  NewRecord,
  DatabaseTransaction,
  WriteTransaction,
} from '../db/database.ts';
import { loadViewer } from '../access/viewer.ts';
import type { Services } from '../domain/services.ts';
import { accounts } from './accounts.ts';
import type { AccountKey } from './accounts.ts';

/** The date of all demo data, whenever it was really made: the same in every installation. */
export const DEMO_AT = Date.UTC(2026, 0, 5, 9);

/** Returns bytes that follow from `name` alone. */
function bytesOf(name: string): (bytes: Uint8Array) => Uint8Array {
  return (bytes) => {
    bytes.set(createHash('sha512').update(name).digest().subarray(0, bytes.length));
    return bytes;
  };
}

/** Returns the id of the demo record called `name`. */
export function demoId(name: string): string {
  return newId(() => DEMO_AT, bytesOf(`slipway demo ${name}`));
}

/**
 * Returns the same services, in which time stands still, chance repeats itself, and no mail is
 * sent.
 */
export function demoServices(services: Services): Services {
  let drawn = 0;
  const random = (bytes: Uint8Array) => {
    drawn += 1;
    return bytesOf(`slipway demo draw ${drawn}`)(bytes);
  };
  const mail = { ...services.mail, send: () => Promise.resolve() };
  return { ...services, clock: () => DEMO_AT, random, mail };
}

/** A person of the demo: each step goes the way of a request, permissions included. */
export interface DemoActor {
  readonly id: string;
  add<T extends TypeName>(
    type: T,
    record: NewRecord<T> & { readonly email?: string },
  ): Promise<void>;
  change<T extends TypeName>(type: T, id: string, fields: FieldChanges<T>): Promise<void>;
  remove(type: TypeName, id: string): Promise<void>;
}

export async function actor(
  services: Services,
  write: WriteTransaction,
  key: AccountKey,
): Promise<DemoActor> {
  const { id } = await userNamed(write, key);
  const context = async () => ({
    services,
    write,
    viewer: await loadViewer(write, id),
    at: new Date(services.clock()).toISOString(),
  });
  return {
    id,
    add: async (type, { id: newOne, ...fields }) => {
      await performOperation(await context(), {
        op: 'add',
        type,
        id: newOne,
        stated: statedBy(fields),
      });
    },
    change: async (type, changed, fields) => {
      await performOperation(await context(), {
        op: 'update',
        type,
        id: changed,
        stated: statedBy(fields),
        base: null,
        relationship: null,
        match: null,
        isUndo: false,
      });
    },
    remove: async (type, removed) => {
      await performOperation(await context(), {
        op: 'remove',
        type,
        id: removed,
        match: null,
        isUndo: false,
      });
    },
  };
}

export async function userNamed(tx: DatabaseTransaction, key: AccountKey): Promise<Of<'user'>> {
  return theOne(await tx.all('user', { email: accounts[key].email }), accounts[key].email);
}

/** The first of `found`; without one the demo cannot be played. */
export function theOne<T>(found: readonly T[], name: string): T {
  const [first] = found;
  if (first === undefined) throw new Error(`The demo looked for ${name} and it is not there`);
  return first;
}
