import type { ReactNode } from 'react';
import { useParams } from 'react-router-dom';
import { isUuid } from '#base/id.ts';
import { mayAdminister } from '#rules/organization.ts';
import { useOrganization } from '#session/organization.ts';
import type { Of } from '#schema/index.ts';
import type { ChangeState } from '#data/model/change.ts';
import { useViewer } from '#data/react/hooks.ts';
import { useText } from '#ui/text/text.ts';
import { DetailPage } from '../app/page/detail-page.tsx';
import { Decided, Found } from '../app/page/guards.tsx';
import type { Guard } from '../app/page/guards.tsx';
import { LateNotFound } from '../app/page/late-not-found.tsx';
import { NotInView } from '../app/page/not-in-view.tsx';
import { PageTabs } from '../app/page/page-tabs.tsx';
import './organizations.css';

/** The organization that a page of settings is about, with the state of its change. */
export interface SettingsProps {
  readonly organization: Of<'organization'>;
  readonly change: ChangeState | null;
}

interface Props {
  readonly children: (organization: Of<'organization'>, change: ChangeState | null) => ReactNode;
}

/** `/organizations/{orgId}/settings/**`: for the organization's admins and for super admins. */
export function Settings({ children }: Props) {
  const { orgId = '' } = useParams();
  const viewer = useViewer();
  const inView = useOrganization();
  if (!isUuid(orgId)) return <LateNotFound />;
  return (
    <Found type="organization" id={orgId} guard={nobody}>
      {(organization, change) => (
        <Decided
          guard={() => (mayAdminister(viewer, organization.id) ? null : 'forbidden')}
          project={null}
        >
          {viewer.isSuperAdmin && inView !== organization.id ? (
            <SettingsNotInView organization={organization.id} />
          ) : (
            <div className="beside-tabs">
              <Tabs organization={organization.id} />
              <div>{children(organization, change)}</div>
            </div>
          )}
        </Decided>
      )}
    </Found>
  );
}

/** An organization that one does not see is not one's own. */
const nobody: Guard = () => 'forbidden';

/** Stands for what only comes to this device of the organization in view. */
export function SettingsNotInView({ organization }: { readonly organization: string }) {
  const t = useText();
  return (
    <NotInView
      organization={organization}
      title={(name) => t('org.settings.notInView', { organization: name })}
    >
      {t('org.settings.notInViewText')}
    </NotInView>
  );
}

interface PartProps {
  /** The part's name, for the tab of the browser. */
  readonly title: string;
  readonly children: (organization: Of<'organization'>, change: ChangeState | null) => ReactNode;
}

/** A page of the settings that is no form. */
export function SettingsPart({ title, children }: PartProps) {
  return (
    <Settings>
      {(organization, change) => {
        const name = organization.name ?? '';
        return (
          <DetailPage
            record={{ type: 'organization', id: organization.id, change }}
            title={`${title} · ${name}`}
            heading={name}
            showsReason
          >
            {children(organization, change)}
          </DetailPage>
        );
      }}
    </Settings>
  );
}

/** The address of a page of an organization's settings; '' is the first. */
export const settingsPath = (organization: string, part = ''): string =>
  `/organizations/${organization}/settings${part}`;

function Tabs({ organization }: { readonly organization: string }) {
  const t = useText();
  const at = (part: string) => settingsPath(organization, part);
  return (
    <PageTabs
      isAside
      label={t('org.settings.parts')}
      tabs={[
        { to: at(''), title: t('org.settings.basic'), isExact: true },
        { to: at('/products'), title: t('org.settings.products') },
        { to: at('/stores'), title: t('org.settings.stores') },
        { to: at('/groups'), title: t('org.settings.groups') },
        { to: at('/infrastructure'), title: t('org.settings.infrastructure') },
        { to: at('/audit'), title: t('admin.audit.title') },
      ]}
    />
  );
}
