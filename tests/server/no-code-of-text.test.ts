import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';

/** Calls that would run a text as code, as a statement of the database, or as HTML. */
const RUNS = [
  /\beval\s*\(/,
  /\bFunction\s*\(/,
  /\bsetTimeout\s*\(\s*['"`]/,
  /\bsetInterval\s*\(\s*['"`]/,
  /['"](node:)?vm['"]/,
  /\bsql\.raw\s*\(/,
  /\.(inner|outer)HTML\s*=/,
  /\binsertAdjacentHTML\b/,
  /\bdangerouslySetInnerHTML\b/,
  /\bdocument\.write\b/,
  /\bexec(Sync)?\s*\(\s*['"`]/,
  /\bshell:\s*true\b/,
] as const;

/** Elements that browsers have given up: plug-ins and what came with them. */
const OUTDATED = [/<(object|embed|applet)\b/, /\bActiveXObject\b/, /\bdocument\.domain\b/] as const;

describe('the source of server and app', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => ({ path, text: readFileSync(join('src', path), 'utf8') }));
  const foundIn = (patterns: readonly RegExp[]) =>
    files.flatMap(({ path, text }) =>
      patterns
        .filter((pattern) => pattern.test(text))
        .map((pattern) => `${path}: ${pattern.source}`),
    );

  it('runs no text as code, as a statement or in a shell, and puts none into a page as HTML', () => {
    expect(files.length).to.be.greaterThan(300);
    expect(foundIn(RUNS)).to.deep.equal([]);
  });

  it('uses no plug-in and nothing else that browsers have given up', () => {
    expect(foundIn(OUTDATED)).to.deep.equal([]);
  });
});
