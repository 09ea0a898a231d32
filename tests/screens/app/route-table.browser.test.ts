import { expect } from 'chai';
import type { RouteObject } from 'react-router-dom';
import { routes } from '#screens/app/routes.tsx';
import { ROWS } from '../../end-to-end/route-table.ts';

/** The patterns of all addresses below `route`: those of pages, and those that lead on. */
function patternsOf({ path = '', children = [], element, lazy }: RouteObject): readonly string[] {
  const isAddress = path !== '' && (element !== undefined || lazy !== undefined);
  return [...(isAddress ? [path] : []), ...children.flatMap(patternsOf)];
}

describe('the table of routes that the browser tests go over', () => {
  const known = new Set(ROWS.map(({ pattern }) => pattern));
  const present = new Set(routes.flatMap(patternsOf));

  it('has a row for every address of the app', () => {
    expect(present.size).to.be.greaterThan(50);
    expect([...present].filter((pattern) => !known.has(pattern))).to.deep.equal([]);
  });

  it('has none for an address that there is not', () => {
    const ofApp = ROWS.filter(({ kind }) => kind === 'app').map(({ pattern }) => pattern);
    expect(ofApp.filter((pattern) => !present.has(pattern))).to.deep.equal([]);
  });
});
