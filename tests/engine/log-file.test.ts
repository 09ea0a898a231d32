import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { openBuildLogFile } from '#engine/build/log-file.ts';
import { OwnTime } from '../support/own-time.ts';
import { inFolder } from '../support/zips.ts';

const BEGAN = Date.parse('2026-03-04T05:06:07.000Z');

/** Opens a log in a folder of its own, with time that the test lets pass. */
function aLogFile<T>(
  use: (opened: {
    readonly time: OwnTime;
    readonly log: ReturnType<typeof openBuildLogFile>;
    readonly path: string;
    readonly text: () => string;
  }) => Promise<T>,
  mostBytes?: number,
): Promise<T> {
  return inFolder(async (folder) => {
    const time = new OwnTime();
    const path = join(folder, 'out', 'console-text.txt');
    const log = openBuildLogFile(path, {
      clock: () => BEGAN + time.now,
      timers: time,
      ...(mostBytes === undefined ? {} : { mostBytes }),
    });
    return use({ time, log, path, text: () => readFileSync(path, 'utf8') });
  });
}

describe('the log of a build on the disk', () => {
  it('has each line with the time at which it came', async () => {
    await aLogFile(async ({ time, log, text }) => {
      log.add('== Unpacking 3 files');
      time.pass(1_250);
      log.add('Note: a picture is missing');
      await log.close();
      expect(text()).to.equal(
        '2026-03-04T05:06:07.000Z == Unpacking 3 files\n' +
          '2026-03-04T05:06:08.250Z Note: a picture is missing\n',
      );
    });
  });

  it('is written at most every half second while lines come', async () => {
    await aLogFile(async ({ time, log, path, text }) => {
      log.add('first');
      log.add('second');
      expect(time.waiting).to.equal(1);
      time.pass(499);
      expect(time.waiting).to.equal(1);
      time.pass(1);
      expect(time.waiting).to.equal(0);
      while (!existsSync(path) || !text().endsWith('second\n')) await setImmediate();
      log.add('third');
      expect(time.waiting).to.equal(1);
      await log.close();
      expect(time.waiting).to.equal(0);
      expect(text().match(/first|second|third/g)).to.deep.equal(['first', 'second', 'third']);
    });
  });

  it('leaves out lines beyond its size, and ends with the last 200', async () => {
    const most = 3_000;
    await aLogFile(async ({ log, text }) => {
      for (let i = 0; i < 1_000; i += 1) log.add(`Line ${i}`);
      log.add('Failed: there is no room');
      await log.close();
      const lines = text().trimEnd().split('\n');
      const cut = lines.findIndex((line) => line.includes('Note: the log is too long'));
      expect(lines.slice(0, cut).join('\n')).to.have.length.lessThan(most);
      expect(lines[cut - 1]).to.match(new RegExp(`Line ${cut - 1}$`));
      expect(lines).to.have.length(cut + 1 + 200);
      expect(lines[cut + 1]).to.match(/Line 801$/);
      expect(lines.at(-1)).to.match(/Failed: there is no room$/);
    }, most);
  });

  it('repeats no line where fewer are too many', async () => {
    await aLogFile(async ({ log, text }) => {
      for (let i = 0; i < 5; i += 1) log.add(`Line ${i}`);
      await log.close();
      expect(text().match(/Line \d/g)).to.deep.equal([
        'Line 0',
        'Line 1',
        'Line 2',
        'Line 3',
        'Line 4',
      ]);
    }, 100);
  });

  it('says at its end that it could not be written', async () => {
    await inFolder(async (folder) => {
      const log = openBuildLogFile(folder, { clock: () => BEGAN, timers: new OwnTime() });
      log.add('lost');
      const failed = await log.close().then(
        () => null,
        (error: unknown) => error,
      );
      expect(failed).to.be.instanceOf(Error);
    });
  });
});
