import type { RoleName } from '#schema/role.ts';

/** The password of every demo account. */
export const DEMO_PASSWORD = 'slipway-demo';

export type OrganizationKey = 'lakeside' | 'harbor';
export type GroupKey = 'north' | 'south' | 'harbor';

export interface DemoAccount {
  readonly email: string;
  readonly name: string;
  readonly isSuperAdmin?: true;
  readonly isLocked?: true;
  /** True for an account without a user yet. */
  readonly isUnverified?: true;
  readonly memberOf: readonly OrganizationKey[];
  /** The roles in each of their organizations. */
  readonly roles: readonly Exclude<RoleName, 'SuperAdmin'>[];
  readonly groups: readonly GroupKey[];
}

const inLakeside = { memberOf: ['lakeside'], roles: [], groups: [] } as const;

export const accounts = {
  super: {
    email: 'super@slipway.test',
    name: 'Sofía Duarte',
    isSuperAdmin: true,
    memberOf: [],
    roles: [],
    groups: [],
  },
  admin: {
    ...inLakeside,
    email: 'admin@lakeside.test',
    name: 'Ada Lindqvist',
    roles: ['OrganizationAdmin'],
    groups: ['north', 'south'],
  },
  builder: {
    ...inLakeside,
    email: 'builder@lakeside.test',
    name: 'Ben Okafor',
    roles: ['AppBuilder'],
    groups: ['north'],
  },
  author: {
    ...inLakeside,
    email: 'author@lakeside.test',
    name: 'Aurore Petit',
    roles: ['Author'],
    groups: ['north'],
  },
  member: { ...inLakeside, email: 'member@lakeside.test', name: 'Miguel Santos' },
  harborAdmin: {
    email: 'admin@harbor.test',
    name: 'Hanna Brandt',
    memberOf: ['harbor'],
    roles: ['OrganizationAdmin'],
    groups: ['harbor'],
  },
  both: {
    email: 'both@slipway.test',
    name: 'Bo Nakamura',
    memberOf: ['lakeside', 'harbor'],
    roles: ['AppBuilder'],
    groups: ['south', 'harbor'],
  },
  locked: { ...inLakeside, email: 'locked@lakeside.test', name: 'Lou Castellan', isLocked: true },
  unverified: {
    email: 'unverified@lakeside.test',
    name: 'Uma Verne',
    isUnverified: true,
    memberOf: [],
    roles: [],
    groups: [],
  },
  nobody: {
    email: 'nobody@slipway.test',
    name: 'Noor Haddad',
    memberOf: [],
    roles: [],
    groups: [],
  },
} as const satisfies Readonly<Record<string, DemoAccount>>;

export type AccountKey = keyof typeof accounts;

export const accountList = Object.entries(accounts) as readonly [AccountKey, DemoAccount][];
