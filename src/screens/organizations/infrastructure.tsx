import { useState } from 'react';
import { editOrganization, sendWithToken } from '#data/actions/organizations.ts';
import { useData } from '#data/react/hooks.ts';
import { useText } from '#ui/text/text.ts';
import { RecordFields, useRecordFields } from '../app/page/form/record-fields.tsx';
import { FormPage } from '../app/page/form-page.tsx';
import { useOnlineCommand } from '../app/page/use-online-command.ts';
import { AccessToken, EngineStatus, KEEP_TOKEN, TestConnection, tokenIn } from './engine-form.tsx';
import type { TokenChange } from './engine-form.tsx';
import { Settings } from './settings.tsx';
import type { SettingsProps } from './settings.tsx';

/** `/organizations/{orgId}/settings/infrastructure` */
export function Infrastructure() {
  return (
    <Settings>
      {(organization, change) => (
        <EngineForm key={organization.id} organization={organization} change={change} />
      )}
    </Settings>
  );
}

function EngineForm({ organization, change }: SettingsProps) {
  const t = useText();
  const data = useData();
  const send = useOnlineCommand();
  const [tokenChange, setToken] = useState<TokenChange>(KEEP_TOKEN);
  const token = tokenIn(tokenChange);
  const { buildEngineApiAccessTokenHint: hint, buildEngineAvailable } = organization;
  const ofDefault = {
    name: 'useDefaultBuildEngine',
    help: t('org.engine.defaultHelp'),
    offHelp: t('org.engine.ownHelp'),
  } as const;
  const address = { name: 'buildEngineUrl', help: t('org.engine.urlHelp') } as const;
  const all = [ofDefault, address];
  const form = useRecordFields('organization', organization, change, all);
  const { useDefaultBuildEngine, buildEngineUrl } = form.fields;
  const isOwn = useDefaultBuildEngine !== true;
  const isChanged = form.isChanged || token !== null;
  return (
    <FormPage
      title={organization.name ?? ''}
      record={{ type: 'organization', id: organization.id, change }}
      form={form}
      className="settings-form"
      whyNot={isChanged ? null : t('forms.nothingChanged')}
      isValid={form.isValid}
      speaking={form.speaking}
      success={t('updated')}
      onSave={async () => {
        if (token === null) await editOrganization(data, organization, form.stated());
        else {
          const stated = form.stated();
          await send(JSON.stringify([stated, token]), () =>
            sendWithToken(data, organization.id, stated, token),
          );
        }
        setToken(KEEP_TOKEN);
        return null;
      }}
      onCancel={() => {
        form.forget();
        setToken(KEEP_TOKEN);
      }}
    >
      <p className="engine-status">
        {t('org.engine.status')}{' '}
        <strong>
          <EngineStatus isAvailable={buildEngineAvailable} />
        </strong>
      </p>
      <RecordFields type="organization" form={form} fields={[ofDefault]} />
      {isOwn && (
        <>
          <RecordFields type="organization" form={form} fields={[address]} />
          <AccessToken hint={hint} token={tokenChange} onChange={setToken} />
        </>
      )}
      <TestConnection
        organization={organization}
        url={isOwn && typeof buildEngineUrl === 'string' ? buildEngineUrl : ''}
        token={isOwn ? token : null}
      />
    </FormPage>
  );
}
