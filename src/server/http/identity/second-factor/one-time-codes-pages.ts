import { html, nothing } from '#base/html.ts';
import { addressOfSecret } from '../../../domain/accounts/one-time-codes.ts';
import { passkeySiteOf } from '../../../domain/accounts/passkey-ceremonies.ts';
import {
  prepareSecondFactor,
  switchCodesOff,
  switchSecondFactorOn,
} from '../../../domain/accounts/second-factor.ts';
import { addressOf } from '../../count-requests.ts';
import { qrCode } from '../../downloads/qr.ts';
import { mailSecondFactor } from '../account-mail.ts';
import { auditAccount } from '../audit-accounts.ts';
import { fields, presentPassword } from '../form.ts';
import type { IdentityForm, Refusal } from '../form.ts';
import { strangeForm, tooMany } from '../guard.ts';
import {
  addressOfFactor,
  backFrom,
  refusalOfProof,
  showSwitchedOn,
  switchedOn,
} from './second-factor-views.ts';
import type { FactorVisit } from './second-factor-views.ts';

/** Sets one-time codes up: password, then a first code of the secret that it shows. */
export function addOneTimeCodes(asked: FactorVisit): Promise<void> {
  const { visit, request, factor } = asked;
  // They were set up meanwhile, in another tab.
  if (factor?.hasCodes === true) return visit.leadTo(addressOfFactor(visit));
  if (request.method !== 'POST') return visit.showForm(startForm(asked));
  return visit.sent('secret') === '' ? prepare(asked) : confirm(asked);
}

/** Shows a secret to who knows the password; it waits for its first code. */
async function prepare(asked: FactorVisit): Promise<void> {
  const { identity, visit, here } = asked;
  const { db, clock, random } = identity.services;
  const refusal = await refusalOfProof(asked);
  if (refusal !== null) return visit.showForm(startForm(asked), {}, refusal);
  const means = { secrets: db.secrets, clock, random };
  const secret = await db.transact((tx) => prepareSecondFactor(tx, here.account.id, means));
  if (secret === null) return visit.leadTo(addressOfFactor(visit));
  return visit.showForm(confirmForm(asked, secret));
}

/** Switches codes on by the first of them. */
async function confirm(asked: FactorVisit): Promise<void> {
  const { identity, visit, here, request } = asked;
  const { services } = identity;
  const { db, clock, random } = services;
  const { account } = here;
  const secret = visit.sent('secret');
  const strange =
    strangeForm(visit) ?? (await tooMany(services, visit, ['formsOfAddress', addressOf(request)]));
  if (strange !== null) return visit.showForm(startForm(asked), {}, strange);

  const means = { secrets: db.secrets, clock, random };
  const stated = { secret, code: visit.sent('code') };
  const cause = { at: clock(), by: null, changes: [] };
  const { switched, goesOn } = await db.write(cause, async (write) => {
    const done = await switchSecondFactorOn(write, account.id, stated, means);
    if (done.is !== 'on') return { switched: done, goesOn: null };
    if (done.codes !== null) return { switched: done, goesOn: await switchedOn(write, asked) };
    const from = { at: clock(), address: request.ip };
    await auditAccount(write, 'one-time-codes-on', account.id, from);
    return { switched: done, goesOn: null };
  });
  if (switched.is === 'gone') {
    const notice = visit.say('identity.secondFactor.gone');
    return visit.showForm(startForm(asked), {}, { status: 422, notice });
  }
  if (switched.is === 'wrong code') {
    const refusal: Refusal = { status: 422, mistakes: { code: 'identity.code.wrong' } };
    return visit.showForm(confirmForm(asked, secret), {}, refusal);
  }
  if (switched.codes !== null) return showSwitchedOn(asked, switched.codes, goesOn);
  mailSecondFactor(services, account, 'oneTimeCodesOn');
  return visit.leadTo(addressOfFactor(visit));
}

/** Takes codes away while there are passkeys; the last factor goes by switching all of it off. */
export async function takeOneTimeCodes(asked: FactorVisit): Promise<void> {
  const { identity, visit, here, request } = asked;
  const { services } = identity;
  const { account } = here;
  const form: IdentityForm = {
    title: 'identity.secondFactor.app.title',
    fields: [presentPassword],
    secondFactor: asked.factor,
    action: 'identity.secondFactor.noApp.action',
    before: html`<p>${visit.say('identity.secondFactor.noApp.asks')}</p>`,
    after: backFrom(asked),
  };
  if (request.method !== 'POST') return visit.showForm(form);
  const refusal = await refusalOfProof(asked);
  if (refusal !== null) return visit.showForm(form, {}, refusal);
  const isOff = await services.db.transact(async (tx) => {
    if (!(await switchCodesOff(tx, account.id))) return false;
    const from = { at: services.clock(), address: request.ip };
    await auditAccount(tx, 'one-time-codes-off', account.id, from);
    return true;
  });
  if (isOff) mailSecondFactor(services, account, 'oneTimeCodesOff');
  return visit.leadTo(addressOfFactor(visit));
}

function startForm(asked: FactorVisit): IdentityForm {
  const { identity, visit, factor } = asked;
  const isFirst = factor === null;
  const mayAddPasskey = isFirst && passkeySiteOf(identity.services.config) !== null;
  const passkey = addressOfFactor(visit, 'passkey');
  return {
    title: isFirst ? 'identity.secondFactor.title' : 'identity.secondFactor.app.title',
    fields: [presentPassword],
    secondFactor: factor,
    action: 'identity.secondFactor.start',
    before: isFirst
      ? html`<p>${visit.say('identity.secondFactor.text')}</p>
          <h2>${visit.say('identity.secondFactor.app.title')}</h2>
          <p>${visit.say('identity.secondFactor.app.asks')}</p>`
      : html`<p>${visit.say('identity.secondFactor.app.asks')}</p>`,
    after: html`${
      mayAddPasskey
        ? html`<h2>${visit.say('identity.secondFactor.passkeys')}</h2>
            <p>${visit.say('identity.passkey.asks')}</p>
            <p class="other">
              <a class="button" href="${passkey}">${visit.say('identity.passkey.instead')}</a>
            </p>`
        : nothing
    }
    ${backFrom(asked)}`,
  };
}

function confirmForm(asked: FactorVisit, secret: string): IdentityForm {
  const { visit, here, factor } = asked;
  const address = addressOfSecret(secret, here.account.email);
  const isFirst = factor === null;
  return {
    title: isFirst ? 'identity.secondFactor.title' : 'identity.secondFactor.app.title',
    fields: [{ ...fields.code, help: 'identity.secondFactor.first' }],
    action: isFirst ? 'identity.secondFactor.on.action' : 'identity.secondFactor.app.action',
    hidden: { secret },
    before: html`<p>${visit.say('identity.secondFactor.scan')}</p>
      <div class="scan">${qrCode(address, visit.say('identity.secondFactor.picture'))}</div>
      <p><a href="${address}">${visit.say('identity.secondFactor.open')}</a></p>
      <p>
        ${visit.say('identity.secondFactor.type')}<br />
        <code>${secret.replace(/.{4}(?=.)/g, '$& ')}</code>
      </p>`,
    after: backFrom(asked),
  };
}
