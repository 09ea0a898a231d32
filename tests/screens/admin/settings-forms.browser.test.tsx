import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { expect } from 'chai';
import { JSON_API } from '#protocol/document.ts';
import type { Problem } from '#protocol/problem.ts';
import type { Of } from '#schema/index.ts';
import { InviteOrganization } from '#screens/admin/invite-organization.tsx';
import { settingsPage } from '#screens/admin/settings/all-areas.tsx';
import { RefusalToasts } from '#screens/app/frame/refusal-toasts.tsx';
import { OrganizationGroups } from '#screens/organizations/groups.tsx';
import {
  OrganizationProducts,
  OrganizationStores,
} from '#screens/organizations/products-and-stores.tsx';
import { BasicInfo, UserSetup } from '#screens/organizations/basic-info.tsx';
import { chooseOrganization } from '#session/organization.ts';
import { speakLate } from '#ui/text/late-texts.ts';
import { speak } from '#ui/text/text.ts';
import { asResource, closeStores, openStore } from '../../support/app-over-store.ts';
import type { OpenOptions } from '../../support/app-over-store.ts';
import { Around, testSurroundings } from '../../support/around.tsx';
import { plain } from '../../support/scripted-server.ts';
import { builder, idOf, lakeside, record, shelf } from '../../support/shelf.ts';
import type { Shelf } from '../../support/shelf.ts';

/* The forms of the settings: what they ask for, what they let pass, and what is said afterwards. */

const superAdmin = record('userRole', {
  ...{ id: idOf(62), user: builder, roleName: 'SuperAdmin', role: idOf(63) },
});
const orgAdmin = record('userRole', {
  ...{ id: idOf(64), user: builder, roleName: 'OrganizationAdmin', role: idOf(65) },
  organization: lakeside,
});
const bookapp = idOf(30);
const shop = idOf(900);
const kiosk = idOf(901);
const [startup, rebuild, republish] = [idOf(910), idOf(911), idOf(912)];
const leaflet = idOf(920);

const workflow = (id: string, name: string, type: 1 | 2 | 3) =>
  record('workflowDefinition', { id, name, type, storeType: shop, enabled: true });

/** The shelf with what the settings choose from, seen by a super admin. */
const catalogue: Shelf = {
  ...shelf,
  userRole: [superAdmin],
  applicationType: [record('applicationType', { id: bookapp, name: 'bookapp' })],
  storeType: [record('storeType', { id: shop, name: 'Shop' })],
  store: [
    record('store', { id: kiosk, name: 'Kiosk', storeType: shop }),
    record('store', { id: idOf(902), name: 'Market', storeType: shop }),
  ],
  organizationStore: [
    record('organizationStore', { id: idOf(903), organization: lakeside, store: kiosk }),
  ],
  workflowDefinition: [
    workflow(startup, 'Make it', 1),
    workflow(rebuild, 'Make it anew', 2),
    workflow(republish, 'Put it out anew', 3),
  ],
  productDefinition: [
    record('productDefinition', {
      ...{ id: leaflet, name: 'Leaflet', type: bookapp },
      ...{ workflow: startup, rebuildWorkflow: rebuild, republishWorkflow: republish },
    }),
  ],
};

const far = record('user', { id: idOf(930), name: 'Hanna Brandt', email: 'hanna@harbor.test' });

/** The organizations with their owners, as the server tells them. */
function organizationsTold(organizations: readonly Of<'organization'>[]): Response {
  const body = {
    data: organizations.map((one) => asResource('organization', one)),
    included: [asResource('user', far)],
    meta: { 'total-records': organizations.length },
  };
  return new Response(JSON.stringify(body), { headers: { 'Content-Type': JSON_API } });
}

