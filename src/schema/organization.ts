import { bool, line, many, one, resource, url } from './define.ts';
import type { RecordOf } from './define.ts';

/** The owner of projects and groups. */
export const organization = resource(
  'organization',
  'LGCUD',
  {
    name: line(250),
    websiteUrl: url(),
    logoUrl: url(),
    publicByDefault: bool().orElse(true),
    useDefaultBuildEngine: bool().orElse(true),
    buildEngineUrl: url(),
    buildEngineAvailable: bool().by('server'),
    buildEngineApiAccessToken: line(500).writeOnly(),
    buildEngineApiAccessTokenHint: line().by('server'),
    /** The token of the organization invite by which it is created. */
    token: line(100).writeOnly().by('create'),
    owner: one('user').required(),
    projects: many('project', 'organization'),
    projectImports: many('projectImport', 'organization'),
    userMemberships: many('organizationMembership', 'organization'),
    membershipInvites: many('organizationMembershipInvite', 'organization'),
    groups: many('group', 'owner'),
    organizationProductDefinitions: many('organizationProductDefinition', 'organization'),
    organizationStores: many('organizationStore', 'organization'),
    userRoles: many('userRole', 'organization'),
    savedViews: many('savedView', 'organization'),
  },
  {
    belongsTo: '',
    load: 'first',
    isSeenFromOutside: true,
    isShownFirst: true,
    // Whoever redeems an invitation owns it.
    predict: ({ token }, { viewer }) => (typeof token === 'string' ? { owner: viewer.id } : {}),
  },
);

export type Organization = RecordOf<typeof organization>;
