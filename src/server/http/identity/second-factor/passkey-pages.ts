import type { FastifyRequest } from 'fastify';
import { html, nothing } from '#base/html.ts';
import { isPlain } from '#rules/valid/length.ts';
import { asLine } from '#rules/valid/normal.ts';
import { askForNewPasskey, readNewPasskey } from '../../../domain/accounts/passkey-ceremonies.ts';
import {
  addPasskey,
  passkeysOf,
  PASSKEYS_MOST,
  removePasskey,
  renamePasskey,
} from '../../../domain/accounts/passkeys.ts';
import type { NewPasskey, Passkey } from '../../../domain/accounts/passkeys.ts';
import { addressOf } from '../../count-requests.ts';
import { deviceNameOf } from '../account/device-name.ts';
import { mailPasskey } from '../account-mail.ts';
import { auditAccount } from '../audit-accounts.ts';
import { fields, presentPassword } from '../form.ts';
import type { IdentityForm, Refusal, Visit } from '../form.ts';
import { strangeForm, tooMany } from '../guard.ts';
import { ceremonyOf } from './factor-check.ts';
import {
  addressOfFactor,
  auditOff,
  backFrom,
  refusalOfProof,
  showSwitchedOff,
  showSwitchedOn,
  switchedOn,
} from './second-factor-views.ts';
import type { FactorVisit } from './second-factor-views.ts';

const nameField = {
  ...fields.name,
  label: 'identity.passkey.name',
  autocomplete: 'off',
  help: 'identity.passkey.nameHelp',
} as const;

const LONGEST_NAME = 60;

/** Mails show the name, so it must not write lines of its own there. */
const nameIn = (visit: Visit): string => asLine(visit.sent('name'));

const isName = (name: string): boolean =>
  name !== '' && name.length <= LONGEST_NAME && isPlain(name);

/**
 * Adds a passkey: name and proof, then a page whose button has the browser make it, then what it made.
 */
export async function addPasskeyPage(asked: FactorVisit): Promise<void> {
  const { identity, visit, here, request } = asked;
  const ceremony = ceremonyOf(identity.services, visit, here.account);
  if (ceremony === null) return visit.leadTo(addressOfFactor(visit));
  if (request.method !== 'POST')
    return visit.showForm(addForm(asked), { name: suggestedName(request) });
  const name = nameIn(visit);
  if (visit.sent('new_passkey') !== '') {
    const refusal = await refusalOfForm(asked, name);
    if (refusal !== null) return visit.showForm(addForm(asked), { name }, refusal);
    const made = await readNewPasskey(ceremony, visit.sent('new_passkey'));
    return typeof made === 'string' ? refuse(asked, name) : keep(asked, { ...made, name });
  }
  if (!isName(name)) {
    const refusal: Refusal = { status: 422, mistakes: { name: 'identity.passkey.nameLong' } };
    return visit.showForm(addForm(asked), { name }, refusal);
  }
  const refusal = await refusalOfProof(asked);
  if (refusal !== null) return visit.showForm(addForm(asked), { name }, refusal);
  const known = await identity.services.db.transact((tx) => passkeysOf(tx, here.account.id));
  if (known.length >= PASSKEYS_MOST) return refuseOneMore(asked, name);
  return visit.showNewPasskey(
    {
      title: 'identity.passkey.add',
      hidden: { name },
      before: html`<p>${visit.say('identity.passkey.createText', { name })}</p>`,
      after: backFrom(asked),
    },
    await askForNewPasskey(ceremony),
  );
}

/** Stores what the browser made; the first factor of any kind brings the recovery codes. */
async function keep(asked: FactorVisit, passkey: NewPasskey): Promise<void> {
  const { identity, here, visit, request } = asked;
  const { services } = identity;
  const { db, clock, random } = services;
  const { account } = here;
  const { name } = passkey;
  const cause = { at: clock(), by: null, changes: [] };
  const { added, goesOn } = await db.write(cause, async (write) => {
    const done = await addPasskey(write, account.id, passkey, { clock, random });
    if (done.is !== 'added') return { added: done, goesOn: null };
    const session = done.codes === null ? null : await switchedOn(write, asked);
    const from = { at: clock(), address: request.ip, values: { after: { name } } };
    await auditAccount(write, 'passkey-added', account.id, from);
    return { added: done, goesOn: session };
  });
  if (added.is === 'too many') return refuseOneMore(asked, name);
  if (added.is === 'taken') return refuse(asked, name);
  mailPasskey(services, account, 'passkeyAdded', name);
  if (added.codes !== null) return showSwitchedOn(asked, added.codes, goesOn);
  return visit.leadTo(addressOfFactor(visit));
}

