import { evaluateRule } from '../../db/evaluate-rule.ts';
import { notify } from '../notifications/notify.ts';
import { adminsOf } from '../workflow/actors.ts';
import type { WriteContext } from '../write-context.ts';

interface MovedPackageName {
  readonly name: string;
  /** The organization that held it. */
  readonly from: string;
  /** The organization that holds it now. */
  readonly to: string;
  readonly reason: string;
}

/**
 * Notifies the admins of both organizations of a package name that was moved. Neither learns which
 * the other organization is; who is an admin of both is told both.
 */
export async function notifyMovedPackageName(
  context: WriteContext,
  { name, from, to, reason }: MovedPackageName,
): Promise<void> {
  const messages = [
    { id: 'packageNameMovedAway', organization: from },
    { id: 'packageNameMovedHere', organization: to },
  ] as const;
  for (const { id, organization } of messages) {
    const { write } = context;
    const orgName = (await write.one('organization', organization))?.name ?? '';
    const admins = await evaluateRule(write, (find) => adminsOf(organization, find));
    for (const user of new Set(admins))
      await notify(context, user, {
        ...{ id, organization },
        values: { packageName: name, orgName, reason },
        linkUrl: `/organizations/${organization}/settings/products`,
      });
  }
}
