import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect } from 'chai';
import { removeProduct, runProductAction, setProperties } from '#data/actions/products.ts';
import { createProject, editProject } from '#data/actions/projects.ts';
import type { Of } from '#schema/index.ts';
import { speakLate } from '#ui/text/late-texts.ts';
import { speak } from '#ui/text/text.ts';
import { closeStores } from '../../support/app-over-store.ts';
import type { AppOverStore } from '../../support/app-over-store.ts';
import {
  addButton,
  ANDROID,
  android,
  atRest,
  card,
  dialog,
  fill,
  html,
  openMenu,
  pick,
  press,
  published,
  pwa,
  rebuild,
  switchedOn,
  visitProducts as visit,
  webStore,
} from '../../support/harvest-products.tsx';
import { builder, fellow, harvest, harvestApp, idOf, record, shelf } from '../../support/shelf.ts';

/** The key under which the browser keeps the server's settings. */
const CONFIG = 'slipway.config';

const names = { product: ANDROID, project: 'Harvest' };
const refusal = (status: string, code: 'not-ready' | 'forbidden') => () => [
  { id: 'e1', status, code, title: code },
];
/** Harvest's product as this device has it. */
const productIn = ({ data }: AppOverStore) => {
  const product = data.find.one('product', harvestApp);
  if (product === null) throw new Error('The product is gone');
  return product;
};

