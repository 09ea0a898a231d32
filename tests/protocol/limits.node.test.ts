import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { limits } from '#protocol/limits.ts';

/** The code that may read limits, without the table itself. */
function codeIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return codeIn(path);
    return /\.tsx?$/.test(path) && !path.endsWith('limits.ts') ? [readFileSync(path, 'utf8')] : [];
  });
}

describe('the table of limits', () => {
  it('has only limits that the product reads', () => {
    const code = codeIn('src').join('\n');
    const unread = Object.keys(limits).filter(
      (name) => !new RegExp(`limits\\s*\\.${name}\\b`).test(code),
    );
    expect(unread).to.deep.equal([]);
  });
});
