import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { sql } from 'kysely';
import { prune } from '#server/db/prune.ts';
import { dispositionOf, safeName } from '#server/domain/files/filename.ts';
import { fileOf, issueTicket, REVIEW_TICKET_LASTS_MS } from '#server/domain/files/tickets.ts';
import { START_WITHIN_MS } from '../api/world.ts';
import { openHouse, refusal } from './house.ts';
import type { House } from './house.ts';

const TEXT = 'The quick brown fox';

describe('a link to a file', function () {
  this.timeout(START_WITHIN_MS);
  let house: House;
  before(async () => {
    house = await openHouse();
  });

  const services = () => house.world.server.parts;

  function aFile(filename: string, text = TEXT, isInline = false) {
    const path = join(services().config.dataDir, 'builds', 'tickets', house.world.id());
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return { path, filename, contentType: 'text/html', isInline };
  }

  async function aLink(filename: string, text = TEXT): Promise<string> {
    return (await issueTicket(services(), aFile(filename, text))).url;
  }

  it('gives the bytes to whoever holds it, as nothing that a browser would run', async () => {
    const link = await aLink('Harvest 1.0.apk');
    const answer = await house.get(null, link);
    expect(answer.status).to.equal(200);
    expect(await answer.text()).to.equal(TEXT);
    expect(answer.headers.get('content-length')).to.equal(String(TEXT.length));
    expect(answer.headers.get('content-type')).to.equal('text/html');
    expect(answer.headers.get('content-disposition')).to.equal(
      `attachment; filename="Harvest 1.0.apk"; filename*=UTF-8''Harvest%201.0.apk`,
    );
    expect(answer.headers.get('cache-control')).to.equal('private, no-store');
    expect(answer.headers.get('x-content-type-options')).to.equal('nosniff');
    expect(answer.headers.get('content-security-policy')).to.match(/^default-src 'none'; sandbox;/);
    expect(answer.headers.get('content-security-policy')).to.not.contain('self');
  });

  it('tells of the file without sending it', async () => {
    const answer = await house.ask(null, 'HEAD', await aLink('a.txt'));
    expect(answer.status).to.equal(200);
    expect(answer.headers.get('content-length')).to.equal(String(TEXT.length));
    expect(answer.headers.get('accept-ranges')).to.equal('bytes');
    expect(await answer.text()).to.equal('');
  });

  const parted = [
    { range: 'bytes=4-8', text: 'quick', says: 'bytes 4-8/19' },
    { range: 'bytes=10-', text: 'brown fox', says: 'bytes 10-18/19' },
    { range: 'bytes=-3', text: 'fox', says: 'bytes 16-18/19' },
    { range: 'bytes=16-500', text: 'fox', says: 'bytes 16-18/19' },
    { range: 'bytes=-500', text: TEXT, says: 'bytes 0-18/19' },
  ];
  for (const { range, text, says } of parted)
    it(`sends the part that ${range} asks for`, async () => {
      const answer = await house.get(null, await aLink('a.txt'), { headers: { Range: range } });
      expect(answer.status).to.equal(206);
      expect(await answer.text()).to.equal(text);
      expect(answer.headers.get('content-range')).to.equal(says);
      expect(answer.headers.get('content-length')).to.equal(String(text.length));
    });

  for (const range of ['bytes=19-', 'bytes=-0', 'bytes=400-500'])
    it(`has no part for ${range}`, async () => {
      const answer = await house.get(null, await aLink('a.txt'), { headers: { Range: range } });
      expect(answer.status).to.equal(416);
      expect(answer.headers.get('content-range')).to.equal('bytes */19');
      expect(await answer.text()).to.equal('');
    });

  for (const range of ['bytes=8-4', 'bytes=0-1,4-5', 'lines=1-2', 'bytes=-', 'bytes=a-b'])
    it(`sends all of it for ${range}`, async () => {
      const answer = await house.get(null, await aLink('a.txt'), { headers: { Range: range } });
      expect(answer.status).to.equal(200);
      expect(await answer.text()).to.equal(TEXT);
    });

  it('continues a download only of the same file', async () => {
    const link = await aLink('a.txt');
    const tag = (await house.ask(null, 'HEAD', link)).headers.get('etag') ?? '';
    const part = (onlyIf: string) =>
      house.get(null, link, { headers: { Range: 'bytes=4-', 'If-Range': onlyIf } });
    expect((await part(tag)).status).to.equal(206);
    expect((await part('"another"')).status).to.equal(200);
  });

  it('sends an empty file', async () => {
    const answer = await house.get(null, await aLink('empty.txt', ''));
    expect(answer.status).to.equal(200);
    expect(answer.headers.get('content-length')).to.equal('0');
  });

  it('sends a large text as it is, so that its parts can be counted', async () => {
    const text = 'all the same '.repeat(10_000);
    const headers = { 'Accept-Encoding': 'br, gzip' };
    const answer = await house.get(null, await aLink('large.txt', text), { headers });
    expect(answer.headers.get('content-encoding')).to.equal(null);
    expect(await answer.text()).to.equal(text);
  });

  it('cannot be guessed, and is nowhere to be read', async () => {
    const link = await aLink('a.txt');
    const [, ticket = ''] = /\/files\/([^/]+)\//.exec(link) ?? [];
    expect(Buffer.from(ticket, 'base64url').length).to.equal(32);
    const rows = await services().db.read((tx) => tx.query(sql`select * from file_tickets`));
    expect(JSON.stringify(rows)).to.not.contain(ticket);
  });

  it('ends', async () => {
    const { db, config, random } = services();
    const at = (now: number) => ({ db, config, random, clock: () => now });
    for (const [lasts, expected] of [
      [undefined, 600_000],
      [REVIEW_TICKET_LASTS_MS, 14 * 86_400_000],
    ] as const) {
      const { url, expiresAt } = await issueTicket(at(1_000), aFile('a.txt'), lasts);
      const [, ticket = ''] = /\/files\/([^/]+)\//.exec(url) ?? [];
      expect(Date.parse(expiresAt)).to.equal(1_000 + expected);
      expect(await fileOf(at(999 + expected), ticket)).to.not.equal(null);
      expect(await fileOf(at(1_000 + expected), ticket)).to.equal(null);
      expect(await refusal(await house.get(null, url))).to.equal('404 not-found');
    }
  });

  it('is forgotten by the daily pruning once it has ended, and not before', async () => {
    const { db, clock } = services();
    const hash = sql<{ hash: string }>`select hash from file_tickets`;
    await issueTicket(services(), aFile('old.txt'), -1);
    const lasting = await aLink('new.txt');
    const count = (await db.read((tx) => tx.query(hash))).length;
    const { tickets } = await prune(db, clock());
    expect(tickets).to.be.greaterThan(0);
    expect((await db.read((tx) => tx.query(hash))).length).to.equal(count - tickets);
    expect((await house.get(null, lasting)).status).to.equal(200);
  });

  it('opens nothing when it was made up, whatever follows it', async () => {
    for (const path of ['/files/x/a.txt', `/files/${'A'.repeat(43)}/a.txt`, '/files/x/..%2fkeys'])
      expect(await refusal(await house.get(null, path))).to.equal('404 not-found');
    expect(await refusal(await house.ask(null, 'POST', '/files/x/a.txt'))).to.equal(
      '405 method-not-allowed',
    );
  });

  it('opens nothing once the file is gone', async () => {
    const file = { ...aFile('a.txt'), path: join(services().config.dataDir, 'builds', 'gone') };
    const { url } = await issueTicket(services(), file);
    expect(await refusal(await house.get(null, url))).to.equal('404 not-found');
  });
});

