import { randomUUID } from 'node:crypto';
import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { sql } from 'kysely';
import { appPage } from '#server/http/downloads/app-page.ts';
import { documentOf } from '#server/http/downloads/document.ts';
import type { DownloadPage } from '#server/http/downloads/document.ts';
import { filePage } from '#server/http/downloads/file-page.ts';
import { laterPage, missingPage } from '#server/http/downloads/trouble-page.ts';
import { MAIL_TEMPLATES, renderMail } from '#server/kernel/mail/mail-templates.ts';
import type { Mail } from '#server/kernel/mail/mail-templates.ts';
import { oneTimeCode } from '../support/one-time-code.ts';
import { READER, sayInPseudo } from '../support/pseudo-server.ts';
import { authorizeAddress } from '../support/sign-in.ts';
import { mailedLink } from './mailbox.ts';
import { PASSWORD } from './people.ts';
import { lookAt } from './pseudo-texts.ts';
import { ACCOUNT_PAGES } from './route-table.ts';
import { beyondTheSides } from './sideways.ts';
import { test } from './world.ts';
import type { Person, Team, World } from './world.ts';

/** The longest name that a passkey may have, without a place to break it. */
const LONG = 'Wintergardenharvestsongsofthehillsidevillagesinthesouthlands';
const WIDTHS_PX = [375, 1_280];

/** Expects that all of `page` can be read, in each width. */
async function expectWhole(page: Page, where: string): Promise<void> {
  await expect(page.locator('body'), `${where} says no text`).toContainText('⟦');
  for (const width of WIDTHS_PX) {
    await page.setViewportSize({ width, height: 800 });
    const { cut } = await lookAt(page, () => true);
    const found = [...cut, ...(await beyondTheSides(page))];
    expect.soft(found, `${where} at ${String(width)} px`).toEqual([]);
  }
}

/** Opens each of `paths`, and sends its form empty where one is to be filled in. */
async function lookThrough(page: Page, { url }: World, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const shown = await page.goto(`${url}${path}`);
    expect(shown?.status(), path).not.toBe(429);
    await expectWhole(page, path);
    const fields = page.locator('form[method="post"] input:not([type="hidden"])');
    if ((await fields.count()) === 0) continue;
    expect(await sendForm(page, {}), `${path}, sent empty`).toBe(422);
    await expectWhole(page, `${path}, sent empty`);
  }
}

/**
 * Fills in the first form of the page and sends it, whatever the browser would say of it.
 *
 * @returns the status of the answer
 */
async function sendForm(page: Page, values: Readonly<Record<string, string>>): Promise<number> {
  const form = page.locator('form[method="post"]').first();
  for (const [name, value] of Object.entries(values))
    await form.locator(`[name="${name}"]`).fill(value);
  const [answer] = await Promise.all([
    page.waitForResponse((response) => response.request().method() === 'POST'),
    page.waitForEvent('load'),
    form.evaluate((element: HTMLFormElement) => {
      element.noValidate = true;
      element.requestSubmit();
    }),
  ]);
  return answer.status();
}

async function signInInPseudo(page: Page, world: World, { email }: Person): Promise<void> {
  await page.goto(`${world.url}${authorizeAddress(world.parts.config.auth).address}`);
  await sendForm(page, { email, password: PASSWORD });
}

/** Sets one-time codes up, through each of its pages; returns their secret. */
async function setUpCodes(page: Page, { url, parts }: World): Promise<string> {
  await page.goto(`${url}/oidc/second-factor`);
  await sendForm(page, { password: PASSWORD });
  await expectWhole(page, 'the secret of one-time codes');
  const secret = await page.locator('code').innerText();
  await sendForm(page, { code: oneTimeCode(secret, parts.clock()) });
  await expect(page.locator('.codes li')).toHaveCount(10);
  await expectWhole(page, 'the recovery codes');
  return secret;
}

