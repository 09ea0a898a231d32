import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { CONTENT_LIMITS, readArchive, unpack } from '#engine/content/archive.ts';
import { checkContent } from '#engine/content/check.ts';
import { filesBelow } from '#engine/content/files.ts';
import { ContentRefused } from '#engine/content/refusal.ts';
import { writeSample } from '#engine/sample/sample.ts';
import { inFolder, zipOf, zipOfFiles } from '../support/zips.ts';
import type { Written } from '../support/zips.ts';

const page: Written = { name: 'index.md', bytes: '# Home' };
const MB = 1024 * 1024;

async function checked(zip: Buffer, limits = CONTENT_LIMITS) {
  return inFolder((folder) => {
    const path = join(folder, 'content.zip');
    writeFileSync(path, zip);
    return checkContent(path, limits);
  });
}

async function refusal(zip: Buffer, limits = CONTENT_LIMITS): Promise<string> {
  try {
    await checked(zip, limits);
  } catch (error) {
    if (error instanceof ContentRefused) return error.reason;
    throw error;
  }
  return 'taken';
}

async function unpacked(zip: Buffer): Promise<readonly string[] | string> {
  return inFolder(async (folder) => {
    const path = join(folder, 'content.zip');
    writeFileSync(path, zip);
    try {
      await readArchive(path, CONTENT_LIMITS, (files, opened) =>
        unpack(opened, files, join(folder, 'content')),
      );
    } catch (error) {
      if (error instanceof ContentRefused) return error.reason;
      throw error;
    }
    return (await filesBelow(join(folder, 'content'))).map((file) => file.path);
  });
}

describe('a project’s zip', () => {
  it('is a site when there is an index.html at its top', async () => {
    const summary = await checked(
      zipOfFiles({ 'index.html': '<p>Hi', 'a/b.html': '', 'x.md': '' }),
    );
    expect(summary).to.deep.include({ kind: 'site', files: 3, pages: 2, sizeBytes: 5 });
  });

  it('is pages with a language for each folder', async () => {
    const files = { 'en/a.md': '', 'es_mx/a.md': '', 'img/a.png': '', 'app.json': '{}' };
    const summary = await checked(zipOfFiles(files));
    expect(summary).to.deep.include({ kind: 'pages', pages: 2, languages: ['en', 'es-MX'] });
    expect(summary.hasAppFile).to.equal(true);
  });

  it('is pages of one language when some are at the top', async () => {
    const summary = await checked(zipOfFiles({ 'a.md': '', 'it/b.md': '' }));
    expect(summary.languages).to.deep.equal([]);
  });

  it('may be of the folder rather than of what is in it', async () => {
    const files = { 'my site/index.html': '', 'my site/a.css': '', '__MACOSX/my site/._a.css': '' };
    expect(await unpacked(zipOfFiles(files))).to.deep.equal(['a.css', 'index.html']);
  });

  it('of the sample is taken, and has three languages', () =>
    inFolder(async (folder) => {
      await writeSample(join(folder, 'sample.zip'));
      const summary = await checkContent(join(folder, 'sample.zip'));
      expect(summary).to.deep.include({ kind: 'pages', languages: ['en', 'es', 'fr'], pages: 12 });
    }));
});

describe('a zip is refused', () => {
  const cases: readonly (readonly [why: string, reason: string, entries: readonly Written[]])[] = [
    ['that climbs out', 'path', [page, { name: '../escaped.md' }]],
    ['that climbs out from inside', 'path', [page, { name: 'a/../../escaped.md' }]],
    ['that climbs out with backslashes', 'path', [page, { name: '..\\..\\escaped.md' }]],
    ['with an absolute path', 'path', [page, { name: '/etc/cron.d/x' }]],
    ['with a drive', 'path', [page, { name: 'C:/windows/x' }]],
    ['with a control character in a name', 'path', [page, { name: 'a\u0007.md' }]],
    ['with a name too long for a file', 'path', [page, { name: `${'x'.repeat(256)}.md` }]],
    ['with a symbolic link', 'link', [page, { name: 'l', bytes: '/etc/passwd', mode: 0o120777 }]],
    ['with a device', 'link', [page, { name: 'd', mode: 0o020666 }]],
    ['with a file twice', 'duplicate', [page, page]],
    ['with names that differ in case', 'duplicate', [page, { name: 'INDEX.md' }]],
    [
      'with names that differ in how an accent is written',
      'duplicate',
      [page, { name: 'caf\u00e9.md' }, { name: 'cafe\u0301.md' }],
    ],
    ['with a file that is a folder', 'duplicate', [page, { name: 'a' }, { name: 'a/b.md' }]],
    ['that is encrypted', 'encrypted', [{ ...page, flags: 1 }]],
    ['packed in an unknown way', 'unsupported', [{ ...page, method: 14 }]],
    ['without pages', 'empty', [{ name: 'picture.png' }]],
    ['with nothing in it', 'empty', []],
    ['that is a bomb', 'bomb', [page, { name: 'big.txt', bytes: Buffer.alloc(40 * MB) }]],
    [
      'whose entries share their data',
      'bomb',
      [
        { name: 'a.md', bytes: randomText(20_000) },
        ...Array.from({ length: 9 }, (_, i) => ({
          name: `${i}.md`,
          bytes: randomText(20_000),
          sharesWith: 0,
        })),
      ],
    ],
  ];
  for (const [why, reason, entries] of cases)
    it(why, async () => {
      expect(await refusal(zipOf(entries))).to.equal(reason);
    });

  it('that is not a zip', async () => {
    expect(await refusal(Buffer.from('just some text'))).to.equal('not-a-zip');
  });

  it('that was cut off', async () => {
    const whole = zipOf([page]);
    expect(await refusal(whole.subarray(0, whole.length - 30))).to.equal('not-a-zip');
  });

  it('with more entries than the limit', async () => {
    const many = Array.from({ length: 11 }, (_, i) => ({ name: `${i}.md` }));
    const limits = { entries: 10, sizeBytes: MB };
    expect(await refusal(zipOf(many), limits)).to.equal('too-many');
    expect(await refusal(zipOf(many.slice(1)), limits)).to.equal('taken');
  });

  it('that is larger than the limit once unpacked', async () => {
    const entries = [page, { name: 'a.txt', bytes: randomText(4_000) }];
    expect(await refusal(zipOf(entries), { entries: 9, sizeBytes: 4_005 })).to.equal('too-large');
    expect(await refusal(zipOf(entries), { entries: 9, sizeBytes: 4_006 })).to.equal('taken');
  });

  it('when a file unpacks to more than the zip says', async () => {
    const liar = { name: 'a.md', bytes: 'x'.repeat(50_000), saysBytes: 10 };
    expect(await unpacked(zipOf([liar]))).to.equal('damaged');
  });

  it('when its data is not what was packed', async () => {
    const whole = zipOf([{ name: 'a.md', bytes: randomText(4_000) }]);
    whole.fill(0xff, 60, 200);
    expect(await unpacked(whole)).to.equal('damaged');
  });
});

/** Text that hardly packs, the same each time. */
function randomText(length: number): string {
  let state = 1;
  return Array.from({ length }, () => {
    state = (state * 48_271) % 2_147_483_647;
    return String.fromCharCode(33 + (state % 90));
  }).join('');
}