async function visit(at: string, held: Shelf = catalogue, options: OpenOptions = {}) {
  const app = await openStore(builder, held, options);
  app.server.answer = (address) => {
    if (address.startsWith('/api/package-names')) return Promise.resolve(plain({}));
    return address.startsWith('/api/organizations?')
      ? Promise.resolve(organizationsTold((held.organization ?? []) as Of<'organization'>[]))
      : null;
  };
  const { surroundings } = testSurroundings();
  const parts = [
    ...['organizations', 'workflow-definitions', 'product-definitions', 'stores', 'store-types'],
  ].flatMap((area) => [area, `${area}/new`, `${area}/:recordId/edit`]);
  const pages = [...parts, 'organizations/:recordId/stores', 'build-engines'].map((part) => {
    const Page = settingsPage(part);
    return { path: `/admin/settings/${part}`, element: <Page /> };
  });
  const settings = Object.entries({
    '': BasicInfo,
    '/products': OrganizationProducts,
    '/stores': OrganizationStores,
    '/groups': OrganizationGroups,
    '/user-setup': UserSetup,
  }).map(([part, Page]) => ({
    path: `/organizations/:orgId/settings${part}`,
    element: <Page />,
  }));
  const routes = [...pages, ...settings, { path: '/admin', element: <InviteOrganization /> }].map(
    ({ path, element }) => ({
      path,
      element: (
        <>
          <RefusalToasts isPanelOpen={false} />
          {element}
        </>
      ),
    }),
  );
  render(<Around store={app} surroundings={surroundings} routes={routes} at={at} />);
  await app.settle();
  return app;
}

const area = (name: string) => `/admin/settings/${name}`;
const type = (label: RegExp, value: string) => {
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
};
const optionsOf = (label: RegExp) => {
  const field = screen.getByRole('combobox', { name: label });
  fireEvent.focus(field);
  fireEvent.click(field);
  const options = screen.getAllByRole('option').map(({ textContent }) => textContent);
  fireEvent.blur(field);
  return options;
};
const choose = (label: RegExp, name: string) => {
  const field = screen.getByRole('combobox', { name: label });
  fireEvent.focus(field);
  fireEvent.change(field, { target: { value: name } });
  fireEvent.click(screen.getByRole('option', { name }));
};
const press = (name: string) => {
  fireEvent.click(screen.getByRole('button', { name }));
};
const expectSaid = (...texts: readonly string[]) => {
  for (const text of texts) expect(screen.queryByText(text), text).not.to.equal(null);
};

type App = Awaited<ReturnType<typeof visit>>;
/** The writes that the page asked for, without their ids. */
const writes = ({ recordedActions }: App) =>
  recordedActions.map(({ did, type: of, fields }) => ({ did, type: of, fields }));

