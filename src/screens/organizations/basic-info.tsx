import { useState } from 'react';
import { Link } from 'react-router-dom';
import { Segment } from 'semantic-ui-react';
import { editOrganization } from '#data/actions/organizations.ts';
import { useData } from '#data/react/hooks.ts';
import { Note } from '#ui/status/boxes.tsx';
import { useText } from '#ui/text/text.ts';
import { Dot } from '#ui/value/values.tsx';
import { RecordFields, useRecordFields } from '../app/page/form/record-fields.tsx';
import { FormPage } from '../app/page/form-page.tsx';
import { Settings, SettingsPart, settingsPath } from './settings.tsx';
import type { SettingsProps } from './settings.tsx';

/** `/organizations/{orgId}/settings` */
export function BasicInfo() {
  return (
    <Settings>
      {(organization, change) => (
        <BasicForm key={organization.id} organization={organization} change={change} />
      )}
    </Settings>
  );
}

function BasicForm({ organization, change }: SettingsProps) {
  const t = useText();
  const data = useData();
  const fields = [
    { name: 'name', isRequired: true },
    { name: 'websiteUrl' },
    { name: 'logoUrl', help: t('org.logoAdvice') },
  ] as const;
  const form = useRecordFields('organization', organization, change, fields);
  const { logoUrl } = form.fields;
  return (
    <FormPage
      title={organization.name ?? ''}
      record={{ type: 'organization', id: organization.id, change }}
      form={form}
      className="settings-form"
      whyNot={form.isChanged ? null : t('forms.nothingChanged')}
      isValid={form.isValid}
      speaking={form.speaking}
      success={t('updated')}
      onSave={async () => {
        await editOrganization(data, organization, form.stated());
        return null;
      }}
      onCancel={form.forget}
      after={<WhereTheRestIs organization={organization.id} />}
    >
      <RecordFields type="organization" form={form} fields={fields} />
      {typeof logoUrl === 'string' && logoUrl.trim() !== '' && (
        <LogoPreview key={logoUrl} url={logoUrl.trim()} />
      )}
    </FormPage>
  );
}

/** The logo in the two sizes in which pages show it. */
function LogoPreview({ url }: { readonly url: string }) {
  const t = useText();
  const [isBroken, setBroken] = useState(false);
  if (isBroken || !/^https?:\/\//i.test(url))
    return (
      <div className="logo-preview">
        <Note tone="warning">{t('org.logoBroken')}</Note>
      </div>
    );
  const onError = () => {
    setBroken(true);
  };
  return (
    <div className="logo-preview">
      <img src={url} alt={t('org.logoSmall')} width={60} height={60} onError={onError} />
      <img src={url} alt={t('org.logoLarge')} width={200} height={200} />
    </div>
  );
}

function WhereTheRestIs({ organization }: { readonly organization: string }) {
  const t = useText();
  return (
    <p className="caption settings-elsewhere">
      {t('org.settings.elsewhere')}{' '}
      <Link to={settingsPath(organization, '/products')}>{t('org.makePrivateTitle')}</Link>
      <Dot />
      <Link to={settingsPath(organization, '/infrastructure')}>
        {t('fields.use-default-build-engine')}
      </Link>
    </p>
  );
}

/** `/organizations/{orgId}/settings/user-setup`: nothing is set there. */
export function UserSetup() {
  const t = useText();
  return (
    <SettingsPart title={t('org.settings.userSetupTitle')}>
      {() => (
        <Segment>
          <p>{t('org.settings.userSetup')}</p>
        </Segment>
      )}
    </SettingsPart>
  );
}