describe('[9.1] the products of a project', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  afterEach(async () => {
    cleanup();
    await closeStores();
  });

  it('show step, version and what is out, and lead to the viewer’s own task [R103, R106, R107]', async () => {
    await visit({
      product: { publishLink: 'https://store.test/harvest', datePublished: published },
    });
    expect(card().queryByRole('heading', { name: ANDROID })).not.to.equal(null);
    expect(card().queryByText('Approval')).not.to.equal(null);
    expect(card().queryByText('1.4')).not.to.equal(null);
    expect(document.querySelectorAll('.product-card > .product-icon')).to.have.length(1);
    const open = card().getByRole('link', { name: /^Open/ });
    expect(open.getAttribute('href')).to.equal('https://store.test/harvest');
    expect(open.getAttribute('target')).to.equal('_blank');
    expect(
      card()
        .getByRole('link', { name: /^Continue/ })
        .getAttribute('href'),
    ).to.equal(`/flow/AppBuilders_Android_GooglePlay_Flow/${harvestApp}`);
  });

  it('say when they were updated and published [R103]', async () => {
    await visit({ product: { dateUpdated: '2026-03-01T12:00:00.000Z', datePublished: null } });
    const fact = (name: string) =>
      card().getByText(name, { selector: 'dt' }).parentElement?.querySelector('dd')?.textContent;
    expect(fact('Updated')).to.match(/^1 day ago/);
    expect(fact('Published')).to.equal('--');
    cleanup();
    await visit({ product: { datePublished: published } });
    expect(fact('Published')).to.match(/^1 day ago/);
  });

  it('stand in the order in which they were added [R109]', async () => {
    const [first] = shelf.product ?? [];
    const of = (id: string, productDefinition: string, day: number) => ({
      ...first,
      id,
      productDefinition,
      dateCreated: `2026-02-2${String(day)}T09:00:00.000Z`,
    });
    const product = [
      of(idOf(1000), pwa, 3),
      of(idOf(1001), html, 1),
      of(idOf(1002), android.id, 2),
    ];
    await visit({ more: { product: product as Of<'product'>[] } });
    const names = screen.getAllByRole('heading', { level: 3 }).map((name) => name.textContent);
    expect(names).to.deep.equal(['HTML Preview', ANDROID, 'PWA to Cloud']);
  });

  it('lead nobody to a task who has none [R107]', async () => {
    await visit({ viewer: fellow });
    expect(card().queryByRole('link', { name: /^Continue/ })).to.equal(null);
  });

  it('say how far the engine is with a step that goes by itself [R106]', async () => {
    await visit({
      product: { workflowState: 'Product Build' },
      more: {
        productTransition: [
          record('productTransition', {
            id: idOf(1010),
            product: harvestApp,
            transitionType: 1,
            dateTransition: '2026-03-02T11:58:00.000Z',
          }),
          record('productTransition', {
            id: idOf(1011),
            product: harvestApp,
            transitionType: 1,
            initialState: 'Product Build',
          }),
        ],
        productBuild: [
          record('productBuild', {
            id: idOf(1012),
            product: harvestApp,
            success: null,
            phase: 'active',
          }),
        ],
      },
    });
    const step = document.querySelector('.product-step')?.textContent;
    expect(step).to.match(/^Product buildWorking for 2 minutes.* in progress$/);
  });

  it('say that a project made offline is set up once it was sent [R115]', async () => {
    await visit({
      prepare: async ({ data, goOffline }) => {
        await goOffline();
        const { organization, group, type } = harvest;
        return createProject(data, { name: 'Plums', language: 'en', organization, group, type });
      },
    });
    expect(screen.queryByText('Setup starts once this project is sent.')).not.to.equal(null);
  });

  describe('lead super admins to the workflow', () => {
    const link = () => card().queryByRole('link', { name: `Workflow of ${ANDROID}` });
    const roles = [
      record('userRole', {
        id: idOf(1013),
        user: builder,
        roleName: 'SuperAdmin',
        role: idOf(1014),
      }),
    ];
    const asSuperAdmin = { more: { userRole: roles } };
    afterEach(() => {
      localStorage.removeItem(CONFIG);
    });

    it('in a tab of its own, while one runs [R108, R296]', async () => {
      await visit(asSuperAdmin);
      expect(link()?.getAttribute('href')).to.equal(`/admin/workflows/${harvestApp}`);
      expect(link()?.getAttribute('target')).to.equal('_blank');
      cleanup();
      await visit({ ...asSuperAdmin, product: { workflowState: null, productWorkflow: null } });
      expect(link()).to.equal(null);
    });

    it('at the address that a setting names, if one does [R108]', async () => {
      const links = { workflowAdmin: 'https://flows.test/admin' };
      const auth = { issuer: 'https://id.test', clientId: 'web' };
      localStorage.setItem(CONFIG, JSON.stringify({ auth, links }));
      await visit(asSuperAdmin);
      expect(link()?.getAttribute('href')).to.equal('https://flows.test/admin');
    });

    it('and nobody else [R108, R296]', async () => {
      await visit();
      expect(link()).to.equal(null);
    });
  });

  it('say of a private project that what is out cannot be reached, unless it is elsewhere', async () => {
    const page = `${location.origin}/downloads/products/${harvestApp}/files/published/html`;
    const product = { publishLink: page, datePublished: published };
    const sentence = 'Published, not reachable while the project is private';
    await visit({ product });
    expect(card().getByRole('link', { name: /^Open/ }).getAttribute('href')).to.equal(page);
    expect(card().queryByText(sentence)).to.equal(null);
    cleanup();
    await visit({ product, project: { isPublic: false } });
    expect(card().queryByRole('link', { name: /^Open/ })).to.equal(null);
    expect(card().queryByText(sentence)).not.to.equal(null);
    cleanup();
    await visit({ product, project: { allowDownloads: false } });
    expect(card().queryByText('Published, not reachable while downloads are off')).not.to.equal(
      null,
    );
    cleanup();
    const elsewhere = { ...product, publishLink: 'https://store.test/harvest' };
    await visit({ product: elsewhere, project: { isPublic: false } });
    expect(card().queryByRole('link', { name: /^Open/ })).not.to.equal(null);
  });

  it('open nothing but web addresses [R103]', async () => {
    await visit({ product: { publishLink: 'javascript:alert(1)', datePublished: published } });
    expect(card().queryByRole('link', { name: /^Open/ })).to.equal(null);
  });

  it('say for how long a step waits, and for whom [R106]', async () => {
    const row = { product: harvestApp, transitionType: 1 } as const;
    await visit({
      more: {
        productTransition: [
          record('productTransition', {
            ...row,
            id: idOf(1010),
            initialState: 'Readiness Check',
            dateTransition: '2026-02-20T12:00:00.000Z',
          }),
          record('productTransition', {
            ...row,
            id: idOf(1011),
            initialState: 'Approval',
            allowedUserNames: 'Ada Admin',
          }),
        ],
      },
    });
    expect(document.querySelector('.product-wait.is-long')?.textContent).to.match(
      /^Waiting 1 week.* for Ada Admin$/,
    );
  });

  it('say which step of how many they are at, and no name that their status has', async () => {
    const row = { product: harvestApp, transitionType: 1 } as const;
    await visit({
      product: { waitingFor: 'admins', assigned: fellow },
      more: {
        userTask: [],
        productTransition: [
          record('productTransition', {
            ...row,
            id: idOf(1010),
            initialState: 'Readiness Check',
            dateTransition: '2026-03-01T12:00:00.000Z',
          }),
          record('productTransition', {
            ...row,
            id: idOf(1011),
            initialState: 'Approval',
            destinationState: 'Product Creation',
            allowedUserNames: 'Felix Fellow',
          }),
          record('productTransition', {
            ...row,
            id: idOf(1012),
            initialState: 'Product Creation',
          }),
        ],
      },
    });
    expect(document.querySelector('.status-chip')?.textContent).to.equal(
      'Waiting for Felix Fellow',
    );
    const step = document.querySelector('.product-step')?.textContent;
    expect(step)
      .to.match(/^Step 2 of 3Approvalfor 1 day/)
      .and.not.include('Felix');
  });

  it('follow what others do [R106, R251]', async () => {
    const { setRecord } = await visit();
    await setRecord('product', harvestApp, { workflowState: 'Product Build', versionBuilt: '1.5' });
    expect(card().queryByText('Product build')).not.to.equal(null);
    expect(card().queryByText('1.5')).not.to.equal(null);
  });

  it('begin with a sentence and the way to the first [R105, R408]', async () => {
    await visit({ product: null });
    expect(screen.queryByText('No products in this project yet')).not.to.equal(null);
    expect(screen.queryByText(/then press Add products/)).not.to.equal(null);
    expect(addButton().disabled).to.equal(false);
  });

  it('say where none is offered that the organization has not switched any on, and who can [R105, R408]', async () => {
    await visit({ product: null, more: { organizationProductDefinition: [] } });
    expect(addButton().disabled).to.equal(true);
    expect(screen.queryByText('The organization offers no products yet.')).not.to.equal(null);
    expect(screen.queryByText(/has not switched on any products yet\. Who can/)).not.to.equal(null);
    expect(screen.queryByText(/has every product/)).to.equal(null);
  });

  it('wait for the repository of a project that is being set up [R115, R238, R290]', async () => {
    await visit({ product: null, project: { workflowProjectUrl: null } });
    expect(screen.queryByText(/still being set up/)).not.to.equal(null);
    expect(addButton().disabled).to.equal(true);
  });

  it('are not added to an archived project, which says so [R105]', async () => {
    await visit({ project: { dateArchived: published } });
    expect(addButton().disabled).to.equal(true);
    const why = document.getElementById(addButton().getAttribute('aria-describedby') ?? '');
    expect(why?.textContent).to.equal('You can’t add products to an archived project.');
  });

  it('are only looked at by who does not answer for the project [R105]', async () => {
    await visit({ viewer: fellow, product: atRest });
    expect(card().queryByText('1.4')).not.to.equal(null);
    expect(openMenu()).to.deep.equal(['Details', 'Product page', 'Builds', 'Copy link']);
    expect(screen.queryByRole('button', { name: 'Add products' })).to.equal(null);
    expect(card().getByRole('link', { name: ANDROID }).getAttribute('href')).to.equal(
      `/products/${harvestApp}/files`,
    );
  });

  it('keep a refused creation in the list, with the reason, and nothing to do with it', async () => {
    await visit({
      product: { version: 0 },
      prepare: async (app) => {
        app.server.refuse = refusal('409', 'not-ready');
        const properties = '{"environment":{"BUILD_COMPUTE_TYPE":"small","BUILD_IMAGE_TAG":"1"}}';
        await setProperties(app.data, productIn(app), properties, names);
        await app.settle();
        return null;
      },
    });
    expect(card().queryByText('The project is still being set up')).not.to.equal(null);
    expect(card().queryByRole('button', { name: /^More/ })).to.equal(null);
  });
});

