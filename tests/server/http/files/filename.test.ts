import { expect } from 'chai';
import { ProblemError } from '#protocol/problem.ts';
import { dispositionOf, safeName } from '#server/domain/files/filename.ts';
import { filenameIn } from '#server/http/files/uploads.ts';

const headerOf = (name: string): string =>
  `attachment; filename*=UTF-8''${encodeURIComponent(name)}`;

function refusalOf(name: string): unknown {
  try {
    return filenameIn(headerOf(name));
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    const { code, meta, source } = error.problem;
    return { code, rule: meta?.rule, limit: meta?.limit, header: source?.header };
  }
}

describe('the name of a file', () => {
  it('loses dots and spaces at both ends, and keeps those inside', () => {
    expect(safeName('. ..a. b .txt. \t.')).to.equal('a. b .txt');
    expect(safeName('. . .')).to.equal('file');
    expect(safeName('\u00a0a\u00a0')).to.equal('a');
  });

  it('of 60,000 dots is read at once, wherever it comes from [F1]', () => {
    expect(safeName(`x${'.'.repeat(60_000)}a`)).to.match(/^x\.{150}a$/);
    expect(dispositionOf(`${' '.repeat(60_000)}a`, false)).to.equal(
      `attachment; filename="a"; filename*=UTF-8''a`,
    );
  });

  it('is refused when an upload brings one that is far too long to be a name [F1] [wire 15.2]', () => {
    expect(refusalOf('a'.repeat(600))).to.equal('a'.repeat(150));
    expect(refusalOf(`x${'.'.repeat(60_000)}a`)).to.deep.equal({
      code: 'invalid',
      rule: 'too-long',
      limit: 150,
      header: 'Content-Disposition',
    });
    expect(filenameIn("attachment; filename*=UTF-8''%ff")).to.equal(null);
  });
});
