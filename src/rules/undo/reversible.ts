import { resourceOf } from '#schema/index.ts';
import type { TypeName } from '#schema/index.ts';

/** Fields whose former value would not bring back what was before (screens 1.6). */
const LASTING: Readonly<Partial<Record<TypeName, readonly string[]>>> = {
  // The engine's access token goes with another address; the former one does not bring it back.
  organization: ['buildEngineUrl'],
  // People agree once, and then leave or stay (domain 2.8).
  organizationMembership: ['dateAccepted'],
};

/** Says whether `fields` of a record that the server changed can be set back by a further change. */
export function canSetBack(type: TypeName, fields: readonly string[]): boolean {
  // An invitation whose end is set is mailed anew.
  return !resourceOf(type).isCommand && !fields.some((it) => LASTING[type]?.includes(it));
}

const LOST: ReadonlySet<TypeName> = new Set(['organizationMembership', 'productComment']);

/**
 * Says whether a record that the server removed can be created again as it was. With a membership go
 * roles and groups, and an invitation would be mailed anew; a comment would have another time, and
 * perhaps another author.
 */
export function canRestore(type: TypeName): boolean {
  const { verbs, isCommand } = resourceOf(type);
  return verbs.includes('create') && !isCommand && !LOST.has(type);
}