describe('[9.2] adding products', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  afterEach(async () => {
    cleanup();
    await closeStores();
  });

  it('offers what the organization has switched on and the project lacks [R105]', async () => {
    await visit();
    press('Add products');
    const names = dialog('Add products')
      .getAllByRole('listitem')
      .map((item) => item.querySelector('strong')?.textContent);
    expect(names).to.deep.equal(['HTML Preview', 'PWA to Cloud']);
  });

  it('has what can be added by platform, and says in a sentence what each means', async () => {
    const workflow = idOf(1600);
    const productDefinition = Object.entries({
      'Android App to Bucket': 'Version 1.4 of it, without an end',
      'Asset Package to Bucket': ' ',
      'HTML Preview': 'Pages to look at. For whoever is in a hurry.\nAnd more.',
      'PWA to Cloud': null,
    }).map(([name, description], at) =>
      record('productDefinition', {
        ...{ id: idOf(1601 + at), name, description, type: android.type, workflow },
      }),
    );
    const [offered] = switchedOn;
    const more = {
      productDefinition,
      workflowDefinition: [
        record('workflowDefinition', {
          ...{ id: workflow, type: 1, workflowScheme: 'AppBuilders_Default_Pwa_Cloud' },
        }),
      ],
      organizationProductDefinition: productDefinition.map(({ id }, at) =>
        record('organizationProductDefinition', {
          ...{ ...offered, id: idOf(1610 + at), productDefinition: id },
        }),
      ),
    };
    await visit({ product: null, more });
    press('Add products');
    const all = (within: ParentNode, selector: string) => [...within.querySelectorAll(selector)];
    const groups = all(screen.getByRole('dialog'), 'section:has(h3)').map((group) => [
      group.querySelector('h3')?.textContent,
      ...all(group, 'button .caption').map(({ textContent }) => textContent),
    ]);
    expect(groups).to.deep.equal([
      ['Android', 'Version 1.4 of it, without an end'],
      [
        'Web',
        'Pages to look at.',
        'A website that people can install and use without a connection.',
      ],
      ['Packages', 'The content in one file, for apps that read it.'],
    ]);
  });

  it('adds at once what goes to no store, and stays open [R110, R289]', async () => {
    const { recordedActions } = await visit();
    press('Add products');
    fireEvent.click(dialog('Add products').getByRole('button', { name: 'HTML Preview' }));
    await screen.findByText('HTML Preview was added');
    const [deed] = recordedActions;
    expect(deed?.type).to.equal('product');
    expect(deed?.fields).to.deep.equal({
      project: harvest.id,
      productDefinition: html,
      store: null,
    });
    expect(screen.queryByRole('dialog', { name: 'Add products' })).not.to.equal(null);
  });

  it('keeps what was added in its place, marked, and undoes it alone [screens 9.2] [R112]', async () => {
    const { data, settle } = await visit();
    press('Add products');
    const added = () => dialog('Add products').getAllByRole('listitem');
    const choice = dialog('Add products').getByRole('button', { name: 'HTML Preview' });
    choice.focus();
    fireEvent.click(choice);
    await screen.findByText('HTML Preview was added');
    const isAdded = () => added().map((item) => item.textContent.endsWith('AddedUndo'));
    expect(isAdded()).to.deep.equal([true, false]);
    expect(document.activeElement).to.equal(choice);
    const undo = dialog('Add products').getByRole('button', { name: 'Undo' });
    fireEvent.click(undo, { detail: 2 });
    await settle();
    expect(data.find.all('product', { productDefinition: html })).to.have.length(1);
    undo.focus();
    fireEvent.click(undo, { detail: 1 });
    await waitFor(() => {
      expect(isAdded()).to.deep.equal([false, false]);
    });
    expect(document.activeElement).to.equal(choice);
    expect(data.find.all('product', { productDefinition: html })).to.have.length(0);
  });

  it('asks for a store of the kind that is needed [R111, R289]', async () => {
    const { recordedActions } = await visit();
    press('Add products');
    fireEvent.click(dialog('Add products').getByRole('button', { name: 'PWA to Cloud' }));
    const stores = dialog('Select a store for PWA to Cloud');
    expect(stores.getAllByRole('listitem').map((item) => item.textContent)).to.deep.equal([
      'slipway_web',
    ]);
    fireEvent.click(stores.getByRole('button', { name: 'slipway_web' }));
    expect(stores.getByRole('list').getAttribute('aria-busy')).to.equal('true');
    fireEvent.click(stores.getByRole('button', { name: 'Close' }));
    expect(screen.queryByRole('dialog', { name: /^Select/ })).not.to.equal(null);
    await waitFor(() => {
      expect(screen.queryByRole('dialog', { name: /^Select/ })).to.equal(null);
    });
    expect(recordedActions[0]?.fields).to.include({ productDefinition: pwa, store: webStore });
  });

  it('says whom to ask when the organization has no such store [R114, R408]', async () => {
    await visit({ more: { organizationStore: [] } });
    press('Add products');
    fireEvent.click(dialog('Add products').getByRole('button', { name: 'PWA to Cloud' }));
    const stores = dialog(/^Select/);
    expect(stores.queryByText(/^Lakeside Press has no store.*A super admin can/)).not.to.equal(
      null,
    );
    fireEvent.click(stores.getByRole('button', { name: 'Cancel' }));
    expect(dialog('Add products').getAllByRole('listitem')).to.have.length(2);
  });

  it('is off when there is nothing more, and says so [R105, R408]', async () => {
    await visit({ more: { organizationProductDefinition: switchedOn.slice(0, 1) } });
    expect(addButton().disabled).to.equal(true);
    expect(screen.queryByText(/has every product/)).not.to.equal(null);
  });

  it('makes one product of a double click [R113, R289]', async () => {
    const { data, recordedActions, settle } = await visit();
    press('Add products');
    const choice = dialog('Add products').getByRole('button', { name: 'HTML Preview' });
    fireEvent.click(choice);
    fireEvent.click(choice);
    expect(recordedActions).to.have.length(1);
    await settle();
    expect(data.find.all('product', { productDefinition: html })).to.have.length(1);
  });

  it('keeps the dialog and says why when this device cannot keep it [R105]', async () => {
    fill(await visit());
    press('Add products');
    fireEvent.click(dialog('Add products').getByRole('button', { name: 'HTML Preview' }));
    await screen.findByText(/no space left on this device/);
    expect(screen.queryByRole('dialog', { name: 'Add products' })).not.to.equal(null);
  });
});

