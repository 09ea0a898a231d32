import { expect } from 'chai';
import { createSession, tokensOf } from '#session/session.ts';
import { createTokens } from '#session/token.ts';
import { USER_ID, World } from './world.ts';

const OTHER_ID = '0197c1e0-0000-7000-8000-000000000002';

describe('the tokens of one person', () => {
  let world: World;
  beforeEach(async () => {
    world = new World();
    world.rotating();
    world.signedIn();
    await createSession(world.tab()).identify();
  });

  const ofAna = () => {
    const tab = world.tab();
    return tokensOf(USER_ID, tab, createTokens(tab));
  };
  /** Ben signs in in another tab: his tokens first, then the server says who he is. */
  const benSignsIn = async (): Promise<void> => {
    world.answer('/api/users/current-user', () => world.json({ data: { id: OTHER_ID } }));
    const tab = world.tab();
    const tokens = createTokens(tab);
    world.signedIn(world.token(900_000, { sub: 'sub-2' }), 'refresh-of-ben');
    tokens.changed();
    await createSession(tab, tokens).identify();
  };

  it('[fault 20] are those of nobody else, who may have signed in since', async () => {
    const ana = ofAna();
    expect(await ana.accessToken()).to.equal(world.stored().access_token);
    world.signedIn(world.token(900_000, { sub: 'sub-2' }), 'refresh-of-ben');
    expect(await ana.accessToken(), 'before it is known who that is').to.equal(null);
    await benSignsIn();
    expect(await ana.accessToken(), 'once it is known').to.equal(null);
    const tab = world.tab();
    expect(await tokensOf(OTHER_ID, tab, createTokens(tab)).accessToken()).to.be.a('string');
  });

  it('[fault 20] are not those of somebody who signed in while they were renewed', async () => {
    world.signedIn(world.token(-1));
    world.answer('/oidc/token', () => {
      world.signedIn(world.token(900_000, { sub: 'sub-2' }), 'refresh-of-ben');
      return world.json({ error: 'invalid_grant' }, 400);
    });
    expect(await ofAna().accessToken()).to.equal(null);
  });

  it('[fault 33] are announced when that person is back, not for anybody else', async () => {
    let fresh = 0;
    const tab = world.tab();
    const tokens = createTokens(tab);
    const end = tokensOf(USER_ID, tab, tokens).onToken(() => {
      fresh += 1;
    });
    await benSignsIn();
    tokens.changed();
    expect(fresh).to.equal(0);

    world.answer('/api/users/current-user', () => world.json({ data: { id: USER_ID } }));
    world.signedIn(world.token(900_000, { jti: 'again' }));
    tokens.changed();
    expect(fresh, 'it is not known yet who that is').to.equal(0);
    await createSession(tab, tokens).identify();
    expect(fresh).to.equal(1);
    end();
  });
});
