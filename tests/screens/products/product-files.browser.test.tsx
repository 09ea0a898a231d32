import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { expect } from 'chai';
import { useSearchParams } from 'react-router-dom';
import { qrCodeOf } from '#base/qr-code.ts';
import { JSON_API } from '#protocol/document.ts';
import { FilesContext } from '#files/files.ts';
import type { Of } from '#schema/index.ts';
import { pressLetter } from '#screens/app/page/late/letters.ts';
import { ProductFilesPage } from '#screens/products/files/product-files-page.tsx';
import { Icon } from '#ui/picture/icon.tsx';
import { speakLate } from '#ui/text/late-texts.ts';
import { speak } from '#ui/text/text.ts';
import { asResource, closeStores, openStore } from '../../support/app-over-store.ts';
import { builder, fellow, harvest, harvestApp, idOf, record, shelf } from '../../support/shelf.ts';
import { Around, testSurroundings } from '../../support/around.tsx';
import type { Shelf } from '../../support/shelf.ts';
import { stillFiles } from '../../support/still-files.ts';
import { listed } from './listed-builds.ts';

const PAGE = `/products/${harvestApp}/files`;
/** Ids of builds, files and publications, and of steps. */
const [first, second, broken, pending] = [idOf(1000), idOf(1001), idOf(1002), idOf(1003)] as const;
const [oldFile, newFile, out, going] = [idOf(1010), idOf(1011), idOf(1012), idOf(1013)] as const;
const build = (id: string, buildId: number | null, fields: Partial<Of<'productBuild'>> = {}) =>
  record('productBuild', { id, buildId, product: harvestApp, success: true, ...fields });
const artifact = (
  id: string,
  filename: string,
  productBuild: string,
  fields: Partial<Of<'productArtifact'>> = {},
) =>
  record('productArtifact', {
    id,
    productBuild,
    product: harvestApp,
    artifactType: 'apk',
    filename,
    fileSize: 4_200_000,
    updated: '2026-03-01T12:00:00.000Z',
    ...fields,
  });
const publication = (id: string, productBuild: string, success: boolean | null) =>
  record('productPublication', {
    id,
    productBuild,
    product: harvestApp,
    success,
    channel: 'production',
    logUrl: success === null ? null : `/api/product-publications/${id}/console`,
  });
const step = (number: number, fields: Partial<Of<'productTransition'>>) =>
  record('productTransition', {
    id: idOf(1100 + number),
    product: harvestApp,
    transitionType: 1,
    ...fields,
  });

const BUILDS: Shelf = {
  productBuild: [
    build(first, 11, { buildVersion: '1.3' }),
    build(second, 12, { buildVersion: '1.4', logUrl: `/api/product-builds/${second}/console` }),
    build(broken, 13, {
      success: false,
      error: 'No signing key',
      logUrl: `/api/product-builds/${broken}/console`,
    }),
    build(pending, null, {
      success: null,
      phase: 'active',
      queuePosition: 2,
      logTail: 'Packing pages',
    }),
  ],
  productArtifact: [artifact(oldFile, 'old.apk', first), artifact(newFile, 'new.apk', second)],
  productPublication: [publication(out, second, true), publication(going, second, null)],
};

interface Given {
  readonly viewer?: string;
  readonly more?: Shelf;
  readonly at?: string;
  /** All builds that the server has, newest first; left out: those of `more`. */
  readonly served?: readonly Of<'productBuild'>[];
  /** The device has no connection, since before the page opens. */
  readonly isOffline?: boolean;
}

