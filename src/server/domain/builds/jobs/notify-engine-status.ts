import { evaluateRule } from '../../../db/evaluate-rule.ts';
import type { WriteContext } from '../../write-context.ts';
import { notify } from '../../notifications/notify.ts';
import type { EngineInUse } from '../which-engine.ts';

/** Tells who answers for a build engine that it has not answered for so many minutes. */
export function notifyEngineLost(
  doing: WriteContext,
  engine: EngineInUse,
  minutes: number,
): Promise<void> {
  return notifyAdmins(doing, engine, 'buildengineDisconnected', minutes);
}

/** The same people, that it answers again. */
export function notifyEngineBack(
  doing: WriteContext,
  engine: EngineInUse,
  minutes: number,
): Promise<void> {
  return notifyAdmins(doing, engine, 'buildengineReconnected', minutes);
}

/** Super admins, and the admins of each organization that uses it; nobody twice. */
async function notifyAdmins(
  doing: WriteContext,
  { key, url }: EngineInUse,
  id: 'buildengineDisconnected' | 'buildengineReconnected',
  minutes: number,
): Promise<void> {
  const { write } = doing;
  const told = new Set<string>();
  const tell = async (
    user: string,
    address: string,
    linkUrl: string,
    organization: string | null,
  ) => {
    if (told.has(user)) return;
    told.add(user);
    const values = { url: address, minutes: String(minutes) };
    await notify(doing, user, { id, organization, values, linkUrl });
  };
  for (const { user } of await write.all('userRole', { roleName: 'SuperAdmin' }))
    await tell(user, displayedUrl(url), '/admin/settings/build-engines', null);

  for (const organization of await usersOf(doing, key)) {
    const record = await write.one('organization', organization);
    // The address of the default engine is for super admins.
    const address =
      record?.useDefaultBuildEngine === false ? displayedUrl(record.buildEngineUrl) : '';
    for (const user of await adminsOf(doing, organization))
      await tell(
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

/** Without what may be a secret in it. */
function displayedUrl(url: string | null): string {
  if (url === null) return '';
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname === '/' ? '' : pathname}`;
}
