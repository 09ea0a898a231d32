import { one, resource } from './define.ts';
import type { RecordOf } from './define.ts';

/** Says that an organization has switched a product definition on. */
export const organizationProductDefinition = resource(
  'organizationProductDefinition',
  'LGCD',
  {
    organization: one('organization').required().by('create'),
    productDefinition: one('productDefinition').required().by('create'),
  },
  {
    belongsTo: 'organization',
    below: ['organization', 'productDefinition'],
    load: 'first',
    narrowed: true,
    unique: ['organization', 'productDefinition'],
  },
);

export type OrganizationProductDefinition = RecordOf<typeof organizationProductDefinition>;
