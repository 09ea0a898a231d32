import { expect } from 'chai';
import { LOCALES } from '#schema/user.ts';
import { translate } from '#text/say.ts';
import { authorizeAddress, PlainBrowser } from '../../../support/sign-in.ts';
import { openPlace } from './place.ts';
import type { Place } from './place.ts';

/** Covers what the page to sign in says of the demo's accounts: `#server/http/identity`. */

const signInPages = (place: Place) =>
  Promise.all(
    LOCALES.map(async (language) => {
      const { address } = authorizeAddress(place.parts.config.auth, { ui_locales: language });
      return { language, ...(await new PlainBrowser(place.server).open(address)) };
    }),
  );

describe('the page to sign in', () => {
  it('lists the accounts of the demo with their password, in each language, where the demo is on [wire 2.4]', async () => {
    const place = await openPlace({ DEMO: '1' });
    for (const { language, html } of await signInPages(place)) {
      expect(html, language).to.contain(translate(language, 'identity.demo.title'));
      expect(html, language).to.contain(translate(language, 'roles.AppBuilder'));
      const emails = [...html.matchAll(/data-email="([^"]*)"/g)].map(([, email]) => email);
      expect(emails, language)
        .to.include.members(['super@slipway.test', 'builder@lakeside.test', 'member@lakeside.test'])
        .and.not.include('locked@lakeside.test')
        .and.not.include('unverified@lakeside.test');
      expect(html, language).to.contain('slipway-demo');
    }
    await place.close();
  });

  it('names no account where the demo is off [wire 2.4]', async () => {
    const place = await openPlace({ DEMO: '0' });
    for (const { language, html } of await signInPages(place))
      expect(html, language)
        .to.contain('type="password"')
        .and.not.contain('slipway-demo')
        .and.not.contain('.test')
        .and.not.contain('class="demo"');
    await place.close();
  });
});
