import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { BadStart } from '#server/kernel/bad-start.ts';
import { openEmbedded } from '#server/db/connections/embedded.ts';
import { lockFolder } from '#server/db/connections/folder-lock.ts';

describe('the lock on a data folder', () => {
  let folder: string;
  let path: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-test-'));
    path = join(folder, 'lock');
  });

  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  const refusal = () => {
    try {
      lockFolder(path)();
      return null;
    } catch (error) {
      if (!(error instanceof BadStart)) throw error;
      return error.message;
    }
  };
  const holder = (fields: object) => {
    writeFileSync(path, JSON.stringify({ pid: process.pid, host: hostname(), ...fields }));
  };
  const deadPid = () => spawnSync(process.execPath, ['-e', '']).pid;

  it('refuses a second start, and lets one in once the first has ended', () => {
    const unlock = lockFolder(path);
    expect(refusal()).to.contain('in use');
    unlock();
    expect(refusal()).to.equal(null);
  });

  it('refuses while another process lives, and says which', () => {
    holder({ pid: process.ppid, start: null });
    expect(refusal()).to.contain(`process ${process.ppid}`);
  });

  it('is taken over from a dead process', () => {
    holder({ pid: deadPid(), start: '1' });
    const unlock = lockFolder(path);

    expect(JSON.parse(readFileSync(path, 'utf8'))).to.include({ pid: process.pid });
    unlock();
  });

  it('is taken over from a process whose number another has now', () => {
    holder({ pid: process.ppid, start: 'long ago' });
    expect(refusal()).to.equal(null);
  });

  it('is taken over when whoever took it over last died doing so', () => {
    holder({ pid: deadPid(), start: '1' });
    writeFileSync(
      `${path}.claim`,
      JSON.stringify({ pid: deadPid(), start: '1', host: hostname() }),
    );
    expect(refusal()).to.equal(null);
  });

  it('is not taken over from another computer, which cannot be asked', () => {
    holder({ host: 'elsewhere', start: '1' });
    expect(refusal()).to.contain('elsewhere').and.to.contain('remove');
  });

  it('is not let go by one who has lost it', () => {
    const unlock = lockFolder(path);
    holder({ pid: process.ppid, start: null });
    unlock();

    expect(JSON.parse(readFileSync(path, 'utf8'))).to.include({ pid: process.ppid });
  });
});

describe('the embedded database', () => {
  let folder: string;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-test-'));
  });

  after(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('serves one start, keeps what was written for the next, and lets only its own user in', async function () {
    this.timeout(120_000);
    const lost: Error[] = [];
    const open = () => openEmbedded(folder, (error) => lost.push(error));
    const first = await open();
    await first.pool.query('create table kept as select 1 as one');
    const second = await open().catch((error: unknown) => error);
    const mode = statSync(join(folder, 'run')).mode & 0o077;
    await first.close();

    const again = await open();
    const { rows } = await again.pool.query('select one from kept');
    await again.close();

    expect(second).to.be.instanceOf(BadStart);
    expect(rows).to.deep.equal([{ one: 1 }]);
    expect(mode).to.equal(0);
    expect(lost).to.deep.equal([]);
  });
});
