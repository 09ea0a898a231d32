import { html, nothing } from '#base/html.ts';
import type { Html } from '#base/html.ts';
import { passkeySiteOf } from '../../../domain/accounts/passkey-ceremonies.ts';
import { passkeysOf } from '../../../domain/accounts/passkeys.ts';
import type { Passkey } from '../../../domain/accounts/passkeys.ts';
import {
  renewRecoveryCodes,
  secondFactorOf,
  switchSecondFactorOff,
} from '../../../domain/accounts/second-factor.ts';
import type { SecondFactor } from '../../../domain/accounts/second-factor.ts';
import { ofSignedIn, toAccount } from '../account/signed-in.ts';
import { mailSecondFactor } from '../account-mail.ts';
import { auditAccount } from '../audit-accounts.ts';
import { presentPassword } from '../form.ts';
import type { IdentityForm, Visit } from '../form.ts';
import { askedFactorOf } from './factor-check.ts';
import { addOneTimeCodes, takeOneTimeCodes } from './one-time-codes-pages.ts';
import { addPasskeyPage, removePasskeyPage, renamePasskeyPage } from './passkey-pages.ts';
import {
  addressOfFactor,
  auditOff,
  backFrom,
  refusalOfProof,
  showCodes,
  showSwitchedOff,
} from './second-factor-views.ts';
import type { FactorStep, FactorVisit } from './second-factor-views.ts';

/**
 * `/oidc/second-factor`: one-time codes and passkeys, each added and taken away, new recovery codes,
 * and switching all of it off (screens 12.6).
 */
export const secondFactorPage = ofSignedIn(async (identity, visit, here, request) => {
  // Until the address is confirmed, somebody else's may be the account.
  if (!here.account.isVerified) return visit.leadTo('/verify-email');
  const factor = await askedFactorOf(identity.services, visit, here.account);
  const asked: FactorVisit = { identity, visit, here, request, factor };
  const step = stepOf(visit);
  if (step === 'passkey') return addPasskeyPage(asked);
  if (factor === null || step === 'app') return addOneTimeCodes(asked);
  if (step === null) return showFactor(asked);
  return steps[step](asked);
});

/** What one may do while the second factor is on. */
const steps: Readonly<
  Record<Exclude<FactorStep, 'app' | 'passkey'>, (asked: FactorVisit) => Promise<void>>
> = {
  codes: makeCodes,
  off: switchOff,
  'no-app': takeOneTimeCodes,
  rename: renamePasskeyPage,
  remove: removePasskeyPage,
};

function stepOf(visit: Visit): FactorStep | null {
  const wanted = visit.parameter('do');
  if (wanted === 'app' || wanted === 'passkey') return wanted;
  return Object.hasOwn(steps, wanted) ? (wanted as keyof typeof steps) : null;
}

async function showFactor(asked: FactorVisit): Promise<void> {
  const { identity, visit, here } = asked;
  const { db, config } = identity.services;
  const { factor, passkeys } = await db.transact(async (tx) => ({
    factor: await secondFactorOf(tx, here.account.id),
    passkeys: await passkeysOf(tx, here.account.id),
  }));
  // It was switched off meanwhile, in another tab.
  if (factor === null) return visit.leadTo(addressOfFactor(visit));
  const mayAdd = passkeySiteOf(config) !== null;
  const since = visit.say('identity.secondFactor.since', { day: dayOf(asked, factor.since) });
  const left = visit.say('identity.secondFactor.left', { left: factor.codesLeft });
  return visit.show(
    'identity.secondFactor.title',
    html`<p>${since}</p>
      <h2>${visit.say('identity.secondFactor.passkeys')}</h2>
      ${
        passkeys.length === 0
          ? html`<p>${visit.say('identity.secondFactor.noPasskeys')}</p>`
          : html`<ul class="devices">
              ${passkeys.map((passkey) => entry(asked, passkey))}
            </ul>`
      }
      ${mayAdd ? step(visit, 'passkey', 'identity.passkey.add') : nothing}
      <h2>${visit.say('identity.secondFactor.app.title')}</h2>
      ${ofCodes(asked, factor)}
      <h2>${visit.say('identity.secondFactor.recovery')}</h2>
      <p>${left}</p>
      ${step(visit, 'codes', 'identity.secondFactor.codes.action')}
      <h2>${visit.say('identity.secondFactor.all')}</h2>
      ${step(visit, 'off', 'identity.secondFactor.off.action')} ${toAccount(visit)}`,
  );
}