describe('the settings of the installation', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  beforeEach(() => {
    chooseOrganization(lakeside);
  });
  afterEach(async () => {
    cleanup();
    await closeStores();
    chooseOrganization(null);
  });

  it('have a page for each kind of record, each a link beside the others [R17]', async () => {
    await visit(area('stores'));
    const parts = screen.getByRole('navigation', { name: 'Parts of the admin settings' });
    const links = within(parts)
      .getAllByRole('link')
      .map((link) => link.getAttribute('href'));
    expect(links).to.deep.equal([
      ...['organizations', 'workflow-definitions', 'product-definitions', 'stores'].map(area),
      ...[area('store-types'), area('build-engines')],
      ...['/admin/package-names', '/admin/audit', '/admin/jobs'],
    ]);
    expect(screen.getByRole('link', { name: 'Kiosk' }).getAttribute('href')).to.equal(
      area(`stores/${kiosk}/edit`),
    );
    fireEvent.click(within(parts).getByRole('link', { name: 'Store types' }));
    await screen.findByRole('link', { name: 'Shop' });
  });

  it('name the owner of an organization who is in none that is in view', async () => {
    const harbored = record('organization', { id: idOf(931), name: 'Hill Press', owner: far.id });
    await visit(area(`organizations/${harbored.id}/edit`), {
      ...catalogue,
      organization: [...(shelf.organization ?? []), harbored],
    });
    await waitFor(() => {
      const field = screen.getByRole<HTMLInputElement>('combobox', { name: /^Owner/ });
      expect(field.value).to.equal('Hanna Brandt');
    });
  });

  it('take no workflow definition without store type and workflow type [R254, R401]', async () => {
    const app = await visit(area('workflow-definitions/new'));
    type(/^Name/, 'Slow lane');
    press('Add');
    expectSaid('Choose a store type', 'Choose a workflow type');
    expect(document.activeElement).to.equal(screen.getByRole('combobox', { name: /^Store type/ }));
    choose(/^Store type/, 'Shop');
    expect(screen.queryByText('Choose a store type')).to.equal(null);
    press('Add');
    expectSaid('Choose a workflow type');
    expect(writes(app)).to.deep.equal([]);
    choose(/^Type/, 'Rebuild');
    press('Add');
    await app.settle();
    expectSaid('Workflow added');
    expect(writes(app)[0]?.fields).to.include({ name: 'Slow lane', storeType: shop, type: 2 });
    expect(screen.queryByRole('link', { name: 'Slow lane' })).not.to.equal(null);
  });

  it('take no product definition without name, type and workflow [R255, R401]', async () => {
    const app = await visit(area('product-definitions/new'));
    press('Add');
    const mistakes = [
      'A product definition needs a name',
      'Choose an application type',
      'Choose a workflow',
    ];
    expectSaid(...mistakes);
    type(/^Name/, 'Booklet');
    choose(/^Type/, 'bookapp');
    press('Add');
    expect(mistakes.map((text) => screen.queryByText(text) !== null)).to.deep.equal([
      ...[false, false, true],
    ]);
    expect(writes(app)).to.deep.equal([]);
    choose(/^Workflow/, 'Make it');
    press('Add');
    await app.settle();
    expectSaid('Product definition added');
  });

  it('ask of a product definition for name, type, the three workflows, description and properties, and save each [R227]', async () => {
    const app = await visit(area('product-definitions/new'));
    type(/^Name/, 'Booklet');
    choose(/^Type/, 'bookapp');
    choose(/^Workflow/, 'Make it');
    choose(/^Rebuild workflow/, 'Make it anew');
    choose(/^Republish workflow/, 'Put it out anew');
    type(/^Description/, 'Folded once');
    type(/^Properties/, '{"pages":8}');
    press('Add');
    await app.settle();
    expect(writes(app)[0]?.fields).to.include({
      ...{ name: 'Booklet', type: bookapp, description: 'Folded once', properties: '{"pages":8}' },
      ...{ workflow: startup, rebuildWorkflow: rebuild, republishWorkflow: republish },
    });
  });

  it('leave the workflows to rebuild and republish out unless they are chosen, and clear them by “No workflow required” [R256]', async () => {
    const app = await visit(area('product-definitions/new'));
    type(/^Name/, 'Booklet');
    choose(/^Type/, 'bookapp');
    choose(/^Workflow/, 'Make it');
    press('Add');
    await app.settle();
    const [added] = writes(app);
    expect(added?.fields).to.include({ name: 'Booklet', type: bookapp, workflow: startup });
    expect(added?.fields.rebuildWorkflow ?? null).to.equal(null);
    expect(added?.fields.republishWorkflow ?? null).to.equal(null);
    cleanup();
    await closeStores();

    const edited = await visit(area(`product-definitions/${leaflet}/edit`));
    choose(/^Rebuild workflow/, 'No workflow required');
    press('Save');
    await edited.settle();
    expectSaid('Product definition edited');
    expect(writes(edited).map(({ did }) => did)).to.deep.equal(['edit']);
    expect(writes(edited)[0]?.fields).to.include({ rebuildWorkflow: null });
    expect(edited.data.find.one('productDefinition', leaflet)).to.include({
      ...{ name: 'Leaflet', workflow: startup },
      ...{ rebuildWorkflow: null, republishWorkflow: republish },
    });
  });

  it('offer for each workflow of a product definition those of its type alone [R257]', async () => {
    await visit(area('product-definitions/new'));
    expect(optionsOf(/^Workflow/)).to.deep.equal(['Make it']);
    expect(optionsOf(/^Rebuild workflow/)).to.deep.equal(['No workflow required', 'Make it anew']);
    expect(optionsOf(/^Republish workflow/)).to.deep.equal([
      'No workflow required',
      'Put it out anew',
    ]);
  });

  it('take no store type without a name, and ask for nothing else [R258, R401]', async () => {
    const app = await visit(area('store-types/new'));
    type(/^Description/, 'At the corner');
    press('Add');
    expectSaid('A store type needs a name');
    expect(writes(app)).to.deep.equal([]);
    type(/^Name/, 'Corner');
    press('Add');
    await app.settle();
    expectSaid('Store type added');
    fireEvent.click(screen.getByRole('link', { name: 'Corner' }));
    await app.settle();
    type(/^Description/, 'On the square');
    press('Save');
    await app.settle();
    expectSaid('Store type edited');
  });

  it('take no store without a name, which the message names, and one without a type [R259, R401]', async () => {
    const app = await visit(area('stores/new'));
    press('Add');
    expectSaid('Name is required');
    expect(writes(app)).to.deep.equal([]);
    type(/^Name/, 'Corner shop');
    press('Add');
    await app.settle();
    expectSaid('Store created');
    expect(writes(app)[0]?.fields).to.include({ name: 'Corner shop' });
    expect(writes(app)[0]?.fields.storeType ?? null).to.equal(null);
    fireEvent.click(screen.getByRole('link', { name: 'Corner shop' }));
    await app.settle();
    choose(/^Store type/, 'Shop');
    press('Save');
    await app.settle();
    expectSaid('Store updated');
  });

  it('say that an organization, a workflow and a selection of stores were changed [R401]', async () => {
    const organization = await visit(area(`organizations/${lakeside}/edit`));
    type(/^Website URL/, 'https://lakeside.example');
    press('Save');
    await organization.settle();
    expectSaid('Organization edited');
    cleanup();
    await closeStores();

    const workflows = await visit(area(`workflow-definitions/${startup}/edit`));
    type(/^Description/, 'From the beginning');
    press('Save');
    await workflows.settle();
    expectSaid('Workflow updated');
    cleanup();
    await closeStores();

    const stores = await visit(area(`organizations/${lakeside}/stores`));
    fireEvent.click(screen.getByRole('switch', { name: /^Market/ }));
    await stores.settle();
    expectSaid('Store selection updated');
    expect(writes(stores)[0]).to.deep.include({ did: 'add', type: 'organizationStore' });
    cleanup();
    await closeStores();

    const added = await visit(area('organizations/new'));
    type(/^Name/, 'Hillside');
    choose(/^Owner/, 'Felix Fellow');
    press('Add');
    await added.settle();
    expectSaid('Organization added');
  });

  it('say of no store that it is off before all that is held is on the device [R261]', async () => {
    const none: Shelf = { ...catalogue, organizationStore: [] };
    const app = await visit(area(`organizations/${lakeside}/stores`), none, { isLoading: true });
    app.server.put('organizationStore', { organization: lakeside, store: kiosk });
    await app.settle();
    expect(screen.queryAllByRole('switch')).to.have.length(0);
    app.server.letThrough();
    await app.settle();
    const isOn = (name: RegExp) => screen.getByRole<HTMLInputElement>('switch', { name }).checked;
    expect([isOn(/^Kiosk/), isOn(/^Market/)]).to.deep.equal([true, false]);
  });

  it('say where it never came whole that what is held is not on the device', async () => {
    const at = area(`organizations/${lakeside}/stores`);
    const app = await visit(at, catalogue, { isLoading: true });
    await app.goOffline();
    app.server.faults.push('cut-before');
    app.server.letThrough();
    await app.settle();
    expectSaid('This is not on this device yet');
    expect(screen.queryAllByRole('switch')).to.have.length(0);
    await app.goOnline();
    await app.passOnDevice(10_000);
    expect(screen.queryAllByRole('switch')).to.have.length(2);
  });

  for (const part of ['stores', 'groups'])
    it(`say of an organization’s ${part} that never came whole that they are not on the device`, async () => {
      const held = { ...catalogue, group: [], organizationStore: [] };
      const app = await visit(`/organizations/${lakeside}/settings/${part}`, held, {
        isLoading: true,
      });
      await app.goOffline();
      app.server.faults.push('cut-before');
      app.server.letThrough();
      await app.settle();
      expectSaid('This is not on this device yet');
      expect(document.querySelector('.skeleton')).to.equal(null);
    });

  it('tell since when a build engine answers as it does, and by dashes that it was not asked yet [R182]', async () => {
    const engine = (number: number, dateUpdated: string | null) =>
      record('systemStatus', {
        ...{ id: idOf(930 + number), buildEngineUrl: `https://engine${number}.test` },
        dateUpdated,
      });
    const systemStatus = [engine(1, '2026-02-27T12:00:00.000Z'), engine(2, null)];
    await visit(area('build-engines'), { ...catalogue, systemStatus });
    const updated = ['https://engine1.test', 'https://engine2.test'].map((url) => {
      const row = screen.getByText(url).closest('tr');
      const value = row?.querySelectorAll('td')[3]?.querySelector('.cell-value');
      return value?.querySelector('time')?.textContent ?? value?.textContent;
    });
    expect(updated).to.deep.equal(['3 days ago', '--']);
  });

  it('explain every field of every form', async () => {
    const forms = ['organizations', 'workflow-definitions', 'product-definitions', 'stores'];
    for (const name of [...forms, 'store-types']) {
      await visit(area(`${name}/new`));
      const form = document.querySelector('form');
      const fields = [...(form?.querySelectorAll('.field') ?? [])];
      expect(fields.length, name).to.be.greaterThan(1);
      for (const field of fields) {
        const label = field.querySelector('label')?.textContent ?? field.textContent;
        const help = field.querySelector('.field-help, .switch-help, .caption, .soft');
        expect(help?.textContent, `${name}: ${label}`).to.match(/\w+ \w+/);
      }
      cleanup();
      await closeStores();
    }
  });

  for (const [name, label, title] of [
    [`organizations/${lakeside}/edit`, /^Name/, 'Edit the organization'],
    [`workflow-definitions/${startup}/edit`, /^Description/, 'Edit the workflow'],
    [`product-definitions/${leaflet}/edit`, /^Description/, 'Edit the product definition'],
    [`stores/${kiosk}/edit`, /^Description/, 'Edit the store'],
    ['store-types/new', /^Name/, 'Add the store type'],
  ] as const)
    it(`say by an error toast that the server refused what the form ${name} saved, and why [R390]`, async () => {
      const app = await visit(area(name));
      const refusal: Problem = { code: 'forbidden' };
      app.server.refuse = () => [
        { id: 'e', status: '403', title: 'An error occurred', ...refusal },
      ];
      type(label, 'Changed');
      press(name.endsWith('/new') ? 'Add' : 'Save');
      await app.settle();
      const toast = await screen.findByText('You are not allowed to do that');
      expect(toast.closest('.toast-error')?.textContent, title).to.include('Show');
    });

  it('put what the server refuses of one field at that field when one comes back to the form [R390]', async () => {
    const app = await visit(area(`stores/${kiosk}/edit`));
    app.server.refuse = () => [
      {
        ...{ id: 'e', status: '422', code: 'invalid', title: 'The value is not valid' },
        source: { pointer: '/data/attributes/name' },
        meta: { rule: 'too-long', limit: 250 },
      },
    ];
    type(/^Name/, 'Kiosk at the lake');
    press('Save');
    await app.settle();
    fireEvent.click(screen.getByRole('link', { name: 'Kiosk' }));
    await app.settle();
    const field = screen.getByLabelText<HTMLInputElement>(/^Name/);
    expect(field.value).to.equal('Kiosk at the lake');
    expect(field.getAttribute('aria-invalid')).to.equal('true');
    const error = field.closest('.field')?.querySelector('.field-error');
    expect(error?.textContent).to.equal('Name is longer than 250 characters');
  });
});

