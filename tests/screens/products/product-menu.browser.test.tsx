import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect } from 'chai';
import { qrCodeOf } from '#base/qr-code.ts';
import type { Of } from '#schema/index.ts';
import { speakLate } from '#ui/text/late-texts.ts';
import { speak } from '#ui/text/text.ts';
import { closeStores } from '../../support/app-over-store.ts';
import {
  ANDROID,
  android,
  atRest,
  card,
  dialog,
  fill,
  html,
  offline,
  openMenu,
  pick,
  playStore,
  press,
  pwa,
  visitProducts,
} from '../../support/harvest-products.tsx';
import {
  builder,
  fellow,
  harbor,
  harvestApp,
  idOf,
  lakeside,
  record,
  shelf,
} from '../../support/shelf.ts';

type Given = NonNullable<Parameters<typeof visitProducts>[0]>;

const asAdmin = {
  userRole: [
    record('userRole', {
      id: idOf(1000),
      user: builder,
      organization: lakeside,
      roleName: 'OrganizationAdmin',
      role: idOf(1001),
    }),
  ],
};
const out = {
  productPublication: [
    record('productPublication', { id: idOf(1002), product: harvestApp, success: true }),
  ],
};
const step = (number: number, fields: Partial<Of<'productTransition'>>) =>
  record('productTransition', {
    id: idOf(1100 + number),
    product: harvestApp,
    transitionType: 1,
    ...fields,
  });
const history = {
  productTransition: [
    step(0, {
      initialState: 'Approval',
      destinationState: 'Product Build',
      allowedUserNames: 'Ada Admin, Berta Builder',
    }),
    step(1, {
      initialState: 'Readiness Check',
      destinationState: 'Approval',
      command: 'Continue',
      comment: 'Looks good',
      workflowUserId: fellow,
      dateTransition: '2026-03-01T10:00:00.000Z',
    }),
    step(2, {
      transitionType: 2,
      workflowType: 1,
      dateTransition: '2026-03-01T09:00:00.000Z',
    }),
  ],
};

async function open(entry: string, given: Given = {}) {
  const visited = await visitProducts(given);
  openMenu();
  pick(entry);
  await screen.findByRole('dialog');
  return visited;
}

describe('[9.4] the details of a product [R103]', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  afterEach(async () => {
    cleanup();
    await closeStores();
  });

  it('name store, definition, state, and who has to do something [R57]', async () => {
    await open('Details', { product: { store: playStore }, more: history });
    const facts = dialog('Product details')
      .getAllByRole('definition')
      .map(({ textContent }) => textContent);
    expect(facts).to.deep.equal(['slipway_play', ANDROID, 'Approval', 'Ada Admin, Berta Builder']);
  });

  it('tell what happened, the newest first, and below a line of its own what is to come', async () => {
    await open('Details', { more: history });
    const rows = dialog('Product details')
      .getAllByRole('row')
      .map(({ textContent }) => textContent);
    expect(rows[1]).to.match(/Readiness check.*Felix Fellow.*Continue.*Looks good/);
    expect(rows[2]).to.match(/Startup workflow started/);
    expect(rows[3]).to.equal('Next steps');
    expect(rows[4]).to.match(/Approval.*Ada Admin, Berta Builder/);
    const [, , , , next] = dialog('Product details').getAllByRole('row');
    expect(next?.className).to.match(/is-ahead/);
  });

  it('say that nothing has happened yet', async () => {
    await open('Details');
    expect(dialog('Product details').queryByText('Nothing has happened yet')).not.to.equal(null);
  });

  it('follow what others do', async () => {
    const { setRecord } = await open('Details', { more: history });
    await setRecord('product', harvestApp, { workflowState: 'Product Build' });
    const [, , state] = dialog('Product details').getAllByRole('definition');
    expect(state?.textContent).to.equal('Product build');
  });

  it('are those of the last copy without a connection, with its time', async () => {
    const { goOffline } = await open('Details', { more: history });
    await goOffline();
    expect(dialog('Product details').queryByText(/^From this device, as of/)).not.to.equal(null);
  });

  it('give the focus back to the menu that they were opened from', async () => {
    await open('Details');
    const [, close] = dialog('Product details').getAllByRole('button', { name: 'Close' });
    if (close === undefined) throw new Error('There is no Close');
    fireEvent.click(close);
    expect(document.activeElement?.getAttribute('aria-label')).to.equal(`More for ${ANDROID}`);
  });
});

