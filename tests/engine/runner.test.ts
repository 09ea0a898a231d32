import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { BuildResult } from '#engine/build/order.ts';
import { runBuild } from '#engine/build/runner.ts';
import type { BuildLimits } from '#engine/build/runner.ts';
import { parseBuildLogLine, phasesIn } from '#protocol/builds/build-log.ts';
import { inFolder, zipOf, zipOfFiles } from '../support/zips.ts';

interface Ran {
  readonly result: BuildResult;
  readonly lines: readonly string[];
  readonly consoleText: string;
  /** Command lines of processes that still work on the build. */
  readonly left: readonly string[];
}

const plenty: BuildLimits = { timeMs: 120_000, memoryMb: 1_024, diskMb: 200 };
const small = zipOfFiles({ 'index.md': '# Hello' });
/** Small to carry, but half a million pieces of markup once it is read. */
const heavy = zipOfFiles({ 'index.md': randomWords(4_000_000) });

interface Manner {
  readonly targets?: readonly string[];
  readonly onLine?: (line: string, abort: AbortController) => void;
}

/** @param zip null: there is none where the order says */
function ran(zip: Buffer | null, limits: BuildLimits, { targets = ['html'], onLine }: Manner = {}) {
  return inFolder(async (folder): Promise<Ran> => {
    const content = join(folder, 'content.zip');
    if (zip !== null) writeFileSync(content, zip);
    mkdirSync(join(folder, 'work'));
    const lines: string[] = [];
    const abort = new AbortController();
    const order = {
      content,
      folder: join(folder, 'work'),
      targets,
      environment: { PROJECT_NAME: 'Reader', PROJECT_LANGUAGE: 'en' },
      version: { name: '1.0', code: 1 },
      at: '2026-03-04T05:06:07.000Z',
    };
    const heard = (line: string) => {
      lines.push(line);
      onLine?.(line, abort);
    };
    const result = await runBuild(order, limits, heard, abort.signal);
    const log = result.artifacts.find(({ type }) => type === 'consoleText');
    const processes = execFileSync('ps', ['-A', '-o', 'args='], { encoding: 'utf8' });
    return {
      result,
      lines,
      consoleText: readFileSync(log?.path ?? '', 'utf8'),
      left: processes.split('\n').filter((line) => line.includes(folder)),
    };
  });
}

describe('a build in its own process', () => {
  it('tells its progress as it goes, and brings its files', async () => {
    const { result, lines, consoleText, left } = await ran(small, plenty);
    expect(result.success).to.equal(true);
    expect(result.error).to.equal(null);
    const types = result.artifacts.map(({ type }) => type);
    expect(types).to.deep.equal(['html', 'about', 'version', 'preview', 'consoleText']);
    expect(lines[0]).to.equal('Building html, version 1.0');
    expect(lines.at(-1)).to.equal('Done');
    const logged = consoleText.trimEnd().split('\n').map(parseBuildLogLine);
    expect(logged.map(({ text }) => text)).to.deep.equal(lines);
    expect(left).to.deep.equal([]);
  });

  it('has times in its log, and marks of its phases that people are not told', async () => {
    const { lines, consoleText } = await ran(small, plenty);
    expect(lines.join('\n')).to.not.include('== ');
    const logged = consoleText.trimEnd().split('\n').map(parseBuildLogLine);
    expect(phasesIn(logged).map(({ text }) => text.split(/ \d/)[0])).to.deep.equal([
      'Building html, version',
      'Unpacking',
      'Rendering',
      'Making html',
      'Done',
    ]);
    const times = logged.map(({ at }) => at ?? '');
    expect(times).to.deep.equal([...times].sort());
    expect(times).to.not.include('');
  });

  it('knows none of the server’s settings, which hold secrets', async () => {
    const before = process.env.SECRET_KEY;
    process.env.SECRET_KEY = 'not-for-a-build';
    const seen: string[] = [];
    try {
      await ran(small, plenty, {
        onLine: () => {
          const all = execFileSync('ps', ['-A', 'eww', '-o', 'args='], { encoding: 'utf8' });
          seen.push(...all.split('\n').filter((line) => line.includes('run-build.ts')));
        },
      });
    } finally {
      if (before === undefined) delete process.env.SECRET_KEY;
      else process.env.SECRET_KEY = before;
    }
    expect(seen.join('\n')).to.include('LANG=C.UTF-8').and.not.include('not-for-a-build');
  });

  it('fails with a sentence when the content is refused', async () => {
    const { result, consoleText } = await ran(zipOf([{ name: '../x.md' }]), plenty);
    expect(result.error).to.equal(
      'The content is refused. The entry "../x.md" climbs out of its folder.',
    );
    expect(consoleText).to.contain(result.error);
  });

  it('fails when a target is not known', async () => {
    const { result } = await ran(small, plenty, { targets: ['ipa'] });
    expect(result.success).to.equal(false);
    expect(result.error).to.contain('There is no target "ipa"');
  });

  it('that breaks down says what broke, without the server’s folders', async () => {
    const { result, lines } = await ran(null, plenty);
    expect(result.error).to.equal('The build broke down; this is a fault of the build engine.');
    expect(lines.at(-2)).to.match(/ENOENT: no such file or directory, open a file/);
  });

  it('is stopped at its limit of time, with what it wrote by then in the log', async () => {
    const pages = Array.from({ length: 15_000 }, (_, i) => [`${i}.md`, '# Page'] as const);
    const { result, left, consoleText } = await ran(zipOfFiles(Object.fromEntries(pages)), {
      ...plenty,
      timeMs: 1_500,
    });
    expect(result.error).to.equal('The build was stopped at its limit of time, 1.5 seconds.');
    expect(consoleText).to.contain(result.error);
    expect(result.artifacts.map(({ type }) => type)).to.deep.equal(['consoleText']);
    expect(left).to.deep.equal([]);
  });

  it('is stopped at its limit of memory', async () => {
    const { result, left } = await ran(heavy, { ...plenty, memoryMb: 200 });
    expect(result.error).to.equal('The build was stopped at its limit of memory, 200 MB.');
    expect(left).to.deep.equal([]);
  });

  it('is stopped at its limit of disk space', async () => {
    const zip = zipOfFiles({ 'index.md': 'x', 'a.mp3': randomBytes(3 * 1024 * 1024) });
    const { result, left } = await ran(zip, { ...plenty, diskMb: 2 });
    expect(result.error).to.equal('The build was stopped at its limit of disk space, 2 MB.');
    expect(result.success).to.equal(false);
    expect(left).to.deep.equal([]);
  });

  it('is stopped when it is cancelled', async () => {
    const { result, left } = await ran(heavy, plenty, {
      onLine: (line, abort) => {
        if (line.startsWith('Unpacking')) abort.abort();
      },
    });
    expect(result.error).to.equal('The build was cancelled.');
    expect(left).to.deep.equal([]);
  });
});

/** Emphasis on every other word; the same each time. */
function randomWords(length: number): string {
  const words: string[] = [];
  let state = 7;
  for (let letters = 0; letters < length; letters += 8) {
    state = (state * 48_271) % 2_147_483_647;
    words.push(`*${state.toString(36).slice(-4)}*`);
  }
  return words.join(' ');
}
