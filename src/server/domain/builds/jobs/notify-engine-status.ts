import { evaluateRule } from '../../../db/evaluate-rule.ts';
import type { WriteContext } from '../../write-context.ts';
import { notify } from '../../notifications/notify.ts';
import type { EngineInUse } from '../which-engine.ts';

/** Notifies the admins of a build engine that it has not answered for this many minutes. */
export function notifyEngineLost(
  context: WriteContext,
  engine: EngineInUse,
  minutes: number,
): Promise<void> {
  return notifyAdmins(context, engine, 'buildengineDisconnected', minutes);
}

/** Notifies the same people that it answers again. */
export function notifyEngineBack(
  context: WriteContext,
  engine: EngineInUse,
  minutes: number,
): Promise<void> {
  return notifyAdmins(context, engine, 'buildengineReconnected', minutes);
}

/** Notifies super admins, and the admins of each organization that uses it; nobody twice. */
async function notifyAdmins(
  context: WriteContext,
  { key, url }: EngineInUse,
  id: 'buildengineDisconnected' | 'buildengineReconnected',
  minutes: number,
): Promise<void> {
  const { write } = context;
  const notified = new Set<string>();
  const notifyUser = async (
    user: string,
    address: string,
    linkUrl: string,
    organization: string | null,
  ) => {
    if (notified.has(user)) return;
    notified.add(user);
    const values = { url: address, minutes: String(minutes) };
    await notify(context, user, { id, organization, values, linkUrl });
  };
  for (const { user } of await write.all('userRole', { roleName: 'SuperAdmin' }))
    await notifyUser(user, displayedUrl(url), '/admin/settings/build-engines', null);

  for (const organization of await usersOf(context, key)) {
    const record = await write.one('organization', organization);
    // The address of the default engine is for super admins.
    const address =
      record?.useDefaultBuildEngine === false ? displayedUrl(record.buildEngineUrl) : '';
    for (const user of await adminsOf(context, organization))
      await notifyUser(
        user,
        address,
        `/organizations/${organization}/settings/infrastructure`,
        organization,
      );
  }
}

async function usersOf({ services, write }: WriteContext, key: string): Promise<readonly string[]> {
  const keys = await services.engines.keys(write);
  return [...keys].filter(([, of]) => of === key).map(([organization]) => organization);
}

/** A role counts only together with a membership (P2). */
function adminsOf({ write }: WriteContext, organization: string): Promise<readonly string[]> {
  return evaluateRule(write, (find) => {
    const members = find.all('organizationMembership', { organization }).map(({ user }) => user);
    const admins = find.all('userRole', { organization, roleName: 'OrganizationAdmin' });
    return admins.map(({ user }) => user).filter((user) => members.includes(user));
  });
}

/** Returns the address without parts that may be secret. */
function displayedUrl(url: string | null): string {
  if (url === null) return '';
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname === '/' ? '' : pathname}`;
}
