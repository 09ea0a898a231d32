import { expect } from 'chai';
import { NoAnswerError } from '#session/environment.ts';
import { learnServerTime, serverTime } from '#session/server-time.ts';
import { createTokens } from '#session/token.ts';
import { World } from './world.ts';

const DAY = 86_400_000;

async function noAnswerOf(work: Promise<unknown>): Promise<void> {
  const error: unknown = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).to.be.instanceOf(NoAnswerError);
}

describe('the access token', () => {
  let world: World;
  beforeEach(() => {
    world = new World();
    world.rotating();
  });

  it('is null for who is not signed in, without a request', async () => {
    const tokens = createTokens(world.tab());
    expect(await tokens.accessToken()).to.equal(null);
    expect(tokens.state()).to.equal('signed-out');
    expect(world.asked).to.deep.equal([]);
  });

  it('is the stored one while it is good, without a request [R220]', async () => {
    world.signedIn();
    const tokens = createTokens(world.tab());
    expect(await tokens.accessToken()).to.equal(world.stored().access_token);
    expect(tokens.claims()).to.include({ sub: 'sub-1', email: 'ana@hill.test' });
    expect(world.asked).to.deep.equal([]);
  });

  it('is renewed shortly before its end; the rest of what is stored stays', async () => {
    world.signedIn(world.token(20_000));
    const tokens = createTokens(world.tab());
    const fresh = await tokens.accessToken();
    expect(fresh).to.equal(world.stored().access_token);
    expect(world.stored()).to.deep.include({
      refresh_token: 'refresh-2',
      profile: { sub: 'sub-1' },
    });
    const { body } = world.asked.find(({ path }) => path === '/oidc/token') ?? world.fail();
    expect(body.get('resource')).to.equal('http://here.test/api');
    expect(body.get('audience')).to.equal('http://here.test/api');
  });

  it('is renewed when the server refused it, whatever it says itself', async () => {
    world.signedIn();
    const tokens = createTokens(world.tab());
    const refused = await tokens.accessToken();
    const fresh = await tokens.accessToken({ refused: refused ?? '' });
    expect(fresh).to.be.a('string').and.not.equal(refused);
    expect(await tokens.accessToken({ refused: refused ?? '' }), 'once').to.equal(fresh);
    expect(world.paths().filter((path) => path === '/oidc/token')).to.have.length(1);
  });

  it('needs a new sign-in when all sign-ins of the account were ended, and the issuer is asked once [wire 2]', async () => {
    world.signedIn();
    world.answer('/oidc/token', () => world.json({ error: 'invalid_grant' }, 400));
    const tokens = createTokens(world.tab());
    const refused = (await tokens.accessToken()) ?? '';
    expect(await tokens.accessToken({ refused })).to.equal(null);
    expect(tokens.state()).to.equal('expired');
    expect(await tokens.accessToken()).to.equal(null);
    expect(world.paths().filter((path) => path === '/oidc/token')).to.have.length(1);
  });

  it('[fault 35] is renewed once when many ask at once, in two tabs', async () => {
    world.signedIn(world.token(-1));
    const [one, two] = [createTokens(world.tab()), createTokens(world.tab())];
    const all = await Promise.all([
      one.accessToken(),
      two.accessToken(),
      one.accessToken(),
      two.accessToken(),
    ]);
    expect(new Set(all).size).to.equal(1);
    expect(world.paths().filter((path) => path === '/oidc/token')).to.have.length(1);
    expect(one.state()).to.equal('signed-in');
  });

  it('[fault 36] is renewed with the same refresh token when the answer was lost', async () => {
    world.signedIn(world.token(-1));
    const sent: (string | null)[] = [];
    world.answer('/oidc/token', ({ body }) => {
      sent.push(body.get('refresh_token'));
      const fresh = { access_token: world.token(), refresh_token: 'refresh-2' };
      return sent.length === 1 ? null : world.json(fresh);
    });
    const tokens = createTokens(world.tab());
    await noAnswerOf(tokens.accessToken());
    expect(await tokens.accessToken()).to.be.a('string');
    expect(sent).to.deep.equal(['refresh-1', 'refresh-1']);
  });

  it('[fault 37] no answer is no answer, for whatever reason and however long', async () => {
    world.signedIn(world.token(-1));
    const tokens = createTokens(world.tab());
    const strange: (() => Response | null)[] = [
      () => null,
      () => new Response('<html>Please accept our terms</html>'),
      () => new Response('{"access_token":"cut of'),
      () => world.json({ error: 'server_error' }, 500),
      () => world.json({ error: 'invalid_grant' }, 502),
      () => world.json({ error: 'invalid_client' }, 401),
      () => world.json({ error: 'temporarily_unavailable' }, 429),
      // As long as the person is locked.
      () => world.json({ error: 'temporarily_unavailable' }, 400),
      () => world.json({}),
    ];
    for (const answering of strange) {
      world.now += 600_000;
      world.answer('/oidc/token', answering);
      await noAnswerOf(tokens.accessToken());
      expect(tokens.state()).to.equal('signed-in');
      expect(world.stored().refresh_token).to.equal('refresh-1');
    }
    world.rotating();
    expect(await tokens.accessToken()).to.be.a('string');
  });

  it('is null after invalid_grant, in every tab; who it is stays known', async () => {
    world.signedIn(world.token(-1));
    world.answer('/oidc/token', () => world.json({ error: 'invalid_grant' }, 400));
    const [one, two] = [createTokens(world.tab()), createTokens(world.tab())];
    let calls = 0;
    two.subscribe(() => {
      calls += 1;
    });
    expect(await one.accessToken()).to.equal(null);
    expect(one.state()).to.equal('expired');
    expect(two.state()).to.equal('expired');
    expect(calls).to.be.greaterThan(0);
    expect(world.stored().profile).to.deep.equal({ sub: 'sub-1' });
  });

  it('[fault 19] is judged by the server clock: a device a day ahead renews nothing [R425]', async () => {
    world.signedIn();
    world.deviceOffMs = DAY;
    const tab = world.tab();
    learnServerTime(world.json({}), tab.clock(), tab);
    expect(serverTime(tab)).to.be.closeTo(world.now, 1_500);
    await createTokens(tab).accessToken();
    expect(world.asked).to.deep.equal([]);
  });

  it('[fault 19] is renewed in time on a device a day behind, and when its clock jumps', async () => {
    world.signedIn(world.token(10_000));
    world.deviceOffMs = -DAY;
    const tab = world.tab();
    const tokens = createTokens(tab);
    learnServerTime(world.json({}), tab.clock(), tab);
    const fresh = await tokens.accessToken();
    expect(fresh).to.equal(world.stored().access_token);

    world.deviceOffMs = 3 * DAY;
    expect(await tokens.accessToken(), 'one needless renewal, nobody is out').to.be.a('string');
    const before = world.asked.length;
    await tokens.accessToken();
    expect(world.asked.length, 'the clock was learned from its answer').to.equal(before);
  });

  it('is announced when it is a new one, not for anything else that is stored', async () => {
    world.signedIn(world.token(-1));
    const one = world.tab();
    let fresh = 0;
    createTokens(world.tab()).onFresh(() => {
      fresh += 1;
    });
    one.storage.setItem('something', 'else');
    expect(fresh).to.equal(0);
    await createTokens(one).accessToken();
    expect(fresh).to.equal(1);
    createTokens(one).forget();
    expect(fresh).to.equal(1);
  });

  it('does not bring back who signed out in another tab meanwhile', async () => {
    world.signedIn(world.token(-1));
    const [one, two] = [createTokens(world.tab()), createTokens(world.tab())];
    world.answer('/oidc/token', () => {
      two.forget();
      return world.json({ access_token: world.token(), refresh_token: 'refresh-2' });
    });
    expect(await one.accessToken()).to.equal(null);
    expect(one.state()).to.equal('signed-out');
  });

  it('keeps the tokens of who signed in meanwhile when the old ones are refused', async () => {
    world.signedIn(world.token(-1));
    const other = world.token(900_000, { sub: 'sub-2' });
    world.answer('/oidc/token', () => {
      world.signedIn(other, 'theirs');
      return world.json({ error: 'invalid_grant' }, 400);
    });
    const tokens = createTokens(world.tab());
    expect(await tokens.accessToken()).to.equal(other);
    expect(tokens.state()).to.equal('signed-in');
  });

  it('keeps the tokens of who signed in meanwhile when the old ones are renewed', async () => {
    world.signedIn(world.token(-1));
    const other = world.token(900_000, { sub: 'sub-2' });
    world.answer('/oidc/token', () => {
      world.signedIn(other, 'theirs');
      return world.json({ access_token: world.token(), refresh_token: 'refresh-2' });
    });
    const tokens = createTokens(world.tab());
    expect(await tokens.accessToken()).to.equal(other);
    expect([tokens.claims()?.sub, tokens.refreshToken()]).to.deep.equal(['sub-2', 'theirs']);
  });

  it('is renewed although a frozen tab holds the lock, and without locks', async () => {
    world.signedIn(world.token(-1));
    world.freezeLock();
    expect(await createTokens(world.tab()).accessToken()).to.be.a('string');
    world.now += DAY;
    const without = createTokens(world.tab({ hasLocks: false }));
    expect(await without.accessToken()).to.be.a('string');
    expect(world.stored().refresh_token).to.equal('refresh-3');
  });

  it('locks nobody out offline: the session lasts as long as nobody says otherwise [R230]', async () => {
    world.signedIn(world.token(-1));
    const tokens = createTokens(world.tab());
    expect(await tokens.accessToken(), 'once with a connection').to.be.a('string');
    world.cut();
    world.now += 30 * DAY;
    expect(tokens.state()).to.equal('signed-in');
    expect(tokens.claims()?.sub).to.equal('sub-1');
    await noAnswerOf(tokens.accessToken());
    expect(tokens.state()).to.equal('signed-in');
  });

  it('without a refresh token asks for sign-in at its end [R230, R425]', async () => {
    world.signedIn(world.token(60_000), '');
    const tokens = createTokens(world.tab());
    expect(tokens.state()).to.equal('signed-in');
    world.now += 60_000;
    expect(tokens.state(), 'before anything asks for it').to.equal('expired');
    expect(await tokens.accessToken()).to.equal(null);
    expect(tokens.state()).to.equal('expired');
    expect(world.asked).to.deep.equal([]);
  });
});
