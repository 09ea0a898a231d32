/** Every kind of audit event, in the groups in which people look for them. */
export const auditKinds = {
  'sign-in': [
    'sign-in-failed',
    'sign-in-locked-out',
    'password-reset',
    'password-changed',
    'signed-out-everywhere',
    'signed-out-device',
    'address-changed',
    'second-factor-on',
    'second-factor-off',
    'second-factor-reset',
    'one-time-codes-on',
    'one-time-codes-off',
    'passkey-added',
    'passkey-removed',
    'recovery-codes-made',
    'recovery-code-used',
    'sign-up-verified',
    'data-exported',
    'data-downloaded',
    'account-deleted',
  ],
  people: [
    'invitation-made',
    'invitation-changed',
    'invitation-withdrawn',
    'invitation-redeemed',
    'role-given',
    'role-taken',
    'user-locked',
    'user-unlocked',
    'membership-added',
    'membership-accepted',
    'membership-left',
    'membership-ended',
    'group-membership-added',
    'group-membership-ended',
    'author-added',
    'author-removed',
  ],
  settings: [
    'organization-created',
    'organization-removed',
    'project-created',
    'owner-changed',
    'settings-changed',
    'secret-set',
    'secret-replaced',
    'secret-cleared',
    'package-name-given',
    'package-name-taken',
  ],
  work: [
    'workflow-moved',
    'release-rolled-back',
    'repository-downloaded',
    'job-run-again',
    'keys-rotated',
  ],
  refusals: ['refused', 'refusals-left-out'],
} as const;

export type AuditGroup = keyof typeof auditKinds;
export type AuditKind = (typeof auditKinds)[AuditGroup][number];

/** What a person does with their own account: no organization's admins read of it. */
export const personalKinds: ReadonlySet<AuditKind> = new Set<AuditKind>([
  'second-factor-on',
  'second-factor-off',
  'second-factor-reset',
  'one-time-codes-on',
  'one-time-codes-off',
  'passkey-added',
  'passkey-removed',
  'recovery-codes-made',
  'recovery-code-used',
  'data-exported',
  'data-downloaded',
  'account-deleted',
]);

/** All kinds, in the order of their groups. */
export const allAuditKinds: readonly AuditKind[] = Object.values(auditKinds).flat();
