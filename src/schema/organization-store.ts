import { one, resource } from './define.ts';
import type { RecordOf } from './define.ts';

/** Says that an organization may publish to a store. */
export const organizationStore = resource(
  'organizationStore',
  'LGCD',
  {
    organization: one('organization').required().by('create'),
    store: one('store').required().by('create'),
  },
  {
    belongsTo: 'organization',
    below: ['organization', 'store'],
    load: 'first',
    narrowed: true,
    unique: ['organization', 'store'],
  },
);

export type OrganizationStore = RecordOf<typeof organizationStore>;
