import type { IconName } from '#ui/picture/icon.tsx';
import type { StatusTone } from '#ui/status/status-chip.tsx';
import type { TextKey } from '#ui/text/text.ts';

type NotificationId = TextKey extends infer Key
  ? Key extends `notifications.${infer Id}`
    ? Id
    : never
  : never;

/** What a notification says, in one word; `news` asks nothing of the person. */
export type NotificationKind = 'failed' | 'built' | 'published' | 'waiting-for-you' | 'news';

interface NotificationLook {
  readonly kind: NotificationKind;
  /**
   * Says what happened below the names of project and product; null: the sentence says it all, as
   * it is about neither.
   */
  readonly event: TextKey | null;
}

/** Each kind is shown as a product is of which that is the status. */
export const KIND_SIGNS: Readonly<
  Record<NotificationKind, { readonly tone: StatusTone; readonly icon?: IconName }>
> = {
  failed: { tone: 'bad' },
  built: { tone: 'good', icon: 'hammer' },
  published: { tone: 'good' },
  'waiting-for-you': { tone: 'yours' },
  news: { tone: 'none' },
};

const LOOKS: Readonly<Record<NotificationId, NotificationLook>> = {
  authorAdded: { kind: 'news', event: 'bell.event.authorAdded' },
  buildCompletedSuccessfully: { kind: 'built', event: 'bell.event.built' },
  buildFailedAdmin: { kind: 'failed', event: 'bell.event.buildFailed' },
  buildFailedOwner: { kind: 'failed', event: 'bell.event.buildFailed' },
  buildFailedUnableToConnect: { kind: 'failed', event: 'bell.event.buildUnanswered' },
  buildFailedUnableToCreate: { kind: 'failed', event: 'bell.event.buildUnusable' },
  buildengineDisconnected: { kind: 'failed', event: null },
  buildengineReconnected: { kind: 'news', event: null },
  commentAdded: { kind: 'news', event: 'bell.event.commented' },
  commentMentioned: { kind: 'news', event: 'bell.event.mentioned' },
  dataExportReady: { kind: 'news', event: null },
  membershipAdded: { kind: 'news', event: null },
  membershipInviteRedeemed: { kind: 'news', event: null },
  organizationAccessRequested: { kind: 'waiting-for-you', event: null },
  packageNameMovedAway: { kind: 'news', event: null },
  packageNameMovedHere: { kind: 'news', event: null },
  packageNameTaken: { kind: 'news', event: 'bell.event.packageNameTaken' },
  productCreatedSuccessfully: { kind: 'news', event: 'bell.event.setUp' },
  productCreationFailedAdmin: { kind: 'failed', event: 'bell.event.setUpFailed' },
  productCreationFailedOwner: { kind: 'failed', event: 'bell.event.setUpFailed' },
  productFailedUnableToConnect: { kind: 'failed', event: 'bell.event.setUpUnanswered' },
  productRolledBack: { kind: 'news', event: 'bell.event.rolledBack' },
  productWithoutActor: { kind: 'waiting-for-you', event: 'bell.event.nobody' },
  projectCreatedSuccessfully: { kind: 'news', event: 'bell.event.repositoryReady' },
  projectCreationFailedAdmin: { kind: 'failed', event: 'bell.event.repositoryFailed' },
  projectCreationFailedOwner: { kind: 'failed', event: 'bell.event.repositoryFailed' },
  projectFailedBuildEngine: { kind: 'failed', event: 'bell.event.repositoryUnanswered' },
  projectFailedUnableToCreate: { kind: 'failed', event: 'bell.event.repositoryUnusable' },
  projectImportFinished: { kind: 'news', event: null },
  projectOwnershipPassed: { kind: 'news', event: 'bell.event.ownerNow' },
  projectOwnershipReceived: { kind: 'news', event: 'bell.event.ownerMade' },
  releaseCompletedSuccessfully: { kind: 'published', event: 'bell.event.published' },
  releaseFailedAdmin: { kind: 'failed', event: 'bell.event.publishFailed' },
  releaseFailedOwner: { kind: 'failed', event: 'bell.event.publishFailed' },
  releaseFailedUnableToConnect: { kind: 'failed', event: 'bell.event.publishUnanswered' },
  releaseFailedUnableToCreate: { kind: 'failed', event: 'bell.event.publishUnusable' },
  userTaskAdded: { kind: 'waiting-for-you', event: 'bell.event.waitingForYou' },
};

const UNKNOWN: NotificationLook = { kind: 'news', event: null };

/** How a notification looks; one that a newer server sent is news, in the words it came with. */
export function lookOf(messageId: string | null): NotificationLook {
  return messageId !== null && Object.hasOwn(LOOKS, messageId)
    ? LOOKS[messageId as NotificationId]
    : UNKNOWN;
}
