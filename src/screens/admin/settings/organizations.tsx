import { useState } from 'react';
import { Link, useParams } from 'react-router-dom';
import { Segment } from 'semantic-ui-react';
import { chooseOrganization, useOrganization } from '#session/organization.ts';
import { limits } from '#protocol/limits.ts';
import type { Of } from '#schema/index.ts';
import {
  addOrganization,
  editOrganization,
  giveStore,
  removeOrganization,
  sendWithToken,
  takeStore,
} from '#data/actions/organizations.ts';
import type { ChangeState } from '#data/model/change.ts';
import { useData, useFind, useList, useServerList } from '#data/react/hooks.ts';
import { Icon } from '#ui/picture/icon.tsx';
import { EmptyBox } from '#ui/status/boxes.tsx';
import { useText } from '#ui/text/text.ts';
import { DetailPage } from '../../app/page/detail-page.tsx';
import { RecordFields, useRecordFields } from '../../app/page/form/record-fields.tsx';
import type { FormFieldOf } from '../../app/page/form/record-fields.tsx';
import { Found, superAdmins } from '../../app/page/guards.tsx';
import { HeldSwitch, HeldSwitches, useSwitching } from '../../app/page/held-switch.tsx';
import { useOnlineCommand } from '../../app/page/use-online-command.ts';
import { AccessToken, KEEP_TOKEN, tokenIn } from '../../organizations/engine-form.tsx';
import type { TokenChange } from '../../organizations/engine-form.tsx';
import { SettingsNotInView } from '../../organizations/settings.tsx';
import { usePeopleOptions, useDisplayName } from '../../app/page/use-display-name.ts';
import { areaPath } from './areas.ts';
import { FirstSteps } from './first-steps.tsx';
import { SettingsForm } from './settings-form.tsx';
import { SettingsList, SettingsRow } from './settings-list.tsx';
import { AdminSettings } from './settings.tsx';

type Organization = Of<'organization'>;

const OWNERS = {
  filter: {},
  sort: 'name',
  page: { offset: 1, limit: limits.pageSizeMost },
  include: ['owner'],
} as const;

const AREA = 'organizations';

/** Has the server tell the owners: of who is in no organization in view, this device knows nothing. */
function useOwners(): readonly Of<'user'>[] {
  useServerList('organization', OWNERS);
  const { rows } = useList('organization', {});
  const find = useFind();
  return rows.flatMap(({ owner }) => find.one('user', owner) ?? []);
}

/** `/admin/settings/organizations` */
export function Organizations() {
  const t = useText();
  const list = useList('organization', {});
  useOwners();
  const columns = [t('fields.owner'), t('fields.build-engine-url'), t('org.engine.token')];
  const add = (
    <>
      <Link className="ui primary button" to={areaPath(AREA, '/new')}>
        <Icon name="add" />
        {t('admin.settings.organizations.add')}
      </Link>
      <Link className="ui button" to="/admin">
        {t('admin.invite.title')}
      </Link>
    </>
  );
  return (
    <AdminSettings>
      <FirstSteps />
      <SettingsList
        title={t('admin.settings.organizations.title')}
        list={list}
        columns={columns}
        actions={add}
        empty={
          <EmptyBox
            icon="building"
            title={t('admin.settings.organizations.empty')}
            action={<div className="button-row">{add}</div>}
          >
            {t('admin.settings.organizations.emptyText')}
          </EmptyBox>
        }
        rowOf={(organization) => (
          <OrganizationRow key={organization.id} organization={organization} columns={columns} />
        )}
      />
    </AdminSettings>
  );
}

interface RowProps {
  readonly organization: Organization;
  readonly columns: readonly string[];
}

function OrganizationRow({ organization, columns }: RowProps) {
  const t = useText();
  const find = useFind();
  const nameOf = useDisplayName();
  const inView = useOrganization();
  const { id, websiteUrl, useDefaultBuildEngine, buildEngineUrl } = organization;
  const { buildEngineApiAccessTokenHint: hint } = organization;
  const name = organization.name ?? '';
  const owner = find.one('user', organization.owner);
  const contents = [
    owner === null ? '--' : nameOf(owner),
    useDefaultBuildEngine ? t('admin.settings.organizations.default') : (buildEngineUrl ?? '--'),
    hint === null ? t('org.engine.notSet') : t('org.engine.set', { hint }),
  ];
  return (
    <SettingsRow
      type="organization"
      id={id}
      name={name}
      about={websiteUrl}
      to={areaPath(AREA, `/${id}/edit`)}
      cells={columns.map((title, n) => ({
        title,
        content: (
          <span className="clipped" title={contents[n]}>
            <bdi>{contents[n]}</bdi>
          </span>
        ),
      }))}
      actions={
        <>
          <button
            type="button"
            className="link-button"
            disabled={inView === id}
            aria-label={t('admin.settings.organizations.switchTo', { name })}
            onClick={() => {
              chooseOrganization(id);
            }}
          >
            {t(
              inView === id
                ? 'admin.settings.organizations.inView'
                : 'admin.settings.organizations.switchContext',
            )}
          </button>
          <Link
            to={areaPath(AREA, `/${id}/stores`)}
            aria-label={t('admin.settings.organizations.storesOf', { name })}
          >
            {t('org.settings.stores')}
          </Link>
        </>
      }
    />
  );
}

/** `/admin/settings/organizations/new` */
export function NewOrganization() {
  return (
    <AdminSettings>
      <OrganizationForm record={null} change={null} />
    </AdminSettings>
  );
}

/** `/admin/settings/organizations/{id}/edit` */
export function EditOrganization() {
  const { recordId = '' } = useParams();
  return (
    <AdminSettings>
      <Found type="organization" id={recordId} guard={superAdmins}>
        {(record, change) => <OrganizationForm key={record.id} record={record} change={change} />}
      </Found>
    </AdminSettings>
  );
}

