import type { MailKind, User } from '#schema/user.ts';
import type { MessageId } from './message-id.ts';

/** The kind of mail by which each notification is sent; null: it has a mail of its own. */
const KINDS: Readonly<Record<MessageId, MailKind | null>> = {
  userTaskAdded: 'tasks',
  productWithoutActor: 'tasks',
  projectCreatedSuccessfully: 'projects',
  projectCreationFailedOwner: 'projects',
  projectCreationFailedAdmin: 'projects',
  projectFailedBuildEngine: 'projects',
  projectFailedUnableToCreate: 'projects',
  projectOwnershipReceived: 'projects',
  projectOwnershipPassed: 'projects',
  authorAdded: 'projects',
  projectImportFinished: 'projects',
  productCreatedSuccessfully: 'builds',
  productFailedUnableToConnect: 'builds',
  productCreationFailedOwner: 'builds',
  productCreationFailedAdmin: 'builds',
  buildCompletedSuccessfully: 'builds',
  buildFailedOwner: 'builds',
  buildFailedAdmin: 'builds',
  buildFailedUnableToConnect: 'builds',
  buildFailedUnableToCreate: 'builds',
  releaseCompletedSuccessfully: 'publications',
  releaseFailedOwner: 'publications',
  releaseFailedAdmin: 'publications',
  releaseFailedUnableToConnect: 'publications',
  releaseFailedUnableToCreate: 'publications',
  productRolledBack: 'publications',
  packageNameTaken: 'publications',
  packageNameMovedAway: 'publications',
  packageNameMovedHere: 'publications',
  commentMentioned: 'comments',
  commentAdded: 'comments',
  membershipInviteRedeemed: 'members',
  membershipAdded: null,
  organizationAccessRequested: null,
  dataExportReady: null,
  buildengineDisconnected: 'engines',
  buildengineReconnected: 'engines',
};

type MailWishes = Pick<User, 'emailNotification' | 'silencedMails'>;

/** Returns true when the person wants mail of `kind`: the one switch silences all (N1). */
export function wantsMail(
  { emailNotification, silencedMails }: MailWishes,
  kind: MailKind,
): boolean {
  return emailNotification && !silencedMails.includes(kind);
}

/**
 * Returns true when the person wants a mail of the notification `id`; of one that has no kind they
 * want it unless they want none at all.
 */
export function wantsMailOf(wishes: MailWishes, id: string | null): boolean {
  if (id === null || !Object.hasOwn(KINDS, id)) return wishes.emailNotification;
  const kind = KINDS[id as MessageId];
  return kind !== null && wantsMail(wishes, kind);
}
