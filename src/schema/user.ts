import { bool, choice, email, line, list, many, resource, uuid } from './define.ts';
import type { RecordOf } from './define.ts';

export const LOCALES = ['en-US', 'es-419', 'fr-FR'] as const;

/** What mails of notifications are about; people silence each by itself (domain 10.1). */
export const MAIL_KINDS = [
  'tasks',
  'projects',
  'builds',
  'publications',
  'comments',
  'members',
  'engines',
] as const;

export type MailKind = (typeof MAIL_KINDS)[number];

/** A person who has signed in at least once. Made by signing in, never by hand. */
export const user = resource(
  'user',
  'LGU',
  {
    name: line(250).by('update'),
    givenName: line(250).by('update'),
    familyName: line(250).by('update'),
    email: email().by('update'),
    phone: line(50).by('update'),
    timezone: line(64).by('update'),
    locale: choice(...LOCALES).by('update'),
    profileVisibility: choice(0, 1).orElse(1).by('update'),
    emailNotification: bool().orElse(true).by('update'),
    /** A kind that is added later is mailed, because nobody has silenced it. */
    silencedMails: list<MailKind>().orElse([]).by('update'),
    decimalSeparator: choice('.', ',').by('update'),
    isLocked: bool().orElse(false).by('update'),
    authId: line(250).by('server'),
    workflowUserId: uuid().by('server'),
    userRoles: many('userRole', 'user'),
    groupMemberships: many('groupMembership', 'user'),
    organizationMemberships: many('organizationMembership', 'user'),
    ownedOrganizations: many('organization', 'owner'),
    sentMembershipInvites: many('organizationMembershipInvite', 'invitedBy'),
    notifications: many('notification', 'user'),
    projects: many('project', 'owner'),
    projectImports: many('projectImport', 'owner'),
    authors: many('author', 'user'),
    userTasks: many('userTask', 'user'),
    assignedTasks: many('userTask', 'assigned'),
    assignedProducts: many('product', 'assigned'),
    productComments: many('productComment', 'user', { materialised: false }),
    savedViews: many('savedView', 'owner'),
    startedBuilds: many('productBuild', 'startedBy', { materialised: false }),
  },
  {
    belongsTo: 'organizationMemberships.organization',
    load: 'first',
    narrowed: true,
    isSeenFromOutside: true,
    isShownFirst: true,
  },
);

export type User = RecordOf<typeof user>;
