import type { FastifyRequest } from 'fastify';
import { html } from '#base/html.ts';
import type { Html } from '#base/html.ts';
import type { MailTextKey } from '#text/say.ts';
import { addressOfSecret } from '../../../domain/accounts/one-time-codes.ts';
import {
  newRecoveryCodes,
  prepareSecondFactor,
  secondFactorOf,
  switchSecondFactorOff,
  switchSecondFactorOn,
} from '../../../domain/accounts/second-factor.ts';
import type { SecondFactor } from '../../../domain/accounts/second-factor.ts';
import { endSignIns } from '../../../domain/accounts/sign-ins.ts';
import { addressOf } from '../../count-requests.ts';
import { qrCode } from '../../downloads/qr.ts';
import { mailSecondFactor } from '../account-mail.ts';
import { auditAccount } from '../audit-accounts.ts';
import { refusalOfCode } from '../code-check.ts';
import { fields, proofFields } from '../form.ts';
import type { IdentityForm, Refusal, Visit } from '../form.ts';
import { strangeForm, tooMany } from '../guard.ts';
import type { IdentityContext } from '../identity-context.ts';
import { ofSignedIn, refusalOfPassword } from './signed-in.ts';
import type { SignedIn } from './signed-in.ts';

const PAGE = '/oidc/second-factor';

interface Asked {
  readonly identity: IdentityContext;
  readonly visit: Visit;
  readonly here: SignedIn;
  readonly request: FastifyRequest;
}

/** `/oidc/second-factor`: switching it on and off, and new recovery codes (screens 12.6). */
export const secondFactorPage = ofSignedIn(async (identity, visit, here, request) => {
  // Until the address is confirmed, somebody else's may be the account.
  if (!here.account.isVerified) return visit.leadTo('/verify-email');
  const asked = { identity, visit, here, request };
  const isSent = request.method === 'POST';
  const factor = await identity.services.db.transact((tx) => secondFactorOf(tx, here.account.id));
  if (factor === null) {
    if (!isSent) return visit.showForm(startForm(visit));
    return visit.sent('secret') === '' ? prepare(asked) : confirm(asked);
  }
  const wanted = visit.parameter('do');
  if (wanted !== 'codes' && wanted !== 'off') return showFactor(visit, factor);
  return isSent ? change(asked, wanted) : visit.showForm(changeForm(visit, wanted));
});

/** Shows a secret to who knows the password; it waits for its first code. */
async function prepare({ identity, visit, here, request }: Asked): Promise<void> {
  const { db, clock, random } = identity.services;
  const refusal = await refusalOfPassword(identity, visit, here.account, request);
  if (refusal !== null) return visit.showForm(startForm(visit), {}, refusal);
  const means = { secrets: db.secrets, clock, random };
  const secret = await db.transact((tx) => prepareSecondFactor(tx, here.account.id, means));
  // It was switched on meanwhile, in another tab.
  if (secret === null) return visit.leadTo(addressFor(visit));
  return visit.showForm(confirmForm(visit, here, secret));
}

/** Switches it on by the first code; every other sign-in ends, since it began without one. */
async function confirm(asked: Asked): Promise<void> {
  const { identity, visit, here, request } = asked;
  const { services } = identity;
  const { db, clock, random } = services;
  const { account, sessionId } = here;
  const secret = visit.sent('secret');
  const strange =
    strangeForm(visit) ?? (await tooMany(services, visit, ['formsOfAddress', addressOf(request)]));
  if (strange !== null) return visit.showForm(startForm(visit), {}, strange);

  const means = { secrets: db.secrets, clock, random };
  const stated = { secret, code: visit.sent('code') };
  const { switched, goesOn } = await db.write(
    { at: clock(), by: null, changes: [] },
    async (write) => {
      const done = await switchSecondFactorOn(write, account.id, stated, means);
      if (done.is !== 'on') return { switched: done, goesOn: null };
      await auditAccount(write, 'second-factor-on', account.id, {
        at: clock(),
        address: request.ip,
      });
      const kept = await endSignIns(write, account.id, { id: sessionId, random });
      return { switched: done, goesOn: kept };
    },
  );
  if (switched.is === 'gone') {
    const notice = visit.say('identity.secondFactor.gone');
    return visit.showForm(startForm(visit), {}, { status: 422, notice });
  }
  if (switched.is === 'wrong code') {
    const refusal: Refusal = { status: 422, mistakes: { code: 'identity.code.wrong' } };
    return visit.showForm(confirmForm(visit, here, secret), {}, refusal);
  }
  here.keepSession(goesOn);
  mailSecondFactor(services, account, 'secondFactorOn');
  // The app's tokens ended too, and it gets new ones by the session that goes on.
  return showCodes(
    visit,
    'identity.secondFactor.on.title',
    switched.codes,
    html`<p>${visit.say('identity.secondFactor.others')}</p>
      <p><a class="button" href="/login">${visit.say('identity.again')}</a></p>`,
  );
}