describe('the name of a file on other devices', () => {
  const names = {
    'Harvest.apk': 'Harvest.apk',
    '../../etc/passwd': '_.._etc_passwd',
    '.htaccess': 'htaccess',
    'C:\\run.exe': 'C__run.exe',
    'a\r\nSet-Cookie: x=1': 'aSet-Cookie_ x=1',
    'photo\u202Egpj.exe': 'photogpj.exe',
    '  spaced .txt. ': 'spaced .txt',
    '..': 'file',
    '': 'file',
  };
  for (const [name, safe] of Object.entries(names))
    it(`is ${JSON.stringify(safe)} for ${JSON.stringify(name)}`, () => {
      expect(safeName(name)).to.equal(safe);
    });

  it('keeps its ending when it is cut', () => {
    expect(safeName(`${'a'.repeat(500)}.apk`)).to.match(/^a{150}\.apk$/);
    expect(safeName(`${'🌾'.repeat(500)}.apk`)).to.match(/^(🌾)+\.apk$/u);
  });

  it('is told in every script, and in plain letters for who reads nothing else', () => {
    expect(dispositionOf('Récolte "1" 収穫.apk', false)).to.equal(
      `attachment; filename="Recolte _1_ __.apk"; filename*=UTF-8''R%C3%A9colte%20_1_%20%E5%8F%8E%E7%A9%AB.apk`,
    );
    expect(dispositionOf("it's (1)*.txt", true)).to.equal(
      `inline; filename="it's (1)_.txt"; filename*=UTF-8''it%27s%20%281%29_.txt`,
    );
  });
});