describe('[9.5] the publishing properties of a product', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  afterEach(async () => {
    cleanup();
    await closeStores();
  });

  const visit = (properties: string | null = null, more: Given = {}) =>
    open('Publishing properties', { product: { properties }, more: asAdmin, ...more });
  const compute = () => screen.getByLabelText<HTMLSelectElement>(/^Compute type/);
  const tag = () => screen.getByLabelText<HTMLInputElement>(/^Image tag/);
  const text = () => screen.getByLabelText<HTMLTextAreaElement>('All properties, as JSON');
  const save = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Save' });
  const type = (field: HTMLElement, value: string) => {
    fireEvent.change(field, { target: { value } });
  };
  const submit = async () => {
    await act(async () => {
      fireEvent.click(save());
      await Promise.resolve();
    });
  };

  it('are for admins of the organization alone [R288]', async () => {
    await visitProducts();
    expect(openMenu()).not.to.include('Publishing properties');
    cleanup();
    const elsewhere = asAdmin.userRole.map((role) => ({ ...role, organization: harbor }));
    await visitProducts({ more: { userRole: elsewhere } });
    expect(openMenu(), 'of another one').not.to.include('Publishing properties');
    cleanup();
    await visitProducts({ more: asAdmin });
    expect(openMenu()).to.include('Publishing properties');
  });

  it('are small and latest where nothing else is said [R287, R415]', async () => {
    await visit();
    expect(compute().value).to.equal('small');
    expect(tag().value).to.equal('latest');
    expect([...compute().options].map(({ label }) => label)).to.deep.equal(['Small', 'Medium']);
  });

  it('have three fields that stay in step, and keep what else there is [R286, R287]', async () => {
    await visit(
      '{"environment":{"BUILD_COMPUTE_TYPE":"medium","BUILD_IMAGE_TAG":"1.2","MORE":"x"},"channel":"beta"}',
    );
    expect(compute().value).to.equal('medium');
    type(tag(), '1.3');
    type(compute(), 'small');
    expect(JSON.parse(text().value)).to.deep.equal({
      environment: { BUILD_COMPUTE_TYPE: 'small', BUILD_IMAGE_TAG: '1.3', MORE: 'x' },
      channel: 'beta',
    });
    type(text(), '{"environment":{"BUILD_COMPUTE_TYPE":"medium","BUILD_IMAGE_TAG":"2"}}');
    expect(compute().value).to.equal('medium');
    expect(tag().value).to.equal('2');
  });

  it('stay as they were while their text is broken [R286]', async () => {
    await visit();
    type(text(), '{"environment":');
    expect(compute().value).to.equal('small');
    type(tag(), 'nightly');
    expect(JSON.parse(text().value)).to.deep.equal({
      environment: { BUILD_COMPUTE_TYPE: 'small', BUILD_IMAGE_TAG: 'nightly' },
    });
  });

  it('are saved as they were typed [R286]', async () => {
    const { recordedActions } = await visit();
    type(tag(), '3');
    await submit();
    expect(recordedActions[0]?.fields.properties).to.match(/"BUILD_IMAGE_TAG": "3"/);
    await screen.findByText('The publishing properties were saved');
    expect(screen.queryByRole('dialog')).to.equal(null);
  });

  it('are checked once someone saves, and from then on while typing, by line and column [R286]', async () => {
    const { recordedActions } = await visit();
    const said = () =>
      screen.getByRole('dialog').querySelector('.field-error')?.textContent ?? null;
    type(text(), '{\n  "environment": {,\n}');
    expect(said()).to.equal(null);
    expect(save().disabled).to.equal(false);
    await submit();
    expect(said()).to.equal('This is not JSON (line 2, column 19).');
    expect(document.activeElement).to.equal(text());
    expect(save().disabled).to.equal(true);
    const faults: readonly [text: string, fault: RegExp][] = [
      ['[]', /must be an object, in \{ \} \(line 1, column 1\)/],
      ['{"a": 1}', /“environment” must be there/],
      ['{"environment": {"BUILD_IMAGE_TAG": "1"}}', /BUILD_COMPUTE_TYPE must be small or medium/],
      [
        '{"environment": {\n"BUILD_COMPUTE_TYPE": "small",\n"BUILD_IMAGE_TAG": " "}}',
        /BUILD_IMAGE_TAG .* not blank \(line 3, column 1\)/,
      ],
    ];
    for (const [typed, fault] of faults) {
      type(text(), typed);
      expect(said()).to.match(fault);
    }
    expect(recordedActions).to.have.length(0);
    fireEvent.click(screen.getByRole('button', { name: 'Default' }));
    expect(said()).to.equal(null);
    expect(save().disabled).to.equal(false);
  });

  it('open with text that is broken, as it is [R286]', async () => {
    await visit('{"environment": oh');
    expect(text().value).to.equal('{"environment": oh');
    expect(compute().value).to.equal('');
    expect(tag().value).to.equal('');
  });

  it('are put back to the default by a button [R286, R415]', async () => {
    await visit('{"environment":{"BUILD_COMPUTE_TYPE":"medium","BUILD_IMAGE_TAG":"1.2"}}');
    fireEvent.click(screen.getByRole('button', { name: 'Default' }));
    expect(compute().value).to.equal('small');
    expect(tag().value).to.equal('latest');
    expect(JSON.parse(text().value)).to.deep.equal({
      environment: { BUILD_COMPUTE_TYPE: 'small', BUILD_IMAGE_TAG: 'latest' },
    });
  });

  it('follow what others save, until something is typed', async () => {
    const { setRecord } = await visit();
    const others = '{"environment":{"BUILD_COMPUTE_TYPE":"medium","BUILD_IMAGE_TAG":"4"}}';
    await setRecord('product', harvestApp, { properties: others });
    expect(compute().value).to.equal('medium');
    expect(tag().value).to.equal('4');
    type(tag(), '5');
    await setRecord('product', harvestApp, { properties: null });
    expect(tag().value).to.equal('5');
  });

  it('keep the dialog and say why when this device cannot keep them', async () => {
    fill(await visit());
    type(tag(), '3');
    await submit();
    await screen.findByText(/no space left on this device/);
    expect(tag().value).to.equal('3');
  });
});