describe('an invitation of an organization', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  afterEach(async () => {
    cleanup();
    await closeStores();
  });

  it('is sent with the owner’s email alone: name and web site may be left out [R260]', async () => {
    const app = await visit('/admin');
    type(/^Owner/, 'ana@hill.test');
    press('Add Organization');
    await app.settle();
    expectSaid('Invitation sent');
    const [sent] = app.recordedActions;
    expect([sent?.did, sent?.type]).to.deep.equal(['add', 'organizationInvite']);
    expect(sent?.fields).to.include({ ownerEmail: 'ana@hill.test' });
  });
});

describe('the settings of an organization', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  beforeEach(() => {
    chooseOrganization(lakeside);
  });
  afterEach(async () => {
    cleanup();
    await closeStores();
    chooseOrganization(null);
  });
  const asAdmin: Shelf = { ...catalogue, userRole: [orgAdmin] };
  const start = `/organizations/${lakeside}/settings`;
  const path = (part: 'products' | 'groups' | 'stores' | 'user-setup') => `${start}/${part}`;

  it('say of the logo which picture looks best, and lead to what is set on other pages [R156]', async () => {
    await visit(start, asAdmin);
    const logo = screen.getByLabelText(/^Logo/).closest('.field');
    expect(logo?.textContent).to.include('A square picture looks best.');
    const elsewhere = screen.getByText(/^Set on other pages:/);
    const ways = within(elsewhere)
      .getAllByRole('link')
      .map((way) => [way.textContent, way.getAttribute('href')]);
    expect(ways).to.deep.equal([
      ['New projects are public by default', `${start}/products`],
      ['Use the default build engine', `${start}/infrastructure`],
    ]);
  });

  it('say that there are no products to switch on, and lead super admins to the first [R158, R408]', async () => {
    await visit(path('products'), { ...asAdmin, productDefinition: [] });
    expectSaid('No products');
    expect(screen.queryByRole('link', { name: 'Add product definition' })).to.equal(null);
    cleanup();
    await closeStores();

    await visit(path('products'), { ...catalogue, productDefinition: [] });
    const way = screen.getByRole('link', { name: 'Add product definition' });
    expect(way.getAttribute('href')).to.equal(area('product-definitions/new'));
  });

  it('say that there are no groups, with the way to the first [R160, R408]', async () => {
    const none = { group: [], groupMembership: [], project: [], product: [], userTask: [] };
    await visit(path('groups'), { ...asAdmin, ...none });
    expectSaid('No groups');
    press('Add group');
    expect(screen.queryByText('No groups')).to.equal(null);
    expect(screen.queryByLabelText(/^Abbreviation/)).not.to.equal(null);
  });

  it('have a page for users that says that there is nothing to set up [R157]', async () => {
    await visit(path('user-setup'), asAdmin);
    expectSaid('There is nothing to set up for users yet.');
    const main = screen.getByText('There is nothing to set up for users yet.').parentElement;
    expect(main?.querySelector('input, select, textarea, [role="switch"]')).to.equal(null);
  });

  it('show its stores to an admin without a way to change them, which super admins have [R261]', async () => {
    await visit(path('stores'), asAdmin);
    const box = screen.getByRole<HTMLInputElement>('checkbox', { name: 'Kiosk' });
    expect([box.checked, box.disabled]).to.deep.equal([true, true]);
    expect(screen.queryByText('Market')).to.equal(null);
    expect(screen.queryByRole('switch')).to.equal(null);
    expect(document.querySelector('main a, .ui.segment a')).to.equal(null);
    cleanup();
    await closeStores();

    await visit(path('stores'));
    expect(document.querySelector('.ui.segment a')?.getAttribute('href')).to.equal(
      area(`organizations/${lakeside}/stores`),
    );
    cleanup();
    await closeStores();

    const app = await visit(area(`organizations/${lakeside}/stores`));
    fireEvent.click(screen.getByRole('switch', { name: /^Kiosk/ }));
    await app.settle();
    expect(writes(app)).to.deep.equal([{ did: 'remove', type: 'organizationStore', fields: {} }]);
  });

  it('save no group before it has both a name and an abbreviation [R262]', async () => {
    const app = await visit(path('groups'), asAdmin);
    press('Add group');
    press('Save');
    const [name, abbreviation] = ['A group needs a name', 'A group needs an abbreviation'];
    expectSaid(name, abbreviation);
    type(/^Name/, 'Lakeside West');
    press('Save');
    expect(screen.queryByText(name)).to.equal(null);
    expectSaid(abbreviation);
    type(/^Name/, '  ');
    type(/^Abbreviation/, 'LW');
    press('Save');
    expectSaid(name);
    expect(writes(app)).to.deep.equal([]);
    type(/^Name/, 'Lakeside West');
    press('Save');
    await app.settle();
    expectSaid('Lakeside West');
    expect(writes(app)[0]?.fields).to.include({ name: 'Lakeside West', abbreviation: 'LW' });
  });
});
