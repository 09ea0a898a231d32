import type { ReactNode } from 'react';
import { useText } from '#ui/text/text.ts';
import { PageTabs } from '../../app/page/page-tabs.tsx';
import { areaPath } from './areas.ts';
import './settings.css';

/** A page below `/admin/settings`, with the ways to the others at its side. */
export function AdminSettings({ children }: { readonly children: ReactNode }) {
  const t = useText();
  return (
    <div className="beside-tabs">
      <PageTabs
        isAside
        label={t('admin.settings.parts')}
        tabs={[
          { to: areaPath('organizations'), title: t('admin.settings.organizations.title') },
          {
            to: areaPath('workflow-definitions'),
            title: t('admin.settings.workflowDefinitions.title'),
          },
          {
            to: areaPath('product-definitions'),
            title: t('admin.settings.productDefinitions.title'),
          },
          { to: areaPath('stores'), title: t('admin.settings.stores.title') },
          { to: areaPath('store-types'), title: t('admin.settings.storeTypes.title') },
          { to: areaPath('build-engines'), title: t('admin.settings.buildEngines.title') },
          { to: '/admin/package-names', title: t('admin.packageNames.title') },
          { to: '/admin/audit', title: t('admin.audit.title') },
          { to: '/admin/jobs', title: t('admin.jobs.title') },
        ]}
      />
      <div>{children}</div>
    </div>
  );
}
