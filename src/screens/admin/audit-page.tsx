import { PageHead } from '#ui/page/page-head.tsx';
import { useText } from '#ui/text/text.ts';
import { usePageTitle } from '../app/page/page-title.ts';
import { AuditLog } from '../audit/audit-log.tsx';
import { AdminSettings } from './settings/settings.tsx';

/** `/admin/audit`: the audit log of the installation. */
export function AuditPage() {
  const t = useText();
  usePageTitle(t('admin.audit.title'));
  return (
    <AdminSettings>
      <PageHead title={t('admin.audit.title')} context={t('admin.audit.aboutAll')} />
      <AuditLog organization={null} />
    </AdminSettings>
  );
}
