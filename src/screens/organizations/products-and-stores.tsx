import { Link } from 'react-router-dom';
import { Segment } from 'semantic-ui-react';
import { compareTexts } from '#rules/record/display.ts';
import type { Of } from '#schema/index.ts';
import {
  editOrganization,
  switchDefinitionOff,
  switchDefinitionOn,
} from '#data/actions/organizations.ts';
import { useData, useFind, useList, useViewer } from '#data/react/hooks.ts';
import { Switch } from '#ui/form/switch.tsx';
import { EmptyBox } from '#ui/status/boxes.tsx';
import { useText } from '#ui/text/text.ts';
import { useSaved } from '../app/page/changes/use-saved.ts';
import { WithoutRows } from '../app/page/device/not-here.tsx';
import { HeldSwitch, HeldSwitches, useSwitching } from '../app/page/held-switch.tsx';
import { useAttempt } from '../app/page/use-attempt.ts';
import { useOneAtATime } from '../app/page/use-one-at-a-time.ts';
import { OrganizationPackageNames } from './package-names.tsx';
import { SettingsPart } from './settings.tsx';
import type { SettingsProps } from './settings.tsx';

/** `/organizations/{orgId}/settings/products` */
export function OrganizationProducts() {
  const t = useText();
  return (
    <SettingsPart title={t('org.settings.products')}>
      {(organization, change) => (
        <div className="stack">
          <Segment>
            <PublicByDefault organization={organization} change={change} />
          </Segment>
          <Segment>
            <h2>{t('org.settings.products')}</h2>
            <p className="soft">{t('org.productsText')}</p>
            <Definitions organization={organization} />
          </Segment>
          <Segment>
            <OrganizationPackageNames organization={organization.id} />
          </Segment>
        </div>
      )}
    </SettingsPart>
  );
}

/** Says whether new projects begin as public ones. */
function PublicByDefault({ organization }: SettingsProps) {
  const t = useText();
  const data = useData();
  const attempt = useAttempt();
  const saved = useSaved();
  const { publicByDefault } = organization;
  const set = useOneAtATime(async (isOn: boolean) => {
    const act = (to: boolean) => () =>
      editOrganization(data, organization, { publicByDefault: to });
    if (await attempt(t('errors.generic'), act(isOn)))
      saved({
        success: t('updated'),
        undo: () => void attempt(t('errors.generic'), act(!isOn)),
        setting: `${organization.id} publicByDefault`,
      });
  });
  return (
    <Switch
      label={t('org.makePrivateTitle')}
      help={t(publicByDefault ? 'org.publicByDefaultMeans' : 'org.privateByDefaultMeans')}
      isOn={publicByDefault}
      onChange={(isOn) => void set(isOn)}
    />
  );
}

/** A switch for each product definition that there is, by name. */
function Definitions({ organization: { id: organization } }: Pick<SettingsProps, 'organization'>) {
  const t = useText();
  const { isSuperAdmin } = useViewer();
  const definitions = useList('productDefinition', {}, { sort: 'name' });
  const { rows: held } = useList('organizationProductDefinition', { organization });
  if (definitions.state === 'ready' && definitions.rows.length === 0)
    return (
      <EmptyBox
        icon="folder"
        title={t('org.noproducts')}
        action={
          isSuperAdmin ? (
            <Link className="ui primary button" to="/admin/settings/product-definitions/new">
              {t('admin.settings.productDefinitions.add')}
            </Link>
          ) : undefined
        }
      >
        {t('org.noproductsText')}
      </EmptyBox>
    );
  return (
    <HeldSwitches>
      {definitions.rows.map((definition) => (
        <Definition
          key={definition.id}
          organization={organization}
          definition={definition}
          held={held.find(({ productDefinition }) => productDefinition === definition.id) ?? null}
        />
      ))}
    </HeldSwitches>
  );
}

interface DefinitionProps {
  readonly organization: string;
  readonly definition: Of<'productDefinition'>;
  /** What says that it is switched on; null: it is off. */
  readonly held: Of<'organizationProductDefinition'> | null;
}

function Definition({
  organization,
  definition: { id, name, description },
  held,
}: DefinitionProps) {
  const t = useText();
  const data = useData();
  const find = useFind();
  const inUse = find
    .all('product', { productDefinition: id })
    .filter(({ project }) => find.one('project', project)?.organization === organization).length;
  const switching = useSwitching((isOn) =>
    isOn || inUse === 0 ? t('updated') : t('org.productsStay', { count: inUse, name }),
  );
  return (
    <HeldSwitch
      type="organizationProductDefinition"
      label={name}
      help={description ?? undefined}
      held={held?.id ?? null}
      onChange={(isOn) =>
        void switching(
          isOn,
          () =>
            held === null
              ? switchDefinitionOn(data, organization, id)
              : switchDefinitionOff(data, held),
          `${organization} ${id}`,
        )
      }
    />
  );
}

/** `/organizations/{orgId}/settings/stores`: what it may publish to, which super admins say. */
export function OrganizationStores() {
  const t = useText();
  return (
    <SettingsPart title={t('org.settings.stores')}>
      {(organization) => (
        <Segment>
          <h2>{t('org.settings.stores')}</h2>
          <StoresOf organization={organization.id} />
        </Segment>
      )}
    </SettingsPart>
  );
}

function StoresOf({ organization }: { readonly organization: string }) {
  const t = useText();
  const find = useFind();
  const { isSuperAdmin } = useViewer();
  const list = useList('organizationStore', { organization });
  const { state, rows } = list;
  if (state !== 'ready') return <WithoutRows list={list} empty={null} />;
  const stores = rows
    .flatMap(({ store }) => find.one('store', store) ?? [])
    .sort((a, b) => compareTexts(a.name, b.name));
  const whereItIsSet = isSuperAdmin ? (
    <Link to={`/admin/settings/organizations/${organization}/stores`}>{t('org.setStores')}</Link>
  ) : (
    t('org.askForStores')
  );
  if (stores.length === 0)
    return (
      <EmptyBox icon="building" title={t('org.nostores')}>
        {t('org.noStoresText')} {whereItIsSet}
      </EmptyBox>
    );
  return (
    <>
      <ul className="store-boxes">
        {stores.map(({ id, name, description }) => (
          <li key={id}>
            <label>
              <input type="checkbox" checked disabled /> <bdi>{name}</bdi>
            </label>
            {description !== null && <div className="soft">{description}</div>}
          </li>
        ))}
      </ul>
      <p>{whereItIsSet}</p>
    </>
  );
}
