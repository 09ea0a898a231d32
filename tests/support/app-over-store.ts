import { act } from '@testing-library/react';
import type { ResourceObject } from '#protocol/document.ts';
import { typeOfWire } from '#protocol/names.ts';
import { resourceOf } from '#schema/index.ts';
import type { AnyRecord, TypeName } from '#schema/index.ts';
import type { Data } from '../../src/data/model/data.ts';
import { Device, turns, until } from './device.ts';
import { FaultyIndexedDB } from './faulty-indexeddb.ts';
import { resourceObject } from './resource-object.ts';
import { ScriptedServer } from './scripted-server.ts';
import type { Shelf } from './shelf.ts';

/** A write that a screen asked the local copy for. */
interface RecordedAction {
  readonly did: 'add' | 'edit' | 'remove' | 'call';
  readonly type: TypeName;
  /** Empty where a record is added: it has none yet. */
  readonly id: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** The product's own local copy of a test, with the edges at which a test can reach it. */
export interface AppOverStore {
  readonly data: Data;
  /** The writes that screens asked for, in order; each one goes on into the outbox. */
  readonly recordedActions: readonly RecordedAction[];
  readonly server: ScriptedServer;
  readonly device: Device;
  readonly storage: FaultyIndexedDB;
  /** Someone else changes the record. */
  readonly setRecord: (
    type: TypeName,
    id: string,
    fields: Readonly<Record<string, unknown>>,
  ) => Promise<void>;
  /** Someone else adds the record, or replaces the one with its id. */
  readonly putRecord: (type: TypeName, record: AnyRecord) => Promise<void>;
  /** Someone else removes the record. */
  readonly dropRecord: (type: TypeName, id: string) => Promise<void>;
  /** Lets everything end that has begun: requests, writes, and what they lead to on the screen. */
  readonly settle: () => Promise<void>;
  /** Cuts the device off from the network. */
  readonly goOffline: () => Promise<void>;
  /** Connects the device to the network again. */
  readonly goOnline: () => Promise<void>;
  /** Lets time pass on the device: what waits for it is done. */
  readonly passOnDevice: (ms: number) => Promise<void>;
}

const NOW = Date.parse('2026-03-02T12:00:00.000Z');

/** Copies that are open; they are closed after each test. */
const open = new Set<Data>();

export interface OpenOptions {
  /** The first load has brought the shelf, and more may still come: until `server.letThrough`. */
  readonly isLoading?: boolean;
  /** An earlier one, which is closed: its device, storage and server are there again. */
  readonly after?: AppOverStore;
  /** What happened to the storage before it is opened. */
  readonly prepare?: (storage: FaultyIndexedDB) => Promise<unknown>;
}

/** Opens the local copy of `viewer`; resolves once the first load has brought it the shelf. */
export async function openStore(
  viewer: string,
  shelf: Shelf,
  { isLoading = false, after, prepare }: OpenOptions = {},
): Promise<AppOverStore> {
  const server = after?.server ?? new ScriptedServer();
  for (const record of recordsOf(shelf)) server.records.set(`${record.type}/${record.id}`, record);
  // What follows the snapshot ends the first load.
  if (isLoading) server.holds = (address) => address.includes('since=');
  const device = after?.device ?? new Device(server);
  device.now = NOW;
  const storage = after?.storage ?? new FaultyIndexedDB();
  await prepare?.(storage);
  const real = device.open(viewer, { indexedDB: storage.factory });
  open.add(real);
  const isLoaded = () => real.lists.open('user', {}).view().asOf !== null;
  const isShown = () => real.viewerStatus.view() === 'ready';
  await until(isLoading ? isShown : isLoaded, 'the first load');
  requireAll(real, shelf);
  const recordedActions: RecordedAction[] = [];
  const data: Data = {
    ...real,
    add: (type, fields, ...more) => {
      recordedActions.push({ did: 'add', type, id: '', fields });
      return real.add(type, fields, ...more);
    },
    call: (call, ...more) => {
      const [about] = call.about;
      if (about === undefined) throw new Error('The call is about no record');
      recordedActions.push({
        did: 'call',
        ...about,
        fields: call.body as RecordedAction['fields'],
      });
      return real.call(call, ...more);
    },
    edit: (type, id, fields, says) => {
      recordedActions.push({ did: 'edit', type, id, fields });
      return real.edit(type, id, fields, says);
    },
    remove: (type, id, says) => {
      recordedActions.push({ did: 'remove', type, id, fields: {} });
      return real.remove(type, id, says);
    },
  };
  const settle = async () => {
    await act(() => turns(3));
  };
  const putRecord: AppOverStore['putRecord'] = async (type, record) => {
    const version = (server.get(type, record.id)?.meta?.version ?? 0) + 1;
    server.commit([{ op: 'update', data: asResource(type, { ...record, version }) }], []);
    await settle();
  };
  return {
    data,
    recordedActions,
    putRecord,
    setRecord: async (type, id, fields) => {
      const record = real.find.one(type, id);
      if (record === null) throw new Error(`There is no ${type} ${id}`);
      await putRecord(type, { ...record, ...fields });
    },
    dropRecord: async (type, id) => {
      server.take(type, id);
      await settle();
    },
    server,
    device,
    storage,
    settle,
    goOffline: async () => {
      server.isDown = true;
      device.isOnline = false;
      device.pageChanged();
      await settle();
    },
    goOnline: async () => {
      server.isDown = false;
      device.isOnline = true;
      device.pageChanged();
      await settle();
    },
    passOnDevice: async (ms) => {
      await act(() => device.pass(ms));
    },
  };
}

/** Closes what the test opened; call it after its pages are gone. */
export async function closeStores(): Promise<void> {
  for (const data of open) await data.close();
  open.clear();
}

/** @throws Error when the first load did not bring something that it should have */
function requireAll({ find }: Data, shelf: Shelf): void {
  for (const record of recordsOf(shelf)) {
    const type = typeOfWire(record.type);
    if (type === null || resourceOf(type).load !== 'first') continue;
    if (find.one(type, record.id) === null)
      throw new Error(`The local copy did not take the ${type} ${record.id}`);
  }
}

function recordsOf(shelf: Shelf): ResourceObject[] {
  return Object.entries(shelf).flatMap(([type, records]) =>
    records.map((record) => asResource(type as TypeName, record)),
  );
}

/** The record as the server sends it. */
export function asResource(type: TypeName, { id, version, ...fields }: AnyRecord): ResourceObject {
  return { ...(resourceObject(type, id, fields) as ResourceObject), meta: { version } };
}