interface FormProps {
  /** Null: a new one. */
  readonly record: Organization | null;
  readonly change: ChangeState | null;
}

function OrganizationForm({ record, change }: FormProps) {
  const t = useText();
  const data = useData();
  const send = useOnlineCommand();
  const [tokenChange, setToken] = useState<TokenChange>(KEEP_TOKEN);
  const fields = useOrganizationFields();
  const [beforeToken, afterToken] = [fields.slice(0, 5), fields.slice(5)];
  const form = useRecordFields('organization', record, change, fields);
  const save = () => {
    const stated = form.stated();
    const token = tokenIn(tokenChange);
    if (token !== null)
      return send(JSON.stringify([stated, token]), () =>
        sendWithToken(data, record?.id ?? null, stated, token),
      );
    return record === null ? addOrganization(data, stated) : editOrganization(data, record, stated);
  };
  return (
    <SettingsForm
      type="organization"
      record={record}
      change={change}
      form={form}
      list={areaPath(AREA)}
      texts={{
        add: t('admin.settings.organizations.add'),
        added: t('admin.settings.organizations.added'),
        edited: t('admin.settings.organizations.edited'),
      }}
      onSave={save}
      onRemove={(removed) => removeOrganization(data, removed)}
    >
      <RecordFields type="organization" form={form} fields={beforeToken} />
      <AccessToken
        hint={record?.buildEngineApiAccessTokenHint ?? null}
        token={tokenChange}
        onChange={setToken}
      />
      <RecordFields type="organization" form={form} fields={afterToken} />
    </SettingsForm>
  );
}

/** The fields of an organization's form; the access token stands after the engine's address. */
function useOrganizationFields(): readonly FormFieldOf<'organization'>[] {
  const t = useText();
  const { rows } = useList('user', {});
  const people = new Map([...useOwners(), ...rows].map((person) => [person.id, person]));
  const owners = usePeopleOptions()([...people.values()]);
  return [
    { name: 'name', help: t('admin.settings.organizations.help.name'), isRequired: true },
    {
      name: 'owner',
      options: owners,
      help: t('admin.settings.organizations.help.owner'),
      missing: t('admin.settings.organizations.emptyOwner'),
    },
    { name: 'websiteUrl', help: t('admin.settings.organizations.help.websiteUrl') },
    {
      name: 'useDefaultBuildEngine',
      help: t('org.engine.defaultHelp'),
      offHelp: t('org.engine.ownHelp'),
    },
    {
      name: 'buildEngineUrl',
      help: t('org.engine.urlHelp'),
      // Who names an engine of their own wants it used.
      alsoSets: (typed) => (typed.trim() === '' ? {} : { useDefaultBuildEngine: false }),
    },
    { name: 'logoUrl', help: t('org.logoAdvice') },
    { name: 'publicByDefault', help: t('admin.settings.organizations.help.publicByDefault') },
  ];
}

/** `/admin/settings/organizations/{id}/stores`: where an organization may publish. */
export function StoresOfOrganization() {
  const { recordId = '' } = useParams();
  const inView = useOrganization();
  return (
    <AdminSettings>
      <Found type="organization" id={recordId} guard={superAdmins}>
        {(organization, change) =>
          inView === organization.id ? (
            <StoreChecklist organization={organization} change={change} />
          ) : (
            <SettingsNotInView organization={organization.id} />
          )
        }
      </Found>
    </AdminSettings>
  );
}

interface ChecklistProps {
  readonly organization: Organization;
  readonly change: ChangeState | null;
}

function StoreChecklist({ organization, change }: ChecklistProps) {
  const t = useText();
  const stores = useList('store', {}, { sort: 'name' });
  const { rows: held } = useList('organizationStore', { organization: organization.id });
  return (
    <DetailPage
      record={{ type: 'organization', id: organization.id, change }}
      title={t('admin.settings.organizations.storesOf', { name: organization.name ?? '' })}
    >
      <Segment>
        <p className="soft">{t('admin.settings.organizations.storesText')}</p>
        {stores.state === 'ready' && stores.rows.length === 0 ? (
          <EmptyBox
            icon="building"
            title={t('admin.settings.stores.empty')}
            action={
              <Link className="ui primary button" to={areaPath('stores', '/new')}>
                {t('admin.settings.stores.add')}
              </Link>
            }
          >
            {t('admin.settings.stores.emptyText')}
          </EmptyBox>
        ) : (
          <HeldSwitches>
            {stores.rows.map((store) => (
              <StoreSwitch
                key={store.id}
                organization={organization.id}
                store={store}
                held={held.find((one) => one.store === store.id) ?? null}
              />
            ))}
          </HeldSwitches>
        )}
      </Segment>
    </DetailPage>
  );
}

interface StoreSwitchProps {
  readonly organization: string;
  readonly store: Of<'store'>;
  /** What says that the organization has it; null: it does not. */
  readonly held: Of<'organizationStore'> | null;
}

function StoreSwitch({ organization, store, held }: StoreSwitchProps) {
  const t = useText();
  const data = useData();
  const find = useFind();
  const switching = useSwitching(() => t('admin.settings.organizations.storesUpdated'));
  return (
    <HeldSwitch
      type="organizationStore"
      label={store.name}
      help={find.one('storeType', store.storeType ?? '')?.name}
      held={held?.id ?? null}
      onChange={(isOn) =>
        void switching(
          isOn,
          () => (held === null ? giveStore(data, organization, store.id) : takeStore(data, held)),
          `${organization} ${store.id}`,
        )
      }
    />
  );
}
