import { expect } from 'chai';
import { resetSecondFactorOf } from '#server/commands/reset-second-factor.ts';
import { refresh } from '../../support/sign-in.ts';
import { openPlace } from '../http/identity/place.ts';
import type { Place } from '../http/identity/place.ts';
import { guarded } from '../http/identity/with-second-factor.ts';

describe('the command that resets a second factor', function () {
  this.timeout(60_000);
  let place: Place;
  before(async () => {
    place = await openPlace();
  });
  after(() => place.close());

  it('lets in again with the password alone who lost it, and ends all their sign-ins', async () => {
    const { email, tokens } = await guarded(place, 'only@super.test');
    expect(await resetSecondFactorOf(place.parts, email)).to.match(/is off; the password alone/);
    const { auth } = place.parts.config;
    const refreshed = await refresh(place.server, auth, tokens.refresh_token).catch(() => null);
    expect(refreshed === null || !('access_token' in refreshed)).to.equal(true);
    expect(await resetSecondFactorOf(place.parts, email)).to.match(/was off already/);
  });

  it('says that nobody has an address that is not known', async () => {
    const error = await resetSecondFactorOf(place.parts, 'who@nowhere.test').catch(String);
    expect(error).to.contain('Nobody signs in with who@nowhere.test');
  });
});
