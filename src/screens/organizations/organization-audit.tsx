import { useText } from '#ui/text/text.ts';
import { AuditLog } from '../audit/audit-log.tsx';
import { SettingsPart } from './settings.tsx';

/** `/organizations/{orgId}/settings/audit`: what was done in the organization. */
export function OrganizationAudit() {
  const t = useText();
  return (
    <SettingsPart title={t('admin.audit.title')}>
      {(organization) => (
        <div className="stack">
          <section>
            <h2>{t('admin.audit.title')}</h2>
            <p className="soft">{t('admin.audit.about')}</p>
          </section>
          <AuditLog key={organization.id} organization={organization.id} />
        </div>
      )}
    </SettingsPart>
  );
}
