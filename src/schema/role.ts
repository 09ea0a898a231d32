import { choice, many, resource } from './define.ts';
import type { RecordOf } from './define.ts';

export const ROLE_NAMES = ['SuperAdmin', 'OrganizationAdmin', 'AppBuilder', 'Author'] as const;
export type RoleName = (typeof ROLE_NAMES)[number];

/** One of the four roles; seeded. */
export const role = resource(
  'role',
  'LG',
  {
    roleName: choice(...ROLE_NAMES)
      .required()
      .by('server'),
    userRoles: many('userRole', 'role', { materialised: false }),
  },
  { load: 'first', isShownFirst: true },
);

export type Role = RecordOf<typeof role>;
