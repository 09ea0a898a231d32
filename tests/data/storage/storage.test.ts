import { expect } from 'chai';
import { createProject } from '#data/actions/projects.ts';
import type { Data } from '../../../src/data/model/data.ts';
import type { Change } from '#data/model/change.ts';
import type { StoreRecord } from '#data/model/record.ts';
import { LOCAL_SCHEMA } from '#data/storage/migrate.ts';
import { wireTypeOf } from '#protocol/names.ts';
import type { TypeName } from '#schema/index.ts';
import { microtasks, turns, until } from '../../support/device.ts';
import { answered } from '../../support/faulty-indexeddb.ts';
import { anId, problem } from '../../support/scripted-server.ts';
import { Stored, whyNot } from '../../support/stored.ts';

describe('the device’s storage', () => {
  let at: Stored;

  beforeEach(() => {
    at = new Stored();
  });
  afterEach(() => at.close());

  const nameOf = () => `slipway-${at.world.me}`;

  /** The content of a store, whoever has it open. */
  async function read<T>(store: string): Promise<Map<string | number, T>> {
    const db = await answered(at.storage.inner.open(nameOf()));
    const table = db.transaction(store).objectStore(store);
    const keys = answered(table.getAllKeys()) as Promise<(string | number)[]>;
    const values = (await answered(table.getAll())) as T[];
    db.close();
    return new Map((await keys).map((key, i) => [key, values[i] as T]));
  }

  async function write(store: string, key: IDBValidKey, value: unknown): Promise<void> {
    const db = await answered(at.storage.inner.open(nameOf()));
    await answered(db.transaction(store, 'readwrite').objectStore(store).put(value, key));
    db.close();
  }

  /**
   * Waits until all changes of `data` are answered and the project is called `name` on the server.
   */
  async function expectArrived(data: Data, name: string): Promise<void> {
    await at.answered(data);
    expect(at.inServer()).to.equal(name);
  }

  /** Somebody else describes the project, and `data` receives it. */
  async function describeElsewhere(data: Data): Promise<void> {
    at.world.server.put('project', { id: at.world.project, description: 'News' });
    const description = () => data.find.one('project', at.world.project)?.description;
    await until(() => description() === 'News', 'the news');
  }

  describe('[fault 5] a tab that dies between an edit and its commit', () => {
    for (const steps of [0, 1, 2, 3])
      it(`has shown nothing as saved, and shows nothing after a reload (${steps} steps in)`, async () => {
        const tab = at.storage.tab();
        const data = at.tab({}, tab);
        await at.isLevel(data);
        at.offline();
        const saved: string[] = [];
        tab.killAfter(steps);
        void at.rename(data, 'Mine').then(() => saved.push('Mine'));
        await Promise.race([tab.killed, turns(20)]);
        await turns(20);
        const wasShown = at.name(data) === 'Mine';
        const again = at.tab();
        await again.restored;
        // Either it was durable, and may have been shown, or it was not, and never was.
        const isThere = at.name(again) === 'Mine';
        expect(isThere || (saved.length === 0 && !wasShown)).to.equal(true);
        expect(again.changes.view().waiting).to.equal(isThere ? 1 : 0);
        if (steps < 2) expect(isThere).to.equal(false);
      });

    it('is said to be saving from the act on, until it is known whether it was kept', async () => {
      const data = await at.level();
      const shown = () => {
        const { status, waiting } = data.changes.view();
        return `${status} ${waiting}`;
      };
      const said = [shown()];
      data.changes.subscribe(() => {
        if (said.at(-1) !== shown()) said.push(shown());
      });
      const saved = at.rename(data, 'Mine');
      await microtasks();
      expect(at.name(data)).not.to.equal('Mine');
      expect(said).to.deep.equal(['saved 0', 'saving 1']);
      await saved;
      await expectArrived(data, 'Mine');
      expect(said).to.deep.equal(['saved 0', 'saving 1', 'saved 0']);

      at.storage.fail({ at: 'commit', name: 'QuotaExceededError' });
      expect(await whyNot(at.rename(data, 'Too much'))).to.equal('full');
      expect(said.slice(2)).to.deep.equal(['saved 0', 'saving 1', 'saved 0']);
    });
  });

  describe('[fault 11] storage that is full', () => {
    it('refuses an edit before it looks saved, and takes it once there is room', async () => {
      const data = await at.renamedOffline('First');
      const heal = at.storage.fail({ at: 'commit', name: 'QuotaExceededError' });
      expect(await whyNot(at.rename(data, 'Second'))).to.equal('full');
      expect(at.name(data)).to.equal('First');
      expect(data.changes.view().waiting).to.equal(1);
      heal();
      await data.health.freeSpace();
      await at.rename(data, 'Second');
      expect(at.name(data)).to.equal('Second');
      at.online();
      await expectArrived(data, 'Second');
    });

    it('makes room by dropping first what is outside the working set', async () => {
      const data = await at.renamedOffline('Mine');
      const chunks = await read<string | StoreRecord[]>('chunks');
      const all = [...chunks.values()].flatMap((chunk) =>
        typeof chunk === 'string' ? (JSON.parse(chunk) as StoreRecord[]) : chunk,
      );
      for (const row of (await read<StoreRecord | null>('rows')).values())
        if (row !== null) all.push(row);
      const record = all.find(({ type }) => type === 'project');
      expect(record).not.to.equal(undefined);
      const fetchedAt = '2026-01-31T09:30:00.000Z';
      const row = { ...record, id: anId(), meta: { version: 1, fetchedAt } } as StoreRecord;
      await write('chunks', 'project/99/outside', JSON.stringify([{ ...row, id: anId() }]));
      await write('rows', `project:${row.id}`, row);
      const rows = await read('rows');
      await data.health.freeSpace();
      expect((await read('chunks')).has('project/99/outside')).to.equal(false);
      expect([...chunks.keys()]).to.deep.equal([...(await read('chunks')).keys()]);
      const after = await read('rows');
      expect(after.get(`project:${row.id}`)).to.equal(null);
      expect([...after.keys()]).to.deep.equal([...rows.keys()]);
    });

    it('makes room by dropping what is asked for first, then every record, and never a change', async () => {
      const data = await at.renamedOffline('Mine');
      const record = { type: 'systemStatus', id: at.world.me };
      await write('chunks', 'systemStatus/99', [record]);
      const before = await read('chunks');
      await data.health.freeSpace();
      const after = await read('chunks');
      expect([...before.keys()].filter((key) => !after.has(key))).to.deep.equal([
        'systemStatus/99',
      ]);
      await data.health.freeSpace();
      expect((await read('chunks')).size + (await read('rows')).size).to.equal(0);
      expect([...(await read<object>('outbox')).values()]).to.have.length(1);
      expect((await read('facts')).get('facts')).to.include({ cursor: null });
      expect(at.name(data)).to.equal('Mine');
    });

    it('gets the records again after a reload, with the change on top', async () => {
      const data = await at.renamedOffline('Mine');
      await data.health.freeSpace();
      const again = await at.reload(data);
      expect(again.changes.view().waiting).to.equal(1);
      at.online();
      await at.device.pass(4_000);
      await until(() => at.name(again) !== undefined, 'the records');
      await expectArrived(again, 'Mine');
    });

    /** A tab that the storage failed at its start, and that came to lead while there was no room. */
    const leadWithoutRoom = async (): Promise<{ data: Data; free: () => void }> => {
      await at.leaveWaiting();
      const heal = at.storage.fail({ at: 'open', name: 'UnknownError' });
      at.online();
      const data = at.tab();
      await at.isLevel(data);
      const free = at.storage.fail({ at: 'commit', name: 'QuotaExceededError' });
      heal();
      await at.device.pass(30_000);
      return { data, free };
    };

    it('has everything soon after there is room, though a tab came to lead when there was none', async () => {
      const { data, free } = await leadWithoutRoom();
      expect(data.health.view().storageState).to.equal('kept');
      at.world.server.put('organization', { id: at.world.organization, name: 'News' });
      const nameIn = (tab: Data) => tab.find.one('organization', at.world.organization)?.name;
      await until(() => nameIn(data) === 'News', 'the news');
      free();
      await at.device.pass(60_000);
      expect(data.changes.view().status).to.equal('saved');
      at.offline();
      const again = await at.reload(data);
      expect(nameIn(again)).to.equal('News');
      expect(at.name(again)).to.equal('Waiting');
    });

    it('leaves on the screen what came while there was no room, also offline', async () => {
      const { data, free } = await leadWithoutRoom();
      const made = at.world.addProject({ name: 'Made since' });
      await until(() => at.name(data, made) === 'Made since', 'the news');
      at.offline();
      free();
      await at.device.pass(60_000);
      expect(at.name(data, made)).to.equal('Made since');
      expect(at.name(data)).to.equal('Waiting');
    });

    const SIGNS_OF_ROOM: readonly (readonly [string, (data: Data) => Promise<void> | void])[] = [
      ['an edit is saved', (data) => at.rename(data, 'Later')],
      [
        'an edit is saved in another tab',
        async () => {
          const other = at.tab();
          await other.restored;
          await at.rename(other, 'Later');
        },
      ],
      [
        'the person comes back, who may have made room',
        () => {
          at.device.pageChanged();
        },
      ],
    ];
    for (const [sign, give] of SIGNS_OF_ROOM)
      it(`sends what waits as soon as ${sign}, however long a tab has led without room`, async () => {
        await at.leaveWaiting();
        const free = at.storage.fail({ at: 'commit', name: 'QuotaExceededError' });
        at.online();
        const data = at.tab();
        await at.isLevel(data);
        await at.device.pass(200_000);
        free();
        await at.device.pass(1_000);
        expect(at.inServer()).not.to.equal('Waiting');
        await give(data);
        await at.device.pass(1_000);
        expect(data.changes.view()).to.include({ waiting: 0, attention: 0, status: 'saved' });
        expect(at.inServer()).to.equal(at.name(data));
      });

    it('does not lose news that it could not take, nor asks hot', async () => {
      const data = await at.level();
      let tries = 0;
      const onHit = () => (tries += 1);
      const heal = at.storage.fail({ at: 'commit', name: 'QuotaExceededError', onHit });
      at.world.server.put('project', { id: at.world.project, name: 'News' });
      at.world.server.put('project', { id: at.world.project, name: 'More news' });
      await until(() => at.name(data) === 'More news', 'the news');
      await at.device.pass(60_000);
      expect(tries).to.be.within(2, 8);
      heal();
      at.offline();
      await at.device.pass(600_000);
      const again = await at.reload(data);
      expect(at.name(again)).to.equal('More news');
    });
  });

  describe('[fault 12] a browser that evicted everything', () => {
    it('is noticed at the next start, with the number of changes that may be missing', async () => {
      const other = at.world.addProject();
      const data = await at.renamedOffline('Mine');
      await at.rename(data, 'Other', other);
      await data.close();
      await at.storage.evict();
      const again = await at.reload(data);
      expect(again.health.view().evicted).to.equal(2);
      // Said until the person has read it, also after another reload.
      const later = await at.reload(again);
      expect(later.health.view().evicted).to.equal(2);
      later.health.acknowledge();
      expect(later.health.view().evicted).to.equal(null);
      const last = await at.reload(later);
      expect(last.health.view().evicted).to.equal(null);
    });

    it('is said when nothing was waiting, too', async () => {
      const data = await at.level();
      await data.close();
      await at.storage.evict();
      expect((await at.reload(data)).health.view().evicted).to.equal(0);
    });

    it('is told from a sign-out, and from a first visit', async () => {
      const data = await at.level();
      expect(data.health.view().evicted).to.equal(null);
      await at.rename(data, 'Mine');
      await data.clear();
      const again = at.tab();
      await again.restored;
      expect(again.health.view().evicted).to.equal(null);
    });

    it('counts what was waiting, not what was done', async () => {
      const data = await at.level();
      await at.rename(data, 'Mine');
      await at.answered(data);
      await data.close();
      await at.storage.evict();
      expect((await at.reload(data)).health.view().evicted).to.equal(0);
    });
  });

  describe('[fault 13] no storage at all', () => {
    const noneThere = { indexedDB: null };

    for (const [what, open] of [
      ['there is none', () => at.tab(noneThere)],
      [
        'the browser forbids it',
        () => {
          at.storage.fail({ at: 'throw-at-open', name: 'SecurityError' });
          return at.tab();
        },
      ],
      [
        'it is refused when opened',
        () => {
          at.storage.fail({ at: 'open', name: 'InvalidStateError' });
          return at.tab();
        },
      ],
    ] as const)
      it(`reads, changes and sends in memory when ${what}`, async () => {
        const data = open();
        await at.isLevel(data);
        expect(data.health.view()).to.deep.equal({
          storageState: 'memory',
          evicted: null,
          isRenewed: false,
          wouldLose: false,
        });
        at.offline();
        await at.rename(data, 'Mine');
        expect(at.name(data)).to.equal('Mine');
        expect(data.health.view().wouldLose).to.equal(true);
        const [row] = data.changes.view().rows;
        expect(data.changes.exportText(row?.id ?? '')).to.contain('Mine');
        at.online();
        await expectArrived(data, 'Mine');
        expect(data.health.view().wouldLose).to.equal(false);
      });

    it('does not keep two tabs from sending what each did', async () => {
      const first = await at.level(noneThere);
      const second = await at.level(noneThere);
      const other = at.world.addProject();
      await until(() => at.name(second, other) !== undefined, 'the other project');
      await at.rename(first, 'First');
      await at.rename(second, 'Second', other);
      await at.answered(first);
      await at.answered(second);
      expect([at.inServer(), at.inServer(other)]).to.deep.equal(['First', 'Second']);
      await until(() => at.name(first, other) === 'Second', 'the news of the other');
    });
  });

  describe('[fault 14] an old tab that blocks the upgrade', () => {
    /** A tab of the version before, which has left its copy and a change. */
    async function oldTab(letsGo: boolean): Promise<IDBDatabase> {
      const old = await answered(at.storage.inner.open(nameOf(), LOCAL_SCHEMA));
      if (letsGo)
        old.onversionchange = () => {
          old.close();
        };
      return old;
    }

    it('lets go when it can, and the new one waits for nothing', async () => {
      await (await at.level()).close();
      await oldTab(true);
      const data = await at.level();
      expect(data.health.view().storageState).to.equal('kept');
    });

    it('keeps the new one reading, clearly refusing to write, until it is closed', async () => {
      await at.leaveWaiting();
      at.online();
      const old = await oldTab(false);
      const data = at.tab({ indexedDB: upgraded(at.storage.tab().factory, 1) });
      await until(() => data.health.view().storageState === 'blocked', 'blocked');
      await at.isLevel(data);
      expect(at.name(data)).to.equal('Harvest');
      expect(await whyNot(at.rename(data, 'Mine'))).to.equal('blocked');
      expect(at.name(data)).to.equal('Harvest');
      await describeElsewhere(data);
      old.close();
      await until(() => data.health.view().storageState === 'kept', 'unblocked');
      await at.answered(data);
      await until(() => at.inServer() === 'Waiting', 'what waited before');
      await at.rename(data, 'Mine');
      await expectArrived(data, 'Mine');
    });

    it('goes on reading itself when a newer app upgrades its storage, and writes no more', async () => {
      const old = await at.renamedOffline('Waiting');
      const newer = await answered(at.storage.inner.open(nameOf(), LOCAL_SCHEMA + 1));
      await until(() => old.health.view().storageState === 'newer', 'the newer app');
      at.online();
      await at.device.pass(10_000);
      await describeElsewhere(old);
      expect(await whyNot(at.rename(old, 'Mine'))).to.equal('newer');
      // The newer app sends the pending changes.
      expect(at.world.server.applied).to.deep.equal([]);
      expect(at.device.reports.join()).not.to.contain('Sending failed');
      expect(old.changes.view().waiting).to.equal(1);
      newer.close();
    });
  });

  describe('[fault 15] storage that fails in mid-session', () => {
    it('is opened again after the browser closed it; nothing is noticed', async () => {
      const data = await at.level();
      at.storage.closeAll();
      await at.rename(data, 'Mine');
      await expectArrived(data, 'Mine');
      expect(data.health.view().storageState).to.equal('kept');
    });

    it('refuses edits as not saved while it fails, and goes on by itself when it is back', async () => {
      const data = await at.renamedOffline('First');
      let opened = 0;
      const heal = [
        at.storage.fail({ at: 'commit', name: 'UnknownError' }),
        at.storage.fail({ at: 'open', name: 'UnknownError', onHit: () => (opened += 1) }),
      ];
      expect(await whyNot(at.rename(data, 'Second'))).to.equal('failing');
      expect(data.health.view().storageState).to.equal('failing');
      expect(at.name(data)).to.equal('First');
      await at.device.pass(120_000);
      expect(opened).to.be.within(4, 12);
      expect(data.health.view().storageState).to.equal('failing');
      for (const end of heal) end();
      await at.device.pass(40_000);
      expect(data.health.view().storageState).to.equal('kept');
      await at.rename(data, 'Second');
      at.online();
      await expectArrived(data, 'Second');
    });

    it('has disk and memory agree afterwards, also on what was sent meanwhile', async () => {
      const data = await at.level();
      await at.rename(data, 'First');
      const heal = at.storage.fail({ at: 'commit', name: 'AbortError' });
      await at.device.pass(10_000);
      heal();
      await at.device.pass(60_000);
      await at.answered(data);
      await at.device.pass(60_000);
      const onDisk = [...(await read<{ id: string; state: string }>('outbox')).values()];
      const here = data.changes.view().rows.map(({ id, state }) => ({ id, state }));
      expect(onDisk.map(({ id, state }) => ({ id, state }))).to.deep.equal(here.reverse());
      expect(at.world.server.applied).to.have.length(1);
    });

    it('gives back to emptied storage what the person did, with its order', async () => {
      const data = await at.renamedOffline('First');
      const id = await createProject(data, {
        name: 'Mango',
        language: 'fr-FR',
        organization: at.world.organization,
        group: at.world.group,
        type: at.world.type,
      });
      await at.storage.evict();
      await at.device.pass(2_000);
      expect(data.health.view().storageState).to.equal('kept');
      await at.rename(data, 'Mango 2', id);
      const again = await at.reload(data);
      // The new name went into the creation, which was never sent.
      expect(again.changes.view().waiting).to.equal(2);
      expect(again.health.view().evicted).to.equal(null);
      expect(at.name(again)).to.equal('First');
      expect(at.name(again, id)).to.equal('Mango 2');
      at.online();
      await at.answered(again);
      expect([at.inServer(), at.inServer(id)]).to.deep.equal(['First', 'Mango 2']);
    });

    describe('[fault 44] that another page of the origin removes', () => {
      const remove = () => answered(at.storage.inner.deleteDatabase(nameOf()));

      it('gets anew what the person did, which is sent, and so is what they do afterwards', async () => {
        const data = await at.renamedOffline('Before');
        await remove();
        await at.device.pass(1_000);
        expect(data.health.view()).to.include({ storageState: 'kept', isRenewed: true });
        const id = at.world.addProject({ name: 'Another' });
        expect(
          [...(await read<Change>('outbox')).values()].map(({ says }) => says[1].to),
        ).to.deep.equal(['Before']);
        await at.rename(data, 'After');
        at.online();
        await expectArrived(data, 'After');
        await until(() => at.name(data, id) === 'Another', 'the news');
        await at.device.pass(1_000);
        const again = await at.reload(data);
        expect(at.name(again)).to.equal('After');
        expect(again.health.view()).to.include({ evicted: null, isRenewed: false });
      });

      it('takes an edit that is made in the same moment, or says that it is not saved', async () => {
        const data = await at.renamedOffline('Before');
        const removed = remove();
        const why = await at.rename(data, 'Meanwhile').then(
          () => null,
          (error: unknown) => (error as { readonly why: unknown }).why,
        );
        await removed;
        await at.device.pass(1_000);
        const waiting = data.changes.view().rows.map(({ says }) => says[1].to);
        expect(waiting.includes('Meanwhile')).to.equal(why === null);
        at.online();
        await expectArrived(data, why === null ? 'Meanwhile' : 'Before');
      });

      it('and that stays held up says so at once, and goes on once it opens', async () => {
        const data = await at.renamedOffline('Before');
        // A page that does not let go holds up the removal, and whoever opens it after.
        const held = await answered(at.storage.inner.open(nameOf()));
        const removed = remove();
        await turns(5);
        const saved = whyNot(at.rename(data, 'Too early'));
        await at.device.pass(5_000);
        expect(data.health.view()).to.include({ storageState: 'failing', wouldLose: true });
        expect(await saved).to.equal('failing');
        held.close();
        await removed;
        await at.device.pass(60_000);
        expect(data.health.view()).to.include({ storageState: 'kept', wouldLose: false });
        at.online();
        await expectArrived(data, 'Before');
      });
    });

    it('lets a tab that it failed at the start read by itself, and join in later', async () => {
      await at.leaveWaiting();
      at.online();
      const heal = at.storage.fail({ at: 'open', name: 'UnknownError' });
      const data = at.tab();
      await at.isLevel(data);
      expect(data.health.view().storageState).to.equal('failing');
      expect(await whyNot(at.rename(data, 'Mine'))).to.equal('failing');
      heal();
      await at.device.pass(60_000);
      expect(data.health.view().storageState).to.equal('kept');
      await at.answered(data);
      await until(() => at.inServer() === 'Waiting', 'what waited');
    });

    it('lets such a tab forget what was removed since a first load that never ended', async () => {
      const before = await at.level();
      at.offline();
      await before.close();
      const facts = (await read<object>('facts')).get('facts');
      await write('facts', 'facts', { ...facts, cursor: null, asOf: null });
      at.world.server.take('project', at.world.project);
      const kept = at.world.addProject({ name: 'Kept' });
      const heal = at.storage.fail({ at: 'open', name: 'UnknownError' });
      const data = at.tab();
      await data.restored;
      heal();
      await at.device.pass(60_000);
      expect(data.health.view().storageState).to.equal('kept');
      at.online();
      await at.device.pass(60_000);
      await at.isLevel(data);
      await until(() => at.name(data, kept) === 'Kept', 'what is there');
      expect(at.name(data)).to.equal(undefined);
      at.offline();
      const again = await at.reload(data);
      expect(at.name(again, kept)).to.equal('Kept');
      expect(at.name(again)).to.equal(undefined);
    });
  });

  describe('[fault 16] a damaged record in the copy', () => {
    const isAllThere = async (): Promise<void> => {
      // Offline: what is shown is from this device.
      const data = await at.level();
      at.offline();
      const again = await at.reload(data);
      expect(at.name(again)).to.equal('Harvest');
      expect(at.device.reports.filter((report) => report.includes('damaged'))).to.deep.equal([]);
    };

    for (const [what, harm] of [
      ['half a record', () => ({ type: 'project', id: at.world.project, attributes: {} })],
      ['no record', () => 'nonsense'],
      [
        'a record with a field of another kind',
        (whole: { attributes: object }) => ({
          ...whole,
          attributes: { ...whole.attributes, name: 5 },
        }),
      ],
    ] as const)
      it(`is set aside and fetched again: ${what}`, async () => {
        const before = await at.level();
        at.offline();
        await before.close();
        const key = [...(await read('chunks')).keys(), ...(await read('rows')).keys()]
          .map(String)
          .find((each) => each.startsWith('project'));
        const isChunk = key?.includes('/') === true;
        const store = isChunk ? 'chunks' : 'rows';
        const value = (await read<unknown>(store)).get(key ?? '');
        const whole = (isChunk ? (value as unknown[])[0] : value) as { attributes: object };
        await write(store, key ?? '', isChunk ? [harm(whole)] : harm(whole));
        const data = at.tab();
        await data.restored;
        expect(at.name(data)).to.equal(undefined);
        expect(at.device.reports.join()).to.contain('damaged');
        at.online();
        await at.device.pass(4_000);
        await until(() => at.name(data) === 'Harvest', 'the record');
        await data.close();
        at.device.reports.length = 0;
        await isAllThere();
      });

    it('that can’t be read at all is set aside and fetched again; changes stay', async () => {
      await at.leaveWaiting();
      for (const store of ['chunks', 'rows'])
        for (const key of (await read(store)).keys()) at.storage.lose(store, key);
      const data = at.tab();
      await data.restored;
      expect(data.changes.view().waiting).to.equal(1);
      at.online();
      await at.device.pass(4_000);
      await until(() => at.name(data) === 'Waiting', 'the record');
      await expectArrived(data, 'Waiting');
    });

    it('leaves the good ones beside it, offline too', async () => {
      const other = at.world.addProject({ name: 'Other' });
      for (let i = 0; i < 200; i += 1) at.world.addProject();
      const before = await at.level();
      at.offline();
      await before.close();
      for (const [key, chunk] of await read<string>('chunks'))
        if (String(key).startsWith('project/')) {
          const records = JSON.parse(chunk) as { id: string }[];
          const halved = records.map(({ id, ...rest }) =>
            id === at.world.project ? { id } : { id, ...rest },
          );
          await write('chunks', key, JSON.stringify(halved));
        }
      for (const key of (await read('rows')).keys()) expect(String(key)).not.to.contain('project:');
      const data = at.tab();
      await data.restored;
      expect(at.name(data, other)).to.equal('Other');
      expect(at.name(data)).to.equal(undefined);
    });

    it('is none that lacks a field which a newer app has added: it shows, and is fetched again', async () => {
      const before = await at.level();
      at.offline();
      await before.close();
      const isOfProject = ([key]: readonly [unknown, unknown]) => String(key).startsWith('project');
      const rows = await read<{ attributes: Record<string, unknown> }>('rows');
      const chunks = await read<string>('chunks');
      const older = (record: { attributes: Record<string, unknown> }) => {
        const { description, ...known } = record.attributes;
        expect(description).not.to.equal(undefined);
        return { ...record, attributes: known };
      };
      for (const [key, row] of [...rows].filter(isOfProject)) await write('rows', key, older(row));
      for (const [key, chunk] of [...chunks].filter(isOfProject))
        await write('chunks', key, JSON.stringify((JSON.parse(chunk) as never[]).map(older)));
      const facts = (await read<object>('facts')).get('facts');
      await write('facts', 'facts', { ...facts, shape: 1 });
      const data = at.tab();
      await data.restored;
      expect(at.name(data)).to.equal('Harvest');
      expect(data.find.one('project', at.world.project)?.description).to.equal(null);
      expect(at.device.reports.filter((report) => report.includes('damaged'))).to.deep.equal([]);
      const requestCount = at.world.server.requests.length;
      at.online();
      await at.device.pass(5_000);
      const all = at.world.server.requests.slice(requestCount).map(({ path }) => path);
      expect(all, 'everything is asked for afresh').to.include('/api/changes');
    });

    it('facts that can’t be read are no reason not to start', async () => {
      const before = await at.level();
      await before.close();
      at.storage.lose('facts', 'facts');
      const data = await at.level();
      expect(at.name(data)).to.equal('Harvest');
      await at.rename(data, 'Mine');
      await expectArrived(data, 'Mine');
    });
  });

  it('[fault 34] holds nothing any more of an organization that was taken from the person, within 5 s', async () => {
    const { server, organization, project } = at.world;
    const ids = [
      project,
      ...Array.from({ length: 120 }, () => at.world.addProject({ name: 'A secret' })),
    ];
    // A page at work may have no idle moment for a minute.
    const data = await at.level({ idle: () => undefined });
    const onDisk = async () =>
      JSON.stringify([...(await read('chunks')).values(), ...(await read('rows')).values()]);
    expect(await onDisk()).to.contain('A secret');
    const gone = (type: TypeName, id: string) => ({
      op: 'remove' as const,
      ref: { type: wireTypeOf(type), id },
    });
    server.commit(
      [...ids.map((id) => gone('project', id)), gone('organization', organization)],
      [],
    );
    await at.device.pass(5_000);
    expect(data.find.all('project', {})).to.deep.equal([]);
    expect(await onDisk()).not.to.contain('A secret');
  });

  it('[fault 34] holds nothing of it either when that came while the copy was being folded', async () => {
    const { server, organization, project } = at.world;
    const ids = [
      project,
      ...Array.from({ length: 120 }, () => at.world.addProject({ name: 'A secret' })),
    ];
    const gone = (type: TypeName, id: string) => ({
      op: 'remove' as const,
      ref: { type: wireTypeOf(type), id },
    });
    const idle: (() => void)[] = [];
    const data = await at.level({ idle: (work) => void idle.push(work) });
    for (let n = 0; n < 13; n += 1) {
      for (const id of ids.slice(0, 90)) server.put('project', { id, description: String(n) });
      await turns(20);
    }
    await at.device.pass(1_000);
    await turns(30);
    for (const work of idle.splice(0)) work();
    await turns(1);
    server.commit(
      [...ids.map((id) => gone('project', id)), gone('organization', organization)],
      [],
    );
    for (let n = 0; n < 10; n += 1) {
      await turns(20);
      await at.device.pass(500);
    }
    expect(data.find.all('project', {})).to.deep.equal([]);
    const onDisk = [...(await read('chunks')).values(), ...(await read('rows')).values()];
    expect(JSON.stringify(onDisk)).not.to.contain('A secret');
  });

  describe('[fault 18] an older app that meets a newer app’s storage', () => {
    it('reads from the server, writes nothing, and leaves the queue to the newer one', async () => {
      await at.leaveWaiting();
      at.online();
      (await answered(at.storage.inner.open(nameOf(), LOCAL_SCHEMA + 1))).close();
      const onDisk = await read('outbox');
      const data = await at.level();
      expect(data.health.view().storageState).to.equal('newer');
      expect(at.name(data)).to.equal('Harvest');
      expect(await whyNot(at.rename(data, 'Mine'))).to.equal('newer');
      await at.device.pass(60_000);
      expect(await read('outbox')).to.deep.equal(onDisk);
      expect(at.world.server.applied).to.deep.equal([]);
    });

    it('an old tab that the new server turns away keeps its queue, and is told to reload', async () => {
      const data = await at.level();
      at.world.server.faults.push(problem(426, 'client-too-old'));
      await at.rename(data, 'Mine');
      await until(() => data.viewerStatus.view() === 'client-too-old', 'turned away');
      await at.device.pass(60_000);
      expect(data.changes.view()).to.include({ waiting: 1, status: 'problem' });
      expect(at.world.server.applied).to.deep.equal([]);
      const again = await at.reload(data);
      await expectArrived(again, 'Mine');
    });

    it('does not keep a tab of the newer app from leading', async () => {
      (await answered(at.storage.inner.open(nameOf(), LOCAL_SCHEMA + 1))).close();
      const old = await at.level();
      expect((await old.diagnostics.snapshot()).isLeading).to.equal(true);
      let isGranted = false;
      void at.device.locks.request(nameOf(), {}, () => {
        isGranted = true;
        return Promise.resolve();
      });
      await turns(5);
      expect(isGranted).to.equal(true);
    });
  });

  it('is asked for to last at the first change that only this device has', async () => {
    const data = await at.level();
    await at.rename(data, 'Online');
    await at.answered(data);
    expect(at.device.isPersistent).to.equal(false);
    at.device.isOnline = false;
    at.offline();
    await at.rename(data, 'Offline');
    expect(at.device.isPersistent).to.equal(true);
  });
});

/** A factory whose app wants a later version of the database than there is. */
function upgraded(factory: IDBFactory, by: number): IDBFactory {
  return {
    open: (name: string, version = 1) => factory.open(name, version + by),
    deleteDatabase: (name: string) => factory.deleteDatabase(name),
  } as IDBFactory;
}