describe('[9.1] what was published of a product', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  afterEach(async () => {
    cleanup();
    await closeStores();
  });

  const open = { isPublic: true, allowDownloads: true };
  const called = (name: string) => ({
    productDefinition: [{ ...android, name }],
    ...out,
  });
  const link = () => screen.queryByRole('link', { name: /^Download (?!page)/ });
  const pageLink = () => screen.queryByRole('link', { name: /^Download page of / });

  it('is a link to an app’s file where everyone may have it [R104]', async () => {
    await visitProducts({ project: open, more: out });
    expect(link()?.getAttribute('href')).to.equal(
      `/api/products/${harvestApp}/files/published/apk`,
    );
  });

  it('is a link to an asset package [R104]', async () => {
    await visitProducts({ project: open, more: called('Asset Package to Amazon S3 Bucket') });
    expect(link()?.getAttribute('href')).to.equal(
      `/api/products/${harvestApp}/files/published/asset-package`,
    );
  });

  it('is no file where it is a site, nor before it is published [R104]', async () => {
    await visitProducts({ project: open, more: called('HTML Site to Cloud Provider') });
    expect(link()).to.equal(null);
    expect(openMenu('HTML Site to Cloud Provider')).not.to.include('Copy download page address');
    cleanup();
    await visitProducts({ project: open });
    expect(link()).to.equal(null);
    expect(openMenu()).not.to.include('Copy download page address');
  });

  it('is fetched by a link of one’s own where only members may have it [R104]', async () => {
    const { opened, refuse } = await visitProducts({ project: { isPublic: false }, more: out });
    expect(link()).to.equal(null);
    press(`Download ${ANDROID}`);
    await waitFor(() => {
      expect(opened).to.deep.equal([`save /api/products/${harvestApp}/files/published/apk/link`]);
    });
    refuse();
    press(`Download ${ANDROID}`);
    await screen.findByText('The file was not downloaded');
  });

  it('needs a connection, which is said beside it [R104]', async () => {
    await visitProducts({ project: open, more: out, prepare: offline });
    const file = card().getByRole<HTMLButtonElement>('button', { name: `Download ${ANDROID}` });
    expect(file.disabled).to.equal(true);
    const tied = document.getElementById(file.getAttribute('aria-describedby') ?? '');
    expect(tied?.textContent).to.equal('Needs a connection');
  });

  it('has a page that the card leads to, of an app and of a package [R104]', async () => {
    await visitProducts({ project: open, more: out });
    expect(pageLink()?.getAttribute('href')).to.equal(`/downloads/apk/${harvestApp}/published`);
    cleanup();
    await visitProducts({ project: open, more: called('Asset Package') });
    expect(pageLink()?.getAttribute('href')).to.equal(
      `/downloads/products/${harvestApp}/files/published/asset-package`,
    );
    cleanup();
    await visitProducts({ project: open });
    expect(pageLink()).to.equal(null);
  });

  it('shows the code of that page among its details, without a connection too', async () => {
    await visitProducts({ project: open, more: out, prepare: offline });
    openMenu();
    pick('Details');
    const address = `${location.origin}/downloads/apk/${harvestApp}/published`;
    const code = await screen.findByRole('img', { name: `QR code of ${address}` });
    expect(code.querySelector('path')?.getAttribute('d')).to.equal(qrCodeOf(address).path);
  });

  describe('has a page whose address can be copied', () => {
    const { clipboard } = navigator;
    const copied: string[] = [];
    const clipboardThat = (writeText: (text: string) => Promise<void>) => {
      Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText } });
    };
    beforeEach(() => {
      copied.length = 0;
      clipboardThat((text) => {
        copied.push(text);
        return Promise.resolve();
      });
    });
    after(() => {
      Object.defineProperty(navigator, 'clipboard', { configurable: true, value: clipboard });
    });

    it('for an app and for a package [R104]', async () => {
      await visitProducts({ project: open, more: out });
      openMenu();
      pick('Copy download page address');
      await screen.findByText('The address was copied');
      cleanup();
      await visitProducts({ project: open, more: called('Asset Package') });
      openMenu('Asset Package');
      pick('Copy download page address');
      await screen.findByText('The address was copied');
      expect(copied).to.deep.equal([
        `${location.origin}/downloads/apk/${harvestApp}/published`,
        `${location.origin}/downloads/products/${harvestApp}/files/published/asset-package`,
      ]);
    });

    it('as is the link to the product’s own page', async () => {
      await visitProducts();
      openMenu();
      pick('Copy link');
      await screen.findByText('The address was copied');
      expect(copied).to.deep.equal([`${location.origin}/products/${harvestApp}/files`]);
    });

    it('for a site that of the site itself', async () => {
      const publishLink = 'https://lakeside.test/harvest/';
      const site = 'HTML Site to Cloud Provider';
      await visitProducts({ project: open, product: { publishLink }, more: called(site) });
      openMenu(site);
      pick('Copy site address');
      await screen.findByText('The address was copied');
      expect(copied).to.deep.equal([publishLink]);
    });

    it('by hand, where the browser does not let us [R104]', async () => {
      clipboardThat(() => Promise.reject(new DOMException('', 'NotAllowedError')));
      await visitProducts({ project: open, more: out });
      openMenu();
      pick('Copy download page address');
      await screen.findByText('The address was not copied');
      expect(screen.queryByText(new RegExp(`/downloads/apk/${harvestApp}`))).not.to.equal(null);
    });
  });
});

