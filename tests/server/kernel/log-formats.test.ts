import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { expect } from 'chai';
import { openLog, openLogFile } from '#server/kernel/log.ts';

describe('the server’s log', () => {
  it('takes what looks like a format in a value as text', () => {
    const folder = mkdtempSync(join(tmpdir(), 'slipway-log-'));
    const path = join(folder, 'server.log');
    let said = '';
    const stream = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        said += chunk.toString();
        done();
      },
    });
    const file = openLogFile(path);
    const text = '%s %d %j %o %c {{msg}} ${msg} \u001b[31m';
    openLog(file, stream).warn({ path: text, err: new Error(text) }, 'Answered');
    file.close();

    const line = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
    expect(line).to.include({ path: text, msg: 'Answered' });
    expect((line.err as Record<string, unknown>).message).to.equal(text);
    expect(said).to.include('%s %d %j %o %c {{msg}} ${msg}');
    rmSync(folder, { recursive: true });
  });
});