describe('[9.1] the actions of a product', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  const leave = async () => {
    cleanup();
    await closeStores();
  };
  afterEach(leave);

  it('are those that can be taken in its state [R11, R247, R428]', async () => {
    await visit({ product: atRest });
    expect(openMenu()).to.deep.equal([
      'Rebuild',
      'Details',
      'Product page',
      'Builds',
      'Copy link',
      'Remove',
    ]);
    await leave();
    const republish = record('workflowDefinition', { id: idOf(1503), name: 'again', type: 3 });
    const both = { ...android, rebuildWorkflow: rebuild.id, republishWorkflow: republish.id };
    const more = { productDefinition: [both], workflowDefinition: [rebuild, republish] };
    await visit({ product: atRest, more });
    expect(openMenu().slice(0, 3)).to.deep.equal(['Rebuild', 'Republish', 'Details']);
    await leave();
    await visit({ product: { ...atRest, productWorkflow: rebuild.id }, more });
    expect(openMenu().slice(0, 2)).to.deep.equal(['Cancel', 'Details']);
  });

  it('leave a startup alone [R11]', async () => {
    await visit();
    expect(openMenu()).to.deep.equal(['Details', 'Product page', 'Builds', 'Copy link', 'Remove']);
  });

  it('carry the state that they were asked for in', async () => {
    const { recordedActions } = await visit({ product: { ...atRest, workflowState: 'Published' } });
    openMenu();
    pick('Rebuild');
    await waitFor(() => {
      expect(recordedActions).to.have.length(1);
    });
    expect(recordedActions[0]?.type).to.equal('productActionRun');
    expect(recordedActions[0]?.fields).to.deep.equal({
      action: 'rebuild',
      state: 'Published',
      product: harvestApp,
    });
  });

  it('ask before a running workflow is cancelled [R247]', async () => {
    const { recordedActions } = await visit({
      product: { ...atRest, productWorkflow: rebuild.id },
    });
    openMenu();
    pick('Cancel');
    const question = dialog(`Cancel the work on ${ANDROID}?`);
    expect(recordedActions).to.have.length(0);
    fireEvent.click(question.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => {
      expect(recordedActions[0]?.fields).to.include({ action: 'cancel' });
    });
  });

  it('say what will be sent, once, and give it back while it is unsent [R247]', async () => {
    const { data, settle } = await visit({
      product: atRest,
      prepare: async (app) => {
        await app.goOffline();
        // While this one is tried in vain, the next is not sent at all.
        await editProject(app.data, harvest, { description: 'Other words' });
        await app.settle();
        await runProductAction(app.data, productIn(app), 'rebuild', names);
        return null;
      },
    });
    expect(card().queryByText(/^Will be sent: Rebuild/)).not.to.equal(null);
    expect(openMenu()).to.deep.equal(['Details', 'Product page', 'Builds', 'Copy link', 'Remove']);
    fireEvent.click(card().getByRole('button', { name: 'Undo' }));
    await settle();
    expect(data.changes.view().rows.filter(({ isRequest }) => isRequest)).to.deep.equal([]);
    expect(card().queryByText(/^Will be sent/)).to.equal(null);
  });

  it('are told once the server has agreed [R247, R328, R403]', async () => {
    const { recordedActions, device, server, settle } = await visit({ product: atRest });
    server.holds = () => true;
    openMenu();
    pick('Rebuild');
    await settle();
    expect(recordedActions).to.have.length(1);
    expect(screen.queryByText('Rebuild started')).to.equal(null);
    // The verdict may be here before the page knows that it is online again.
    device.isOnline = false;
    act(() => {
      device.pageChanged();
    });
    server.letThrough();
    await screen.findByText('Rebuild started');
  });
});