async function visit({
  viewer = builder,
  more = BUILDS,
  at = PAGE,
  served,
  isOffline = false,
}: Given = {}) {
  const { files, opened, refuse } = stillFiles();
  const product = (shelf.product ?? []).map((one) => ({
    ...one,
    publishLink: 'https://store.test/harvest',
  }));
  const app = await openStore(viewer, { ...shelf, product, ...more });
  app.server.answer = (path) => (served === undefined ? null : answerOf(served, path));
  if (isOffline) await app.goOffline();
  const { surroundings } = testSurroundings();
  const routes = [
    {
      path: '/products/:productId/files',
      element: (
        <>
          <ProductFilesPage />
          <Address />
        </>
      ),
    },
    { path: '/', element: <p>The start</p> },
    { path: '/projects/:projectId', element: <p>The project</p> },
  ];
  render(
    <FilesContext.Provider value={files}>
      <Around store={app} surroundings={surroundings} routes={routes} at={at} />
    </FilesContext.Provider>,
  );
  // What the page asks the server for arrives.
  await app.settle();
  return { ...app, opened, refuse };
}

/** What the server says of builds; null: it is asked for something else. */
function answerOf(served: readonly Of<'productBuild'>[], path: string): Promise<Response> | null {
  const { pathname, searchParams } = new URL(path, 'http://localhost');
  if (pathname === '/api/product-builds') return Promise.resolve(listed(served, searchParams));
  const one = served.find(({ id }) => pathname === `/api/product-builds/${id}`);
  if (one === undefined) return null;
  const content = { jsonapi: { version: '1.1' }, data: asResource('productBuild', one) };
  const headers = { 'Content-Type': JSON_API };
  return Promise.resolve(new Response(JSON.stringify(content), { headers }));
}

/** Shows the part of the address after the path. */
function Address() {
  const [search] = useSearchParams();
  return <p>{search.toString()}</p>;
}

const picker = () => screen.getByRole<HTMLSelectElement>('combobox', { name: 'Build' });
const choose = (id: string) => {
  fireEvent.change(picker(), { target: { value: id } });
};
const rows = () =>
  screen
    .queryAllByRole('row')
    .map((row) => row.textContent)
    .filter((text) => text !== '');
const openHistory = () => {
  fireEvent.click(screen.getByRole('heading', { name: 'History' }));
};

