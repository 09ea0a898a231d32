import { BasicInfo, UserSetup } from './basic-info.tsx';
import { OrganizationGroups } from './groups.tsx';
import { OrganizationAudit } from './organization-audit.tsx';
import { Infrastructure } from './infrastructure.tsx';
import { OrganizationProducts, OrganizationStores } from './products-and-stores.tsx';

/** The pages below `/organizations/{orgId}/settings`, by the end of their address. */
export const pages = {
  '': BasicInfo,
  '/user-setup': UserSetup,
  '/products': OrganizationProducts,
  '/stores': OrganizationStores,
  '/groups': OrganizationGroups,
  '/infrastructure': Infrastructure,
  '/audit': OrganizationAudit,
} as const;