function entry(asked: FactorVisit, { id, name, createdAt, lastUsedAt }: Passkey): Html {
  const { visit } = asked;
  const added = dayOf(asked, createdAt);
  const when =
    lastUsedAt === null
      ? visit.say('identity.passkey.neverUsed', { added })
      : visit.say('identity.passkey.used', { added, used: dayOf(asked, lastUsedAt) });
  const link = (what: 'rename' | 'remove') => {
    const label = visit.say(`identity.passkey.${what}`);
    return html`<a href="${addressOfFactor(visit, what, id)}" aria-label="${label}: ${name}"
      >${label}</a
    >`;
  };
  return html`<li>
    <strong><bdi>${name}</bdi></strong>
    <p class="help">${when}</p>
    <p class="actions">${link('rename')} ${link('remove')}</p>
  </li>`;
}

function ofCodes(asked: FactorVisit, { codesSince, passkeys }: SecondFactor): Html {
  const { visit } = asked;
  if (codesSince === null)
    return html`<p>${visit.say('identity.secondFactor.app.off')}</p>
      ${step(visit, 'app', 'identity.secondFactor.app.action')}`;
  const on = visit.say('identity.secondFactor.app.on', { day: dayOf(asked, codesSince) });
  return html`<p>${on}</p>
    ${passkeys === 0 ? nothing : step(visit, 'no-app', 'identity.secondFactor.noApp.action')}`;
}

type StepLabel = Parameters<Visit['say']>[0];

function step(visit: Visit, wanted: FactorStep, label: StepLabel): Html {
  return html`<p><a href="${addressOfFactor(visit, wanted)}">${visit.say(label)}</a></p>`;
}

/** The day that it was where the owner of the account is. */
function dayOf({ visit: { language }, here: { timeZone } }: FactorVisit, instant: string): string {
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone });
  return day.format(new Date(instant));
}

/** Makes new recovery codes, for who gives the password and the second factor. */
async function makeCodes(asked: FactorVisit): Promise<void> {
  const { identity, visit, here, request } = asked;
  const { services } = identity;
  const { db, clock, random } = services;
  const { account } = here;
  const form = formFor(asked, 'codes');
  if (request.method !== 'POST') return visit.showForm(form);
  const refusal = await refusalOfProof(asked);
  if (refusal !== null) return visit.showForm(form, {}, refusal);
  const codes = await db.transact(async (tx) => {
    const made = await renewRecoveryCodes(tx, account.id, random);
    const from = { at: clock(), address: request.ip };
    if (made !== null) await auditAccount(tx, 'recovery-codes-made', account.id, from);
    return made;
  });
  // It was switched off meanwhile, in another tab.
  if (codes === null) return visit.leadTo(addressOfFactor(visit));
  mailSecondFactor(services, account, 'recoveryCodesMade');
  return showCodes(visit, 'identity.secondFactor.codes.title', codes, toAccount(visit));
}

/** Switches all of it off, for who gives the password and the second factor. */
async function switchOff(asked: FactorVisit): Promise<void> {
  const { identity, visit, here, request } = asked;
  const form = formFor(asked, 'off');
  if (request.method !== 'POST') return visit.showForm(form);
  const refusal = await refusalOfProof(asked);
  if (refusal !== null) return visit.showForm(form, {}, refusal);
  await identity.services.db.transact(async (tx) => {
    await switchSecondFactorOff(tx, here.account.id);
    await auditOff(tx, asked);
  });
  return showSwitchedOff(asked);
}

function formFor(asked: FactorVisit, wanted: 'codes' | 'off'): IdentityForm {
  return {
    title: 'identity.secondFactor.title',
    fields: [presentPassword],
    secondFactor: asked.factor,
    action: `identity.secondFactor.${wanted}.action`,
    before: html`<p>${asked.visit.say(`identity.secondFactor.${wanted}.asks`)}</p>`,
    after: backFrom(asked),
  };
}