describe('[10] the files of a product', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  afterEach(async () => {
    cleanup();
    await closeStores();
  });

  it('lead back to the project [R122]', async () => {
    await visit();
    const here = within(screen.getByRole('navigation', { name: 'You are here' }));
    expect(here.getByRole('link', { name: 'Harvest' }).getAttribute('href')).to.equal(
      `/projects/${harvest.id}`,
    );
  });

  it('lead to those of another product of the project, by a menu in the trail [screens 10]', async () => {
    const [one] = shelf.product ?? [];
    const [definition] = shelf.productDefinition ?? [];
    if (one === undefined || definition === undefined) throw new Error('The shelf lacks them');
    await visit();
    const trail = () => within(screen.getByRole('navigation', { name: 'You are here' }));
    expect(trail().queryByRole('button')).to.equal(null);
    cleanup();
    const site = { ...definition, id: idOf(1700), name: 'HTML Site' };
    const other = { ...one, id: idOf(1701), productDefinition: site.id };
    await visit({
      more: { ...BUILDS, product: [one, other], productDefinition: [definition, site] },
    });
    const opener = trail().getByRole('button', {
      name: `${definition.name}: switch product`,
    });
    fireEvent.keyDown(opener, { key: 'ArrowDown' });
    const entries = screen.getAllByRole('menuitemradio');
    expect(entries.map((entry) => entry.getAttribute('aria-checked'))).to.deep.equal([
      'true',
      'false',
    ]);
    fireEvent.click(screen.getByRole('menuitemradio', { name: 'HTML Site' }));
    expect((await screen.findByRole('heading', { level: 1 })).textContent).to.include('HTML Site');
  });

  it('lead to all builds of the product [screens 10.1]', async () => {
    await visit();
    const link = screen.getByRole('link', { name: 'All builds' });
    expect(link.getAttribute('href')).to.equal(`/products/${harvestApp}/builds`);
  });

  it('are headed by the product with its status, and what it is in the words of its definition [R123]', async () => {
    const [definition] = shelf.productDefinition ?? [];
    if (definition === undefined) throw new Error('The shelf lacks a definition');
    const description = 'For phones and tablets';
    await visit({ more: { ...BUILDS, productDefinition: [{ ...definition, description }] } });
    expect(screen.getByRole('heading', { level: 1 }).textContent).to.include(definition.name);
    const head = document.querySelector('.page-context')?.textContent;
    expect(head).to.match(/Not started.*For phones and tablets/);
    expect(document.title).to.include(`${definition.name} · ${harvest.name}`);
  });

  it('are those of one build, the newest at first [R123, R246]', async () => {
    await visit();
    const names = [...picker().options].map(({ textContent }) => textContent);
    expect(names[0]).to.match(/^Build pending · /);
    expect(names[1]).to.match(/^Build failed · /);
    expect(names[2]).to.match(/^Latest build \(1\.4\) · Built · .*2026/);
    expect(names[3]).to.match(/^Build 1\.3 · Built · .*2026/);
    expect(picker().value).to.equal(pending);
  });

  it('of a build under way are awaited with what the engine says [R123, R246]', async () => {
    await visit();
    expect(screen.getByText(/in progress/).textContent).to.match(/2 ahead in the queue/);
    expect(screen.queryByText('Packing pages')).not.to.equal(null);
  });

  it('of a failed build are why it failed, and what the engine said [R123, R246, R408]', async () => {
    await visit();
    choose(broken);
    expect(screen.queryByText('No signing key')).not.to.equal(null);
    expect(screen.queryByRole('button', { name: 'Copy: Why it failed' })).not.to.equal(null);
    await screen.findByRole('heading', { name: 'No product files' });
    expect(screen.getByRole('link', { name: 'Build log' }).getAttribute('href')).to.equal(
      `/products/${harvestApp}/builds/${broken}/log`,
    );
  });

  it('have name, type, size, time, and whether they are published [R124]', async () => {
    await visit();
    choose(second);
    expect(screen.queryByRole('heading', { name: '1 product file' })).not.to.equal(null);
    const file = rows().find((text) => text.includes('new.apk'));
    expect(file).to.match(/new\.apk.*apk.*4\.2 MB.*Published.*1 day/);
    choose(first);
    expect(rows().find((text) => text.includes('old.apk'))).to.match(/Unpublished/);
  });

  it('are downloaded by a click on their row [R124]', async () => {
    const { opened, refuse } = await visit({ at: `${PAGE}?build=${second}` });
    fireEvent.click(screen.getByText('4.2 MB'));
    await waitFor(() => {
      expect(opened).to.deep.equal([`save /api/product-artifacts/${newFile}/content/link`]);
    });
    refuse();
    fireEvent.click(screen.getByRole('button', { name: 'Download new.apk' }));
    await screen.findByText('It is not there, or you may not see it');
    expect(opened).to.have.length(1);
  });

  it('show where the build was published, and how that stands [R125]', async () => {
    await visit({ at: `${PAGE}?build=${second}` });
    const lines = rows().filter((text) => text.includes('production'));
    expect(lines).to.have.length(2);
    expect(lines.some((text) => text.includes('Publishing'))).to.equal(true);
    expect(screen.getByRole('link', { name: 'Open' }).getAttribute('href')).to.equal(
      'https://store.test/harvest',
    );
    const logs = screen
      .getAllByRole('link', { name: 'Log' })
      .map((log) => log.getAttribute('href'));
    expect(logs).to.include(`/products/${harvestApp}/builds/${second}/log?publication=${out}`);
    choose(first);
    expect(screen.queryByRole('heading', { name: 'Publications' })).to.equal(null);
  });

  it('say when and why a publication came to nothing [R125]', async () => {
    const failed = {
      ...publication(idOf(1014), second, false),
      error: 'The store said no',
      dateUpdated: '2026-03-01T12:00:00.000Z',
    };
    await visit({
      at: `${PAGE}?build=${second}`,
      more: { ...BUILDS, productPublication: [failed] },
    });
    const [row] = rows().filter((text) => text.includes('production'));
    expect(row).to.match(/Failure.*The store said no.*1 day/);
  });

  it('show the version and what was new in each publication', async () => {
    const said = {
      ...publication(out, second, true),
      ...{ releaseVersion: '2.0', releaseNotes: 'Songs\n<b>Search</b>' },
    };
    await visit({
      at: `${PAGE}?build=${second}`,
      more: { ...BUILDS, productPublication: [said, publication(going, second, null)] },
    });
    const lines = rows();
    expect(lines.some((text) => /2\.0.*production/s.test(text))).to.equal(true);
    expect(lines.some((text) => /1\.4.*production/s.test(text))).to.equal(true);
    expect(screen.getByText(/<b>Search<\/b>/).textContent).to.equal('Songs\n<b>Search</b>');
  });

  describe('can be rolled back to an earlier version', () => {
    const rebuild = record('workflowDefinition', {
      ...{ id: idOf(1600), name: 'again', type: 2, enabled: true },
    });
    const out1 = { ...publication(idOf(1601), first, true), releaseVersion: '1.3 gold' };
    const out2 = publication(out, second, true);
    const released: Shelf = {
      ...BUILDS,
      productPublication: [
        { ...out1, dateCreated: '2026-01-01T12:00:00.000Z' },
        { ...out2, dateCreated: '2026-02-01T12:00:00.000Z', releaseVersion: '2.0' },
      ],
      workflowDefinition: [...(shelf.workflowDefinition ?? []), rebuild],
      productDefinition: (shelf.productDefinition ?? []).map((one) => ({
        ...one,
        rebuildWorkflow: rebuild.id,
      })),
    };
    const atRest = (fields: Partial<Of<'product'>> = {}): Shelf => ({
      ...released,
      product: (shelf.product ?? []).map((one) => ({
        ...one,
        ...{ datePublished: '2026-02-01T12:00:00.000Z', productWorkflow: null },
        ...{ workflowState: null, ...fields },
      })),
    });
    const button = () => screen.queryByRole<HTMLButtonElement>('button', { name: NAME });
    const NAME = 'Roll back to this version';

    it('after a question that names both, and what phones do', async () => {
      const { recordedActions, settle } = await visit({
        at: `${PAGE}?build=${first}`,
        more: atRest(),
      });
      const pressed = button();
      if (pressed === null) throw new Error('There is no button');
      fireEvent.click(pressed);
      const dialog = screen.getByRole('dialog', { name: 'Roll back to version 1.3 gold?' });
      expect(dialog.textContent).to.include('Version 2.0 is out now');
      expect(dialog.textContent).to.include('cannot install this one over it');
      expect(dialog.textContent).to.not.include('with its notes');
      expect(recordedActions).to.deep.equal([]);
      fireEvent.click(within(dialog).getByRole('button', { name: NAME }));
      await settle();
      expect(recordedActions[0]).to.deep.include({ did: 'add', type: 'productActionRun' });
      expect(recordedActions[0]?.fields).to.include({
        ...{ action: 'republish', build: first, insteadOf: out, product: harvestApp },
      });
      await screen.findByText('Roll back started');
    });

    it('and forward again, which phones take', async () => {
      const more = atRest();
      const productPublication = (more.productPublication ?? []).map((one) => ({
        ...one,
        ...(one.id === out ? { dateCreated: '2025-12-01T12:00:00.000Z' } : {}),
      }));
      await visit({ at: `${PAGE}?build=${second}`, more: { ...more, productPublication } });
      fireEvent.click(screen.getByRole('button', { name: NAME }));
      const dialog = screen.getByRole('dialog', { name: 'Roll back to version 2.0?' });
      expect(dialog.textContent).to.include('Version 1.3 gold is out now');
      expect(dialog.textContent).to.not.include('cannot install');
    });

    it('whatever was published of its listing since', async () => {
      const more = atRest();
      const listing = publication(idOf(1602), broken, true);
      const productPublication = [
        ...(more.productPublication ?? []),
        { ...listing, dateCreated: '2026-03-01T12:00:00.000Z' },
      ];
      const { recordedActions, settle } = await visit({
        ...{ at: `${PAGE}?build=${first}`, more: { ...more, productPublication } },
      });
      fireEvent.click(screen.getByRole('button', { name: NAME }));
      fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: NAME }));
      await settle();
      expect(recordedActions[0]?.fields).to.include({ build: first, insteadOf: out });
      choose(broken);
      expect(button()).to.equal(null);
    });

    it('and the letter b opens the menu at Rebuild, where it is offered [screens 1.9]', async () => {
      const press = () => {
        act(() => {
          pressLetter('b', { isPlace: false, isAdmin: false, go: () => undefined });
        });
      };
      await visit({ more: atRest({ productWorkflow: idOf(71) }) });
      press();
      expect(screen.queryByRole('menu')).to.equal(null);
      cleanup();
      await visit({ more: atRest() });
      press();
      expect(screen.getByRole('menuitem', { name: 'Rebuild' })).to.equal(document.activeElement);
    });

    it('but not to the one that is out, nor to what never was', async () => {
      await visit({ at: `${PAGE}?build=${second}`, more: atRest() });
      expect(button()).to.equal(null);
      choose(broken);
      expect(button()).to.equal(null);
      choose(first);
      expect(button()).to.not.equal(null);
    });

    it('not while a workflow runs, which the button says', async () => {
      const more = atRest({ productWorkflow: rebuild.id, workflowState: 'Product Rebuild' });
      await visit({ at: `${PAGE}?build=${first}`, more });
      expect(button()?.disabled).to.equal(true);
      screen.getByText('It is being worked on already');
    });

    it('and a release that the engine has is not called back by a cancel, which the question says', async () => {
      const more = atRest({ productWorkflow: rebuild.id, workflowState: 'Product Publish' });
      await visit({ more });
      fireEvent.click(screen.getByRole('button', { name: /^More for/ }));
      fireEvent.click(screen.getByRole('menuitem', { name: 'Cancel' }));
      expect(screen.getByRole('dialog').textContent).to.include('finishes a release');
    });
  });

  describe('come with the page on which people find what was published', () => {
    const address = `${location.origin}/downloads/apk/${harvestApp}/published`;
    const region = () => screen.queryByRole('region', { name: 'Download page' });
    const projectThat = (fields: Partial<Of<'project'>>): Shelf => ({
      ...BUILDS,
      project: [{ ...harvest, ...fields }],
    });

    it('as a code for phones, and as an address to copy', async () => {
      await visit({ more: projectThat({ isPublic: true, allowDownloads: true }) });
      const page = within(region() ?? document.body);
      const code = page.getByRole('img', { name: `QR code of ${address}` });
      expect(code.querySelector('path')?.getAttribute('d')).to.equal(qrCodeOf(address).path);
      expect(page.getByRole('link', { name: address }).getAttribute('href')).to.equal(address);
      expect(page.getByRole('button', { name: 'Copy: Download page' })).not.to.equal(null);
      expect(region()?.textContent).to.include('Scan this code with a phone');
    });

    it('without a connection too', async () => {
      await visit({ isOffline: true });
      expect(region()?.querySelector('svg path')).not.to.equal(null);
    });

    it('and with who can open it, where the project keeps its files to members', async () => {
      await visit({ more: projectThat({ isPublic: false }) });
      expect(region()?.textContent).to.include('Nobody can open this page while');
    });

    it('and with the site itself, of a site', async () => {
      const [definition] = shelf.productDefinition ?? [];
      if (definition === undefined) throw new Error('The shelf lacks a definition');
      const productDefinition = [{ ...definition, name: 'HTML Site to Cloud Provider' }];
      await visit({ more: { ...BUILDS, productDefinition } });
      const site = screen.getByRole('region', { name: 'Site' });
      expect(within(site).getByRole('link').getAttribute('href')).to.equal(
        'https://store.test/harvest',
      );
    });

    it('and without any before the first publication', async () => {
      await visit({ more: { ...BUILDS, productPublication: [publication(going, second, null)] } });
      expect(region()).to.equal(null);
    });
  });

  describe('come, before they are published, with a code for a phone', () => {
    const code = (build: string) =>
      screen.queryByRole('img', {
        name: `QR code of ${location.origin}/products/${harvestApp}/files?build=${build}`,
        hidden: true,
      });
    const unpublished = { ...BUILDS, productPublication: [publication(going, second, null)] };

    it('that leads to this page with that build', async () => {
      await visit({ at: `${PAGE}?build=${second}`, more: unpublished });
      expect(code(second)?.closest('details')?.open).to.equal(true);
    });

    it('which is folded beside that of what is out', async () => {
      await visit({ at: `${PAGE}?build=${first}` });
      expect(code(first)?.closest('details')?.open).to.equal(false);
    });

    it('but not once that build is published, nor where it has no files', async () => {
      await visit({ at: `${PAGE}?build=${second}` });
      expect(code(second)).to.equal(null);
      cleanup();
      await visit({ at: `${PAGE}?build=${broken}` });
      expect(code(broken)).to.equal(null);
    });
  });

  it('are not here without a connection when they are of an older build [R123]', async () => {
    const at = `${PAGE}?build=${first}`;
    await visit({ at, isOffline: true, more: { ...BUILDS, productArtifact: [] } });
    expect(screen.queryByRole('heading', { name: 'This is not on this device yet' })).not.to.equal(
      null,
    );
  });

  it('are not said to be none while the builds are not here', async () => {
    await visit({ isOffline: true, more: {} });
    const inPlaceOfBuilds = { selector: '.product-files > .empty-box > h2' };
    expect(screen.queryByText('This is not on this device yet', inPlaceOfBuilds)).not.to.equal(
      null,
    );
    expect(screen.queryByText(/^Files appear here/)).to.equal(null);
  });

  it('keep the chosen build in the address [R122]', async () => {
    await visit();
    choose(first);
    expect(rows().some((text) => text.includes('old.apk'))).to.equal(true);
    await waitFor(() => {
      expect(screen.getByText(`build=${first}`)).not.to.equal(null);
    });
  });

  describe('of many builds', () => {
    /** Forty-five, newest first, of which the device has the newest. */
    const many = Array.from({ length: 45 }, (_, n) =>
      build(idOf(1245 - n), 45 - n, { buildVersion: String(45 - n) }),
    );
    const [newest] = many;
    const more: Shelf = newest === undefined ? {} : { productBuild: [newest] };
    const versions = () =>
      [...picker().options].map(({ textContent }) => textContent.replace(/ · .*/, ''));

    it('are those of the newest twenty, and of older ones that the server has when asked [R123]', async () => {
      await visit({ more, served: many });
      expect(versions()).to.have.length(20);
      expect(versions().slice(0, 2)).to.deep.equal(['Latest build (45)', 'Build 44']);
      fireEvent.click(screen.getByRole('button', { name: 'Show older' }));
      await waitFor(() => {
        expect(versions()).to.have.length(40);
      });
      fireEvent.click(screen.getByRole('button', { name: 'Show older' }));
      await waitFor(() => {
        expect(versions().at(-1)).to.equal('Build 1');
      });
      expect(screen.queryByRole('button', { name: 'Show older' })).to.equal(null);
    });

    it('are those that the address names, also where they are older than all in the selector', async () => {
      await visit({ more, served: many, at: `${PAGE}?build=${idOf(1203)}` });
      await waitFor(() => {
        expect(picker().value).to.equal(idOf(1203));
      });
      expect(versions().at(-1)).to.equal('Build 3');
    });

    it('are of the newest where the address names none of this product', async () => {
      await visit({ more, served: many, at: `${PAGE}?build=${idOf(1999)}` });
      await waitFor(() => {
        expect(picker().value).to.equal(newest?.id);
      });
    });

    it('are without a connection of those on this device, which is said', async () => {
      await visit({ more, served: many, isOffline: true });
      expect(versions()).to.deep.equal(['Latest build (45)']);
      const said = document.getElementById(picker().getAttribute('aria-describedby') ?? '');
      expect(said?.textContent).to.match(/^These are the builds on this device\. Older ones/);
    });
  });

  it('are none before the first build [R246, R408]', async () => {
    await visit({ more: {} });
    expect(picker().disabled).to.equal(true);
    expect(picker().textContent).to.equal('No builds yet');
    expect(screen.queryByText(/^Files appear here/)).not.to.equal(null);
  });

  it('of a build that has none are told of, with the way to the project', async () => {
    await visit({ at: `${PAGE}?build=${broken}` });
    expect(screen.queryByRole('heading', { name: 'No product files' })).not.to.equal(null);
    expect(screen.queryByText(/^What a build makes appears here/)).not.to.equal(null);
    fireEvent.click(screen.getByRole('link', { name: 'To the project page' }));
    await screen.findByText('The project');
  });

  it('of a product to which nothing has happened have a history that says what will be in it', async () => {
    await visit({ more: {} });
    openHistory();
    expect(screen.queryByRole('heading', { name: 'Nothing has happened yet' })).not.to.equal(null);
    expect(screen.queryByText(/^Each step of the product’s workflow/)).not.to.equal(null);
  });

  it('need a connection, which is said beside them [R124]', async () => {
    const { opened } = await visit({ at: `${PAGE}?build=${second}`, isOffline: true });
    const file = screen.getByRole<HTMLButtonElement>('button', { name: 'Download new.apk' });
    expect(file.disabled).to.equal(true);
    const tied = document.getElementById(file.getAttribute('aria-describedby') ?? '');
    expect(tied?.textContent).to.equal('Needs a connection');
    expect(screen.queryByText(/^From this device, as of/)).not.to.equal(null);
    fireEvent.click(screen.getByText('4.2 MB'));
    cleanup();
    const connected = await visit({ at: `${PAGE}?build=${second}` });
    fireEvent.click(screen.getByText('4.2 MB'));
    await waitFor(() => {
      expect(connected.opened).to.have.length(1);
    });
    expect(opened, 'a click on the row').to.deep.equal([]);
  });

  it('tell what happened to the product, and what is to come [R126, R243]', async () => {
    await visit({
      more: {
        productTransition: [
          step(0, { initialState: 'Product Publish', destinationState: 'Published' }),
          step(1, {
            initialState: 'Approval',
            destinationState: 'Product Publish',
            allowedUserNames: 'Ada Admin',
          }),
          step(2, {
            transitionType: 2,
            workflowType: 2,
            dateTransition: '2026-03-01T09:00:00.000Z',
          }),
          step(3, {
            initialState: 'Readiness Check',
            destinationState: 'Approval',
            command: 'Continue',
            comment: 'Looks good',
            workflowUserId: fellow,
            dateTransition: '2026-03-01T10:00:00.000Z',
          }),
          step(4, {
            transitionType: 5,
            initialState: 'Project Upload',
            workflowUserId: builder,
            dateTransition: '2026-03-01T11:00:00.000Z',
          }),
        ],
      },
    });
    openHistory();
    const told = rows().slice(1);
    expect(told[0]).to.match(/Project upload.*Berta Builder/);
    expect(told[1]).to.match(/Readiness check.*Felix Fellow.*Continue.*Looks good.*Mar 1, 2026/);
    expect(told[2]).to.match(/Rebuild workflow started/);
    expect(told[3]).to.equal('Next steps');
    expect(told[4]).to.match(/Approval.*Ada Admin/);
    expect(told[5]).to.match(/publish.*Slipway/);
    // What is to come has no date yet.
    expect(told[5]).not.to.include('2026');
    const shapeIn = (element: Element) => element.querySelector('path')?.getAttribute('d');
    const star = render(<Icon name="star" />).container;
    expect(shapeIn(screen.getByRole('img', { name: 'Project access' }))).to.equal(shapeIn(star));
  });

  it('say how builds, publications and rejections went, and how the present step stands', async () => {
    const went = (hour: number, initialState: string, destinationState: string, more = {}) =>
      step(hour, {
        initialState,
        destinationState,
        dateTransition: `2026-03-01T1${String(hour)}:00:00.000Z`,
        ...more,
      });
    const [one] = shelf.product ?? [];
    if (one === undefined) throw new Error('The shelf lacks a product');
    const product = [{ ...one, failure: 'build' as const, waitingFor: 'owner' as const }];
    await visit({
      more: {
        product,
        productTransition: [
          went(1, 'Product Build', 'Verify and Publish'),
          went(2, 'Verify and Publish', 'Synchronize Data', { command: 'Reject' }),
          went(3, 'Synchronize Data', 'Product Build', { command: 'Continue' }),
          went(4, 'Product Build', 'Synchronize Data'),
          step(5, { initialState: 'Approval', destinationState: 'Product Publish' }),
          step(6, { initialState: 'Product Publish', destinationState: 'Published' }),
        ],
      },
    });
    openHistory();
    const chips = screen
      .getAllByRole('row')
      .slice(1)
      .map((row) => row.querySelector('.status-chip')?.textContent);
    const none = undefined;
    expect(chips).to.deep.equal([
      ...['Build failed', none, 'Rejected', 'Built'],
      ...[none, 'Waiting for you', none],
    ]);
  });

  it('name who did a step, or may, of steps and project access alone [R127, R413]', async () => {
    const by = { workflowUserId: builder, dateTransition: '2026-03-01T09:00:00.000Z' };
    const turns = [2, 3, 4] as const;
    await visit({
      more: {
        productTransition: [
          ...turns.map((transitionType) =>
            step(transitionType, { ...by, transitionType, workflowType: 3 }),
          ),
          step(5, { ...by, transitionType: 5, initialState: 'Project Download' }),
        ],
      },
    });
    openHistory();
    const users = screen
      .getAllByRole('row')
      .slice(1)
      .map((row) => within(row).getAllByRole('cell')[1]?.querySelector('.cell-value')?.textContent);
    expect(users).to.deep.equal(['', '', '', 'Berta Builder']);
    expect(rows()[1]).to.match(/Republish workflow started/);
    expect(rows()[2]).to.match(/Republish workflow completed/);
    expect(rows()[3]).to.match(/Republish workflow cancelled/);
  });

  it('name the store that the product goes to [R126]', async () => {
    const store = record('store', { id: idOf(1300), name: 'play', description: 'Play account' });
    const product = (shelf.product ?? []).map((one) => ({ ...one, store: store.id }));
    const productTransition = [step(3, { initialState: 'Approval' })];
    await visit({ more: { store: [store], product, productTransition } });
    openHistory();
    expect(screen.getByRole('table').querySelector('caption')?.textContent).to.equal(
      'Store: Play account',
    );
  });

  it('offer what may be done with the product, and go to the project when it is removed [R11, R122]', async () => {
    await visit();
    fireEvent.click(screen.getByRole('button', { name: /^More for/ }));
    const entries = screen.getAllByRole('menuitem').map(({ textContent }) => textContent);
    expect(entries).to.include('Copy link').and.not.include('Product page');
    fireEvent.click(screen.getByRole('menuitem', { name: 'Remove' }));
    fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Remove' }));
    expect(await screen.findByText('The project')).not.to.equal(null);
  });

  it('are closed to who is not of the team [R304]', async () => {
    await visit({
      viewer: fellow,
      more: {
        ...BUILDS,
        groupMembership: (shelf.groupMembership ?? []).filter(({ user }) => user !== fellow),
      },
    });
    expect(await screen.findByText('The start')).not.to.equal(null);
    expect(screen.queryByText(/^You are not allowed to do that/)).not.to.equal(null);
  });

  it('are not here offline when they never were [R400]', async () => {
    await visit({ at: `/products/${idOf(1400)}/files`, isOffline: true });
    expect(screen.queryByText('This is not on this device yet')).not.to.equal(null);
  });
});