describe('[9.3] removing a product', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  afterEach(async () => {
    cleanup();
    await closeStores();
  });

  it('takes one click where nothing was published and nothing runs [R112]', async () => {
    const { recordedActions } = await visit({
      product: { productWorkflow: null, workflowState: null },
    });
    openMenu();
    pick('Remove');
    await screen.findByText(`${ANDROID} was removed`);
    expect(recordedActions).to.deep.equal([
      { did: 'remove', type: 'product', id: harvestApp, fields: {} },
    ]);
  });

  it('asks where something is out or runs, and says what goes and what stays [R112]', async () => {
    const { recordedActions } = await visit({ product: { datePublished: published } });
    openMenu();
    pick('Remove');
    const question = dialog(`Remove ${ANDROID}?`);
    expect(question.queryByText(/so does the step that is running/)).not.to.equal(null);
    expect(question.queryByText(/published outside stays/)).not.to.equal(null);
    expect(document.activeElement?.textContent).to.equal('Cancel');
    expect(recordedActions).to.have.length(0);
    fireEvent.click(question.getByRole('button', { name: 'Remove' }));
    await screen.findByText(`${ANDROID} was removed`);
    expect(recordedActions).to.have.length(1);
  });

  it('brings the card back with the reason when it was refused [R112]', async () => {
    await visit({
      prepare: async (app) => {
        app.server.refuse = refusal('403', 'forbidden');
        await removeProduct(app.data, productIn(app), names);
        await app.passOnDevice(8_000);
        return null;
      },
    });
    expect(card().getByRole('heading', { name: ANDROID })).not.to.equal(null);
    expect(card().queryByText(/^You are not allowed to do that/)).not.to.equal(null);
    expect(card().queryByRole('button', { name: `More for ${ANDROID}` })).not.to.equal(null);
  });

  it('can be undone [R112]', async () => {
    const app = await visit({ product: { productWorkflow: null, workflowState: null } });
    openMenu();
    pick('Remove');
    const undo = await screen.findByRole('button', { name: 'Undo' });
    expect(screen.queryByRole('heading', { name: ANDROID })).to.equal(null);
    fireEvent.click(undo);
    await screen.findByRole('heading', { name: ANDROID });
    await app.passOnDevice(8_000);
    expect(productIn(app)).to.include({ project: harvest.id, productDefinition: android.id });
    expect(app.server.applied).to.deep.equal([]);
  });
});
