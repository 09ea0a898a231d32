import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect } from 'chai';
import { NotSavedError } from '#data/model/change.ts';
import { NotStoredError } from '#data/model/not-stored-error.ts';
import type { Of } from '#schema/index.ts';
import { speakLate } from '#ui/text/late-texts.ts';
import { speak } from '#ui/text/text.ts';
import { changeRow } from '../../support/change-row.ts';
import {
  addButton,
  ANDROID,
  android,
  atRest,
  card,
  dialog,
  openMenu,
  pick,
  press,
  published,
  rebuild,
  switchedOn,
  visitProducts as visit,
} from '../../support/harvest-products.tsx';
import { builder, fellow, harvest, harvestApp, record, shelf } from '../../support/shelf.ts';

/** The key under which the browser keeps the server's settings. */
const CONFIG = 'slipway.config';

describe('[9.1] the products of a project', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  afterEach(cleanup);

  it('show step, version and what is out, and lead to the viewer’s own task [R103, R106, R107]', () => {
    visit({ product: { publishLink: 'https://store.test/harvest', datePublished: published } });
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

  it('say when they were updated and published [R103]', () => {
    visit({ product: { dateUpdated: '2026-03-01T12:00:00.000Z', datePublished: null } });
    const fact = (name: string) =>
      card().getByText(name).parentElement?.querySelector('dd')?.textContent;
    expect(fact('Updated')).to.match(/^1 day/);
    expect(fact('Published')).to.equal('--');
    cleanup();
    visit({ product: { datePublished: published } });
    expect(fact('Published')).to.match(/^1 day/);
  });

  it('stand in the order in which they were added [R109]', () => {
    const [first] = shelf.product ?? [];
    const of = (id: string, productDefinition: string, day: number) => ({
      ...first,
      id,
      productDefinition,
      dateCreated: `2026-02-2${String(day)}T09:00:00.000Z`,
    });
    const product = [of('c', 'pwa', 3), of('a', 'html', 1), of('b', android.id, 2)];
    visit({ more: { product: product as Of<'product'>[] } });
    const names = screen.getAllByRole('heading', { level: 3 }).map((name) => name.textContent);
    expect(names).to.deep.equal(['HTML Preview', ANDROID, 'PWA to Cloud']);
  });

  it('lead nobody to a task who has none [R107]', () => {
    visit({ viewer: fellow });
    expect(card().queryByRole('link', { name: /^Continue/ })).to.equal(null);
  });

  it('say how far the engine is with a step that goes by itself [R106]', () => {
    visit({
      product: { workflowState: 'Product Build' },
      more: {
        productTransition: [
          record('productTransition', {
            id: 'done',
            product: harvestApp,
            transitionType: 1,
            dateTransition: '2026-03-02T11:58:00.000Z',
          }),
          record('productTransition', {
            id: 'next',
            product: harvestApp,
            transitionType: 1,
            initialState: 'Product Build',
          }),
        ],
        productBuild: [
          record('productBuild', { id: 'b', product: harvestApp, success: null, phase: 'active' }),
        ],
      },
    });
    const step = document.querySelector('.product-step')?.textContent;
    expect(step).to.match(/^Product BuildWorking for 2 minutes.* · at work$/);
  });

  it('say that a project made offline is set up once it was sent [R115]', () => {
    const project = { workflowProjectUrl: null, version: 0 };
    visit({ product: null, project, changes: { status: 'offline' } });
    expect(screen.queryByText('Setting up starts when this project was sent.')).not.to.equal(null);
  });

  describe('lead super admins to the workflow', () => {
    const link = () => card().queryByRole('link', { name: `Workflow of ${ANDROID}` });
    const roles = [
      record('userRole', { id: 'super', user: builder, roleName: 'SuperAdmin', role: 'super' }),
    ];
    const asSuperAdmin = { more: { userRole: roles } };
    afterEach(() => {
      localStorage.removeItem(CONFIG);
    });

    it('in a tab of its own, while one runs [R108, R296]', () => {
      visit(asSuperAdmin);
      expect(link()?.getAttribute('href')).to.equal(`/admin/workflows/${harvestApp}`);
      expect(link()?.getAttribute('target')).to.equal('_blank');
      cleanup();
      visit({ ...asSuperAdmin, product: { workflowState: null, productWorkflow: null } });
      expect(link()).to.equal(null);
    });

    it('at the address that a setting names, if one does [R108]', () => {
      const links = { workflowAdmin: 'https://flows.test/admin' };
      const auth = { issuer: 'https://id.test', clientId: 'web' };
      localStorage.setItem(CONFIG, JSON.stringify({ auth, links }));
      visit(asSuperAdmin);
      expect(link()?.getAttribute('href')).to.equal('https://flows.test/admin');
    });

    it('and nobody else [R108, R296]', () => {
      visit();
      expect(link()).to.equal(null);
    });
  });

  it('open nothing but web addresses [R103]', () => {
    visit({ product: { publishLink: 'javascript:alert(1)', datePublished: published } });
    expect(card().queryByRole('link', { name: /^Open/ })).to.equal(null);
  });

  it('say for how long a step waits, and for whom [R106]', () => {
    const row = { product: harvestApp, transitionType: 1 } as const;
    visit({
      more: {
        productTransition: [
          record('productTransition', {
            ...row,
            id: 'done',
            initialState: 'Readiness Check',
            dateTransition: '2026-02-20T12:00:00.000Z',
          }),
          record('productTransition', {
            ...row,
            id: 'next',
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

  it('follow what others do [R106, R251]', () => {
    const { setRecord } = visit();
    act(() => {
      setRecord('product', harvestApp, { workflowState: 'Product Build', versionBuilt: '1.5' });
    });
    expect(card().queryByText('Product Build')).not.to.equal(null);
    expect(card().queryByText('1.5')).not.to.equal(null);
  });

  it('begin with a sentence and the way to the first [R105, R408]', () => {
    visit({ product: null });
    expect(screen.queryByText('No products in this project yet')).not.to.equal(null);
    expect(addButton().disabled).to.equal(false);
  });

  it('wait for the repository of a project that is being set up [R115, R238, R290]', () => {
    visit({ product: null, project: { workflowProjectUrl: null } });
    expect(screen.queryByText(/still being set up/)).not.to.equal(null);
    expect(addButton().disabled).to.equal(true);
  });

  it('are not added to an archived project, which says so [R105]', () => {
    visit({ project: { dateArchived: published } });
    expect(addButton().disabled).to.equal(true);
    const why = document.getElementById(addButton().getAttribute('aria-describedby') ?? '');
    expect(why?.textContent).to.equal('An archived project takes no new products.');
  });

  it('are only looked at by who does not answer for the project [R105]', () => {
    visit({ viewer: fellow, product: atRest });
    expect(card().queryByText('1.4')).not.to.equal(null);
    expect(openMenu()).to.deep.equal(['Details', 'Product files']);
    expect(screen.queryByRole('button', { name: 'Add products' })).to.equal(null);
    expect(card().getByRole('link', { name: ANDROID }).getAttribute('href')).to.equal(
      `/products/${harvestApp}/files`,
    );
  });

  it('keep a refused creation in the list, with the reason, and nothing to do with it', () => {
    const problem = { id: 'e1', status: '409', code: 'not-ready', title: 'Not ready' };
    const row = changeRow('c1', 'refused', {
      about: { type: 'product', id: harvestApp },
      problem,
    });
    visit({ product: { version: 0 }, changes: { rows: [row], attention: 1 } });
    expect(card().queryByText('The project is still being set up')).not.to.equal(null);
    expect(card().queryByRole('button', { name: /^More/ })).to.equal(null);
  });
});

describe('[9.2] adding products', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  afterEach(cleanup);

  it('offers what the organization has switched on and the project lacks [R105]', () => {
    visit();
    press('Add products');
    const names = dialog('Add products')
      .getAllByRole('listitem')
      .map((item) => item.textContent);
    expect(names).to.deep.equal(['HTML Preview', 'PWA to Cloud']);
  });

  it('adds at once what goes to no store, and stays open [R110, R289]', async () => {
    const { deeds } = visit();
    press('Add products');
    fireEvent.click(dialog('Add products').getByRole('button', { name: 'HTML Preview' }));
    await screen.findByText('HTML Preview was added');
    const [deed] = deeds;
    expect(deed?.type).to.equal('product');
    expect(deed?.fields).to.deep.equal({
      project: harvest.id,
      productDefinition: 'html',
      store: null,
    });
    expect(screen.queryByRole('dialog', { name: 'Add products' })).not.to.equal(null);
  });

  it('asks for a store of the kind that is needed [R111, R289]', async () => {
    const { deeds } = visit();
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
    expect(deeds[0]?.fields).to.include({ productDefinition: 'pwa', store: 'web-store' });
  });

  it('says whom to ask when the organization has no such store [R114, R408]', () => {
    visit({ more: { organizationStore: [] } });
    press('Add products');
    fireEvent.click(dialog('Add products').getByRole('button', { name: 'PWA to Cloud' }));
    const stores = dialog(/^Select/);
    expect(stores.queryByText(/^Lakeside Press has no store/)).not.to.equal(null);
    fireEvent.click(stores.getByRole('button', { name: 'Cancel' }));
    expect(dialog('Add products').getAllByRole('listitem')).to.have.length(2);
  });

  it('is off when there is nothing more, and says so [R105, R408]', () => {
    visit({ more: { organizationProductDefinition: switchedOn.slice(0, 1) } });
    expect(addButton().disabled).to.equal(true);
    expect(screen.queryByText(/has every product/)).not.to.equal(null);
  });

  it('makes one product of a double click [R113, R289]', () => {
    const { deeds } = visit();
    press('Add products');
    const choice = dialog('Add products').getByRole('button', { name: 'HTML Preview' });
    fireEvent.click(choice);
    fireEvent.click(choice);
    expect(deeds).to.have.length(1);
  });

  it('keeps the dialog and says why when this device cannot keep it [R105]', async () => {
    const { failWith } = visit();
    failWith(new NotSavedError(new NotStoredError('full', null)));
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
  afterEach(cleanup);

  it('are those that can be taken in its state [R11, R247, R428]', () => {
    visit({ product: atRest });
    expect(openMenu()).to.deep.equal(['Rebuild', 'Details', 'Product files', 'Remove']);
  });

  it('leave a startup alone [R11]', () => {
    visit();
    expect(openMenu()).to.deep.equal(['Details', 'Product files', 'Remove']);
  });

  it('carry the state that they were asked for in', async () => {
    const { deeds } = visit({ product: { ...atRest, workflowState: 'Published' } });
    openMenu();
    pick('Rebuild');
    await waitFor(() => {
      expect(deeds).to.have.length(1);
    });
    expect(deeds[0]?.type).to.equal('productActionRun');
    expect(deeds[0]?.fields).to.deep.equal({
      action: 'rebuild',
      state: 'Published',
      product: harvestApp,
    });
  });

  it('ask before a running workflow is cancelled [R247]', async () => {
    const { deeds } = visit({ product: { ...atRest, productWorkflow: rebuild.id } });
    openMenu();
    pick('Cancel');
    const question = dialog(`Cancel the work on ${ANDROID}?`);
    expect(deeds).to.have.length(0);
    fireEvent.click(question.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => {
      expect(deeds[0]?.fields).to.include({ action: 'cancel' });
    });
  });

  it('say what will be sent, once, and give it back while it is unsent [R247]', () => {
    const row = changeRow('run', 'waiting', {
      about: { type: 'product', id: harvestApp },
      typed: { action: 'rebuild', state: null, product: harvestApp },
      isRequest: true,
      canUndo: true,
    });
    const { asked } = visit({
      product: atRest,
      changes: { rows: [row], waiting: 1, status: 'offline' },
    });
    expect(card().queryByText(/^Will be sent: Rebuild/)).not.to.equal(null);
    expect(openMenu()).to.deep.equal(['Details', 'Product files', 'Remove']);
    fireEvent.click(card().getByRole('button', { name: 'Undo' }));
    expect(asked).to.deep.equal(['undo run']);
  });

  it('are told once the server has agreed [R247, R403]', async () => {
    const { deeds, setChanges } = visit({ product: atRest });
    openMenu();
    pick('Rebuild');
    await waitFor(() => {
      expect(deeds).to.have.length(1);
    });
    expect(screen.queryByText('Rebuild started')).to.equal(null);
    const row = changeRow('run', 'done', {
      about: { type: 'product', id: harvestApp },
      typed: { action: 'rebuild' },
    });
    act(() => {
      // The verdict may be here before the page knows that it is online again.
      setChanges({ rows: [row], status: 'offline' });
    });
    await screen.findByText('Rebuild started');
  });
});

describe('[9.3] removing a product', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  afterEach(cleanup);

  it('takes one click where nothing was published and nothing runs [R112]', async () => {
    const { deeds } = visit({ product: { productWorkflow: null, workflowState: null } });
    openMenu();
    pick('Remove');
    await screen.findByText(`${ANDROID} was removed`);
    expect(deeds).to.deep.equal([{ did: 'remove', type: 'product', id: harvestApp, fields: {} }]);
  });

  it('asks where something is out or runs, and says what goes and what stays [R112]', async () => {
    const { deeds } = visit({ product: { datePublished: published } });
    openMenu();
    pick('Remove');
    const question = dialog(`Remove ${ANDROID}?`);
    expect(question.queryByText(/so does the step that is running/)).not.to.equal(null);
    expect(question.queryByText(/published outside stays/)).not.to.equal(null);
    expect(document.activeElement?.textContent).to.equal('Cancel');
    expect(deeds).to.have.length(0);
    fireEvent.click(question.getByRole('button', { name: 'Remove' }));
    await screen.findByText(`${ANDROID} was removed`);
    expect(deeds).to.have.length(1);
  });

  it('brings the card back with the reason when it was refused [R112]', () => {
    const problem = { id: 'e1', status: '403', code: 'forbidden', title: 'No' };
    const row = changeRow('c1', 'refused', {
      about: { type: 'product', id: harvestApp },
      says: ['changes.product.remove', { product: ANDROID, project: 'Harvest' }],
      problem,
    });
    visit({ changes: { rows: [row], attention: 1 } });
    expect(card().getByRole('heading', { name: ANDROID })).not.to.equal(null);
    expect(card().queryByText(/^You are not allowed to do that/)).not.to.equal(null);
    expect(card().queryByRole('button', { name: `More for ${ANDROID}` })).not.to.equal(null);
  });

  it('can be undone [R112]', async () => {
    const { deeds } = visit({ product: { productWorkflow: null, workflowState: null } });
    openMenu();
    pick('Remove');
    fireEvent.click(await screen.findByRole('button', { name: 'Undo' }));
    await waitFor(() => {
      expect(deeds.map(({ did }) => did)).to.deep.equal(['remove', 'add']);
    });
    expect(deeds[1]?.fields).to.include({ project: harvest.id, productDefinition: android.id });
  });
});