function refuse(asked: FactorVisit, name: string): Promise<void> {
  const notice = asked.visit.say('identity.passkey.refused');
  return asked.visit.showForm(addForm(asked), { name }, { status: 422, notice });
}

function refuseOneMore(asked: FactorVisit, name: string): Promise<void> {
  const notice = asked.visit.say('identity.passkey.most', { most: PASSKEYS_MOST });
  return asked.visit.showForm(addForm(asked), { name }, { status: 422, notice });
}

/** Gives a passkey another name, which takes no proof: it opens nothing. */
export async function renamePasskeyPage(asked: FactorVisit): Promise<void> {
  const { identity, visit, here, request } = asked;
  const passkey = await chosen(asked);
  if (passkey === null) return visit.leadTo(addressOfFactor(visit));
  const form: IdentityForm = {
    title: 'identity.passkey.rename',
    fields: [nameField],
    action: 'identity.passkey.rename',
    after: backFrom(asked),
  };
  if (request.method !== 'POST') return visit.showForm(form, { name: passkey.name });
  const name = nameIn(visit);
  const refusal = await refusalOfForm(asked, name);
  if (refusal !== null) return visit.showForm(form, { name }, refusal);
  await identity.services.db.transact((tx) => renamePasskey(tx, here.account.id, passkey.id, name));
  return visit.leadTo(addressOfFactor(visit));
}

/** Removes a passkey, for who gives the password and the second factor. */
export async function removePasskeyPage(asked: FactorVisit): Promise<void> {
  const { identity, visit, here, request, factor } = asked;
  const { services } = identity;
  const { db, clock } = services;
  const { account } = here;
  const passkey = await chosen(asked);
  if (passkey === null) return visit.leadTo(addressOfFactor(visit));
  const isLast =
    factor?.hasCodes !== true &&
    (await db.transact((tx) => passkeysOf(tx, account.id))).length === 1;
  const { name } = passkey;
  const form: IdentityForm = {
    title: 'identity.passkey.removal',
    fields: [presentPassword],
    secondFactor: factor,
    action: 'identity.passkey.remove',
    before: html`<p>${visit.say('identity.passkey.removeAsks', { name })}</p>
      ${isLast ? html`<p>${visit.say('identity.passkey.removeLast')}</p>` : nothing}`,
    after: backFrom(asked),
  };
  if (request.method !== 'POST') return visit.showForm(form);
  const refusal = await refusalOfProof(asked);
  if (refusal !== null) return visit.showForm(form, {}, refusal);
  const removed = await db.transact(async (tx) => {
    const done = await removePasskey(tx, account.id, passkey.id);
    if (done === null) return null;
    const values = { before: { name: done.name } };
    const from = { at: clock(), address: request.ip, values };
    await auditAccount(tx, 'passkey-removed', account.id, from);
    if (done.isOff) await auditOff(tx, asked);
    return done;
  });
  if (removed !== null) mailPasskey(services, account, 'passkeyRemoved', removed.name);
  return removed?.isOff === true ? showSwitchedOff(asked) : visit.leadTo(addressOfFactor(visit));
}

/** Returns the passkey that the address names; null: the account has no such. */
async function chosen({ identity, visit, here }: FactorVisit): Promise<Passkey | null> {
  const { db } = identity.services;
  const known = await db.transact((tx) => passkeysOf(tx, here.account.id));
  return known.find(({ id }) => id === visit.parameter('passkey')) ?? null;
}

async function refusalOfForm(
  { identity, visit, request }: FactorVisit,
  name: string,
): Promise<Refusal | null> {
  const counted = ['formsOfAddress', addressOf(request)] as const;
  const refusal = strangeForm(visit) ?? (await tooMany(identity.services, visit, counted));
  if (refusal !== null || isName(name)) return refusal;
  return { status: 422, mistakes: { name: 'identity.passkey.nameLong' } };
}

function addForm(asked: FactorVisit): IdentityForm {
  const { visit, factor } = asked;
  return {
    title: 'identity.passkey.add',
    fields: [nameField, presentPassword],
    secondFactor: factor,
    action: 'identity.secondFactor.start',
    before: html`<p>${visit.say('identity.passkey.asks')}</p>
      ${factor === null ? html`<p>${visit.say('identity.secondFactor.text')}</p>` : nothing}`,
    after: backFrom(asked),
  };
}

/** Such as "Chrome, Linux": the passkey may be kept elsewhere, so it is a suggestion. */
function suggestedName({ headers }: FastifyRequest): string {
  return (deviceNameOf(headers['user-agent'] ?? null) ?? '').slice(0, LONGEST_NAME);
}