/** Adds passkeys of the longest name, whose keys nobody has; returns the id of one. */
async function addPasskeys({ parts }: World, { email }: Person): Promise<string> {
  const ids = [randomUUID(), randomUUID()] as const;
  await parts.db.transact(async (tx) => {
    for (const id of ids)
      await tx.query(sql`
        insert into passkeys (id, account_id, credential_id, public_key, counter, transports, name, created_at)
        select ${id}::uuid, id, ${id}, '', 0, 'internal', ${LONG}, now()
        from accounts where email = ${email}`);
  });
  return ids[0];
}

/** Gives a team whose people own what has long names. */
async function ownMuch(team: Team): Promise<void> {
  await team.project(LONG);
  await team.project(LONG.repeat(4));
}

const CONTEXT = {
  ...{ address: null, isForEveryone: true, project: LONG, publisher: LONG },
  projectPath: '/projects/some',
};
const FACTS = {
  ...{ releaseVersion: LONG, releaseNotes: LONG, publishedAt: '2026-11-27T12:00:00.000Z' },
  sha256: '0123456789abcdef'.repeat(4),
};
const AWAY = { url: 'https://files.test/app.apk', host: `${LONG}.test`, isOfEngine: false };

/** The download pages, of an app in two languages, one of which runs from right to left. */
const downloadPages = (): readonly (readonly [string, DownloadPage])[] => [
  ...(['fr', 'ar'] as const).map(
    (chosen) =>
      [
        `the page of an app in ${chosen}`,
        appPage(
          {
            ...FACTS,
            ...{ id: 'some', icon: null, size: 4_200_000, link: 'https://slipway.test/app.apk' },
            ...{ away: AWAY, color: '#20604f', languages: ['fr', 'ar', 'tlh'] },
            ...{ defaultLanguage: 'fr', titles: { fr: LONG, ar: 'أغاني' } },
            ...{ descriptions: { fr: LONG, ar: LONG }, downloadApkStrings: { fr: LONG } },
          },
          { wishes: [READER], ours: READER, chosen },
          { ...CONTEXT, address: 'https://slipway.test/downloads/apk/some/published' },
        ),
      ] as const,
  ),
  [
    'the page of a file',
    filePage(
      {
        ...FACTS,
        ...{ product: 'some', link: '/some', type: 'play-listing', name: LONG, definition: LONG },
        ...{ platform: 'web', icon: null, sizeBytes: 4_200, away: AWAY, site: AWAY },
      },
      READER,
      { ...CONTEXT, address: 'https://slipway.test/downloads/some' },
    ),
  ],
  ['the page in place of a file', missingPage(READER)],
  ['the page while there is no answer', laterPage(READER, '/some')],
];

/** The values of all mails, but for the instant. */
const MAILED = [
  ...['link', 'address', 'name', 'left', 'organization', 'inviter', 'project', 'product'],
  ...['from', 'to', 'who', 'comment', 'first', 'created', 'existing', 'failed', 'lines'],
  ...['email', 'version', 'websiteUrl', 'owner', 'readers'],
] as const;