describe('[9.3] removing products', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  afterEach(async () => {
    cleanup();
    await closeStores();
  });

  const button = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Remove products' });
  const [first] = shelf.product ?? [];
  const product = [
    { ...first, id: idOf(1003), productDefinition: android.id },
    { ...first, ...atRest, id: idOf(1004), productDefinition: pwa },
    { ...first, ...atRest, id: idOf(1005), productDefinition: html, datePublished: null },
  ] as Of<'product'>[];
  const choose = (name: string) => {
    fireEvent.click(dialog('Remove products').getByRole('button', { name }));
  };

  it('offers each that is there, and takes away by one click what was never out [R112]', async () => {
    const { recordedActions } = await visitProducts({ more: { product } });
    press('Remove products');
    const names = dialog('Remove products')
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent);
    expect(names).to.deep.equal([ANDROID, 'PWA to Cloud', 'HTML Preview']);
    choose('HTML Preview');
    await screen.findByText('HTML Preview was removed');
    expect(recordedActions).to.deep.equal([
      { did: 'remove', type: 'product', id: idOf(1005), fields: {} },
    ]);
    expect(screen.queryByRole('button', { name: 'Undo' })).not.to.equal(null);
  });

  it('asks about what runs or is out [R112]', async () => {
    const { recordedActions } = await visitProducts({ more: { product } });
    press('Remove products');
    choose(ANDROID);
    expect(dialog(`Remove ${ANDROID}?`).queryByText(/step that is running/)).not.to.equal(null);
    fireEvent.click(dialog(`Remove ${ANDROID}?`).getByRole('button', { name: 'Cancel' }));
    choose('PWA to Cloud');
    const question = dialog('Remove PWA to Cloud?');
    expect(question.queryByText(/published outside stays/)).not.to.equal(null);
    expect(recordedActions).to.have.length(0);
    fireEvent.click(question.getByRole('button', { name: 'Remove' }));
    await screen.findByText('PWA to Cloud was removed');
    expect(recordedActions.map(({ id }) => id)).to.deep.equal([idOf(1004)]);
  });

  it('removes once by a double click [R113]', async () => {
    const { recordedActions } = await visitProducts({ more: { product } });
    press('Remove products');
    choose('HTML Preview');
    choose('HTML Preview');
    await screen.findByText('HTML Preview was removed');
    expect(recordedActions).to.have.length(1);
  });

  it('is not there where there is nothing to remove [R105]', async () => {
    await visitProducts({ product: null });
    await screen.findByRole('button', { name: 'Add products' });
    expect(screen.queryByRole('button', { name: 'Remove products' })).to.equal(null);
  });

  it('waits for the repository of a project that is being set up [R115, R238, R290]', async () => {
    await visitProducts({ project: { workflowProjectUrl: null } });
    expect(button().disabled).to.equal(true);
    fireEvent.click(button());
    expect(screen.queryByRole('dialog')).to.equal(null);
  });

  it('is not for who does not answer for the project [R105]', async () => {
    await visitProducts({ viewer: fellow });
    expect(screen.queryByRole('button', { name: 'Remove products' })).to.equal(null);
  });
});
