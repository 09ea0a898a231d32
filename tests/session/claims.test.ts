import { expect } from 'chai';
import * as fc from 'fast-check';
import { claimsIn } from '#session/claims.ts';
import { World } from './world.ts';

describe('the claims of a token', () => {
  it('are read, in every script [R221]', () => {
    const world = new World();
    const token = world.token(60_000, { name: 'Zoé 李', picture: 'https://hill.test/z.png' });
    expect(claimsIn(token)).to.deep.equal({
      sub: 'sub-1',
      email: 'ana@hill.test',
      isEmailVerified: true,
      name: 'Zoé 李',
      picture: 'https://hill.test/z.png',
      endsAt: world.now + 60_000,
    });
  });

  it('are verified only with the value true [R231]', () => {
    const token = new World().token(1, { email_verified: 'true' });
    expect(claimsIn(token)?.isEmailVerified).to.equal(false);
  });

  it('are null for anything that is no such token, and never throw', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(fc.base64String()).map((p) => p.join('.')),
        ),
        (t) => {
          expect(claimsIn(t)).to.equal(null);
        },
      ),
    );
  });
});