test.describe('what the server says itself, in a longer language,', () => {
  test.setTimeout(240_000);
  let putBack: () => void;
  let page: Page;
  test.beforeEach(async ({ browser }) => {
    putBack = sayInPseudo();
    const context = await browser.newContext({ locale: READER, serviceWorkers: 'block' });
    page = await context.newPage();
  });
  test.afterEach(async () => {
    putBack();
    await page.context().close();
  });

  test('is whole to who is signed out', async ({ world, team }) => {
    const { address } = authorizeAddress(world.parts.config.auth);
    const useless = ['verify', 'reset', 'sign-in', 'confirm-address'];
    await lookThrough(page, world, [
      ...['/help/', '/help/community', '/help/import'],
      ...[address, '/oidc/interaction/none', '/oidc/auth?client_id=nobody'],
      ...['/oidc/sign-up', '/oidc/forgot', '/downloads/apk/none/published'],
      ...useless.map((kind) => `/oidc/${kind}?token=used`),
    ]);
    await page.goto(`${world.url}/oidc/forgot`);
    await sendForm(page, { email: team.ana.email });
    await expectWhole(page, 'the link is on its way');
    const link = await mailedLink(world, team.ana.email, '/oidc/reset');
    await page.goto(link);
    // It speaks the language of the account at first.
    await page.getByRole('link', { name: 'Français' }).click();
    await expectWhole(page, 'the page of a mailed link');
  });

  test('is whole to who sees to their account', async ({ world, team }) => {
    await ownMuch(team);
    // Another device of hers.
    await team.apiOf(team.ana);
    await signInInPseudo(page, world, team.ana);
    await lookThrough(page, world, [
      ...ACCOUNT_PAGES.map(({ at }) => at),
      '/oidc/second-factor?do=passkey',
    ]);
    await page.goto(`${world.url}/oidc/session/end`);
    await expectWhole(page, 'the sign-out');
  });

  test('is whole to who has a second factor', async ({ world, team }) => {
    const cleo = await team.join('Cleo', []);
    await signInInPseudo(page, world, cleo);
    await lookThrough(page, world, ['/oidc/delete-account']);
    const secret = await setUpCodes(page, world);
    const passkey = await addPasskeys(world, cleo);
    const steps = ['codes', 'off', 'no-app', `remove&passkey=${passkey}`];
    await lookThrough(
      page,
      world,
      ['second-factor', ...steps.map((step) => `second-factor?do=${step}`)].map(
        (path) => `/oidc/${path}`,
      ),
    );
    await page.goto(`${world.url}/oidc/second-factor?do=rename&passkey=${passkey}`);
    expect(await sendForm(page, { name: ' ' })).toBe(422);
    await expectWhole(page, 'the new name of a passkey');
    await page.context().clearCookies();
    await signInInPseudo(page, world, cleo);
    await expectWhole(page, 'the second factor of a sign-in');
    expect(await sendForm(page, { code: 'wrong' })).toBe(422);
    await expectWhole(page, 'the second factor of a sign-in, wrong');
    await sendForm(page, { code: oneTimeCode(secret, world.parts.clock() + 30_000) });
    await expect(page).not.toHaveURL(/\/oidc\//);
  });

  test('is whole to who downloads something', async ({ world }) => {
    for (const [where, shown] of downloadPages()) {
      await page.route(`${world.url}/shown`, (route) =>
        route.fulfill({ body: documentOf(shown), contentType: 'text/html; charset=utf-8' }),
      );
      await page.goto(`${world.url}/shown`);
      await expectWhole(page, where);
      await page.unroute(`${world.url}/shown`);
    }
  });

  test('is whole in each mail', async () => {
    const values = {
      ...(Object.fromEntries(MAILED.map((name) => [name, LONG])) as Record<
        (typeof MAILED)[number],
        string
      >),
      until: '2026-11-27T12:00:00.000Z',
    };
    const files = [{ name: `html: ${LONG}.zip`, url: `https://slipway.test/${LONG}` }];
    for (const template of MAIL_TEMPLATES) {
      const mail = { to: 'ana@slipway.test', language: READER, template, values, files } as Mail;
      const { html } = renderMail(mail);
      expect(html, template).not.toContain('{{');
      await page.setContent(html);
      await expectWhole(page, `the mail ${template}`);
    }
  });

  test('would be found out where it is not whole', async ({ world }) => {
    await page.goto(`${world.url}/help/`);
    await page.locator('h1').evaluate((title, text) => {
      title.textContent = text;
      title.style.whiteSpace = 'nowrap';
    }, LONG.repeat(2));
    const { cut } = await lookAt(page, () => true);
    expect(cut).toContainEqual(expect.stringContaining('beyond the page'));
    expect(await beyondTheSides(page)).toContainEqual(expect.stringContaining('the page: '));
  });
});