/** Makes new recovery codes or switches it off, for who gives the password and a code. */
async function change(asked: Asked, wanted: 'codes' | 'off'): Promise<void> {
  const { identity, visit, here, request } = asked;
  const { services } = identity;
  const { db, clock, random } = services;
  const { account } = here;
  const refusal =
    (await refusalOfPassword(identity, visit, account, request)) ??
    (await refusalOfCode(services, visit, account, request));
  if (refusal !== null) return visit.showForm(changeForm(visit, wanted), {}, refusal);

  const from = { at: clock(), address: request.ip };
  if (wanted === 'off') {
    await db.transact(async (tx) => {
      await switchSecondFactorOff(tx, account.id);
      await auditAccount(tx, 'second-factor-off', account.id, from);
    });
    mailSecondFactor(services, account, 'secondFactorOff');
    return visit.show(
      'identity.secondFactor.off.title',
      html`<p>${visit.say('identity.secondFactor.off.done')}</p>
        ${toAccount(visit)}`,
    );
  }
  const codes = await db.transact(async (tx) => {
    await auditAccount(tx, 'recovery-codes-made', account.id, from);
    return newRecoveryCodes(tx, account.id, random);
  });
  mailSecondFactor(services, account, 'recoveryCodesMade');
  return showCodes(visit, 'identity.secondFactor.codes.title', codes, toAccount(visit));
}

function showFactor(visit: Visit, { since, codesLeft }: SecondFactor): Promise<void> {
  const day = new Intl.DateTimeFormat(visit.language, { dateStyle: 'long', timeZone: 'UTC' });
  const on = visit.say('identity.secondFactor.since', { day: day.format(new Date(since)) });
  const left = visit.say('identity.secondFactor.left', { left: String(codesLeft) });
  return visit.show(
    'identity.secondFactor.title',
    html`<p>${on}</p>
      <p>${left}</p>
      <p>
        <a href="${addressFor(visit, 'codes')}"
          >${visit.say('identity.secondFactor.codes.action')}</a
        >
      </p>
      <p>
        <a href="${addressFor(visit, 'off')}">${visit.say('identity.secondFactor.off.action')}</a>
      </p>
      ${toAccount(visit)}`,
  );
}

/** Shows codes that are never shown again. */
function showCodes(
  visit: Visit,
  title: MailTextKey,
  codes: readonly string[],
  after: Html,
): Promise<void> {
  return visit.show(
    title,
    html`<p>${visit.say('identity.secondFactor.codes.text')}</p>
      <ul class="codes">
        ${codes.map((code) => html`<li><code>${code}</code></li>`)}
      </ul>
      ${after}`,
  );
}

function startForm(visit: Visit): IdentityForm {
  return {
    title: 'identity.secondFactor.title',
    fields: proofFields(false),
    action: 'identity.secondFactor.start',
    before: html`<p>${visit.say('identity.secondFactor.text')}</p>`,
    after: toAccount(visit),
  };
}

function confirmForm(visit: Visit, { account }: SignedIn, secret: string): IdentityForm {
  const address = addressOfSecret(secret, account.email);
  return {
    title: 'identity.secondFactor.title',
    fields: [{ ...fields.code, help: 'identity.secondFactor.first' }],
    action: 'identity.secondFactor.on.action',
    hidden: { secret },
    before: html`<p>${visit.say('identity.secondFactor.scan')}</p>
      <div class="scan">${qrCode(address, visit.say('identity.secondFactor.picture'))}</div>
      <p><a href="${address}">${visit.say('identity.secondFactor.open')}</a></p>
      <p>
        ${visit.say('identity.secondFactor.type')}<br />
        <code>${secret.replace(/.{4}(?=.)/g, '$& ')}</code>
      </p>`,
    after: toAccount(visit),
  };
}

function changeForm(visit: Visit, wanted: 'codes' | 'off'): IdentityForm {
  return {
    title: 'identity.secondFactor.title',
    fields: proofFields(true),
    action: `identity.secondFactor.${wanted}.action`,
    before: html`<p>${visit.say(`identity.secondFactor.${wanted}.asks`)}</p>`,
    after: html`<p>
      <a href="${addressFor(visit)}">${visit.say('identity.secondFactor.back')}</a>
    </p>`,
  };
}

/** Returns the address of this page, where `wanted` is asked for. */
function addressFor(visit: Visit, wanted: 'codes' | 'off' | null = null): string {
  const language = `?ui_locales=${visit.language}`;
  return `${PAGE}${language}${wanted === null ? '' : `&do=${wanted}`}`;
}

function toAccount(visit: Visit): Html {
  return html`<p><a href="/account">${visit.say('identity.toAccount')}</a></p>`;
}
