import { isUuid } from '#base/id.ts';
import { changesChannel } from '#protocol/hub.ts';
import { typeOfWire } from '#protocol/names.ts';
import { mayRead } from '#rules/access.ts';
import type { Viewer } from '#rules/viewer.ts';
import type { TypeName } from '#schema/index.ts';
import { evaluateRule } from '../../db/evaluate-rule.ts';
import type { DatabaseTransaction } from '../../db/database.ts';
import { feedTypes } from '../../feed/types.ts';
import { InvocationError } from './connection.ts';

/** A channel that a connection may subscribe to (wire 10.2). */
export type Channel =
  | { readonly is: 'changes'; readonly name: string; readonly selected: string | null }
  | { readonly is: 'type'; readonly name: string; readonly type: TypeName }
  | { readonly is: 'record'; readonly name: string; readonly type: TypeName; readonly id: string };

/**
 * Returns the channel with this name; ids may be in any case. @throws InvocationError `not-found`
 */
export function channelCalled(name: unknown): Channel {
  if (typeof name !== 'string') throw new InvocationError('not-found');
  const [first = '', second, ...rest] = name.split('/');
  const id = second?.toLowerCase() ?? null;
  if (rest.length > 0 || (id !== null && !isUuid(id))) throw new InvocationError('not-found');
  if (first === changesChannel(null))
    return { is: 'changes', name: changesChannel(id), selected: id };

  const type = typeOfWire(first);
  if (type === null || !feedTypes.includes(type)) throw new InvocationError('not-found');
  if (id === null) return { is: 'type', name, type };
  return { is: 'record', name: `${first}/${id}`, type, id };
}

/** @throws InvocationError when `viewer` may not subscribe to `channel` */
export async function checkChannel(
  tx: DatabaseTransaction,
  viewer: Viewer,
  channel: Channel,
): Promise<void> {
  if (channel.is === 'type') return;
  if (channel.is === 'record') {
    const { type, id } = channel;
    const record = await tx.one(type, id);
    const isVisible =
      record !== null && (await evaluateRule(tx, (find) => mayRead(viewer, type, record, find)));
    if (!isVisible) throw new InvocationError('not-found');
    return;
  }
  if (channel.selected === null) return;
  if (!viewer.isSuperAdmin) throw new InvocationError('forbidden');
  if ((await tx.one('organization', channel.selected)) === null)
    throw new InvocationError('not-found');
}
