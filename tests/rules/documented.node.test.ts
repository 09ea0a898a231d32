import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { access } from '#rules/access.ts';
import { everyone } from '#rules/scope.ts';
import { typeNames } from '#schema/index.ts';

describe('[domain 2.4] [domain 2.5] docs/protection.md', () => {
  const [, section = ''] =
    /^## Who reads and writes which fields$([\s\S]*?)^## /m.exec(
      readFileSync('docs/protection.md', 'utf8'),
    ) ?? [];
  const [readers = '', writers = ''] = section.split(/^\| Type.*Written by.*$/m);
  /** The fields that a table names for a type. */
  const named = (table: string, type: string) =>
    table
      .split('\n')
      .filter((row) => row.startsWith(`| \`${type}\``))
      .flatMap((row) => [...(row.split('|')[2] ?? '').matchAll(/`(\w+)`/g)])
      .map(([, field = '']) => field);

  for (const type of typeNames) {
    const { fields = {}, write = {} } = access[type];
    const narrowed = Object.entries(fields).filter(([, scope]) => scope !== everyone);
    if (narrowed.length > 0)
      it(`names the fields of ${type} that not everyone reads who sees it`, () => {
        expect(named(readers, type)).to.include.members(narrowed.map(([field]) => field));
      });
    if (Object.keys(write).length > 0)
      it(`names the fields of ${type} that not everyone writes who may change it`, () => {
        expect(named(writers, type)).to.have.members(Object.keys(write));
      });
  }
});
