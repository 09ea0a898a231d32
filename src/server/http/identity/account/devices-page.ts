import type { FastifyRequest } from 'fastify';
import { html, nothing } from '#base/html.ts';
import type { Html } from '#base/html.ts';
import { devicesOf, endDevice } from '../../../domain/accounts/devices.ts';
import type { Device } from '../../../domain/accounts/devices.ts';
import { addressOf } from '../../count-requests.ts';
import { signOutEverywhere } from '../account-changes.ts';
import { auditAccount } from '../audit-accounts.ts';
import type { Refusal, Visit } from '../form.ts';
import { strangeForm, tooMany } from '../guard.ts';
import type { IdentityContext } from '../identity-context.ts';
import { deviceNameOf } from './device-name.ts';
import { ofSignedIn, toAccount } from './signed-in.ts';
import type { SignedIn } from './signed-in.ts';

/** `/oidc/devices`: where one is signed in, each to be ended, or all others at once (screens 12.6). */
export const devicesPage = ofSignedIn(async (identity, visit, here, request) => {
  const { services } = identity;
  if (request.method !== 'POST') return showDevices(identity, visit, here);

  const refusal =
    strangeForm(visit) ?? (await tooMany(services, visit, ['formsOfAddress', addressOf(request)]));
  if (refusal !== null) return showDevices(identity, visit, here, refusal);
  if (visit.sent('all') !== '') return endOthers(identity, visit, here, request);
  await endOne(identity, here, visit.sent('device'), request);
  return visit.leadTo(`/oidc/devices?ui_locales=${visit.language}`);
});

/** A device that is not there has ended meanwhile; one's own ends by signing out. */
async function endOne(
  { services: { db, clock } }: IdentityContext,
  { account, grantId }: SignedIn,
  device: string,
  { ip }: FastifyRequest,
): Promise<void> {
  if (device === grantId) return;
  await db.transact(async (tx) => {
    if (!(await endDevice(tx, account.id, device, clock))) return;
    await auditAccount(tx, 'signed-out-device', account.id, { at: clock(), address: ip });
  });
}

async function endOthers(
  { services }: IdentityContext,
  visit: Visit,
  here: SignedIn,
  { ip }: FastifyRequest,
): Promise<void> {
  here.keepSession(await signOutEverywhere(services, here.account.id, here.sessionId, ip));
  return visit.show(
    'identity.devices.done.title',
    html`<p>${visit.say('identity.change.done')}</p>
      <p><a class="button" href="/login">${visit.say('identity.again')}</a></p>`,
  );
}

async function showDevices(
  { services: { db, clock } }: IdentityContext,
  visit: Visit,
  { account, grantId, timeZone }: SignedIn,
  refusal: Refusal | null = null,
): Promise<void> {
  const devices = await db.read((tx) => devicesOf(tx, account.id, clock));
  const others = devices.filter((device) => device.grantId !== grantId);
  return visit.show(
    'identity.devices.title',
    html`${refusal?.notice === undefined ? nothing : visit.notice(refusal.notice)}
      <ul class="devices">
        ${devices.map((device) => entry(visit, device, timeZone, device.grantId === grantId))}
      </ul>
      ${others.length === 0 ? nothing : visit.button('identity.devices.endOthers', { all: '1' })}
      ${toAccount(visit)}`,
    refusal ?? {},
  );
}

function entry(
  visit: Visit,
  { grantId, userAgent, address, lastUsedAt }: Device,
  timeZone: string,
  isHere: boolean,
) {
  const name = deviceNameOf(userAgent) ?? visit.say('identity.devices.unknown');
  const values = { when: timeIn(visit.language, timeZone, lastUsedAt), where: address ?? '–' };
  const used = visit.say('identity.devices.used', values);
  const end: Html = isHere
    ? html`<p class="help">${visit.say('identity.devices.here')}</p>`
    : visit.button('identity.devices.end', { device: grantId }, name);
  return html`<li>
    <strong>${name}</strong>
    <p class="help">${used}</p>
    ${end}
  </li>`;
}

/** To the minute, in a zone that it names. */
function timeIn(language: string, timeZone: string, instant: string): string {
  return new Intl.DateTimeFormat(language, {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone,
    timeZoneName: 'short',
  }).format(new Date(instant));
}
