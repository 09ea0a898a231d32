import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { expect } from 'chai';
import { FilesContext } from '#files/files.ts';
import type { Of } from '#schema/index.ts';
import { chooseOrganization } from '#session/organization.ts';
import { OrganizationBuildsPage } from '#screens/products/builds/organization-builds-page.tsx';
import { ProjectBuildsPage } from '#screens/products/builds/project-builds-page.tsx';
import { speakLate } from '#ui/text/late-texts.ts';
import { speak } from '#ui/text/text.ts';
import { asResource, closeStores, openStore } from '../../support/app-over-store.ts';
import { Around, testSurroundings } from '../../support/around.tsx';
import {
  builder,
  fellow,
  harbor,
  harvest,
  idOf,
  lakeside,
  record,
  shelf,
} from '../../support/shelf.ts';
import { stillFiles } from '../../support/still-files.ts';
import { build, listed } from './listed-builds.ts';

type Build = Of<'productBuild'>;

const SITE = 'Site of the project';
const definition = record('productDefinition', { id: idOf(72), name: SITE });
const site = record('product', {
  id: idOf(210),
  project: harvest.id,
  productDefinition: definition.id,
});
/** A project of Harbor Media, to which the builder belongs too. */
const tide = record('project', {
  id: idOf(120),
  name: 'Tide',
  organization: harbor,
  owner: fellow,
  group: idOf(22),
});
const tideSite = record('product', {
  id: idOf(211),
  project: tide.id,
  productDefinition: definition.id,
});
const here = {
  ...shelf,
  productDefinition: [...(shelf.productDefinition ?? []), definition],
  project: [...(shelf.project ?? []), tide],
  product: [...(shelf.product ?? []), site, tideSite],
};

const ofApp = build(idOf(1000), '11', { buildVersion: '1.4' });
const ofSite = build(idOf(1001), '10', { buildVersion: '7', product: site.id });
const ofTide = build(idOf(1002), '09', {
  buildVersion: '3',
  product: tideSite.id,
  logUrl: `/api/product-builds/${idOf(1002)}/console`,
});
const failed = build(idOf(1003), '08', { success: false, error: 'No key', product: site.id });

interface Given {
  readonly at: string;
  readonly viewer?: string;
  readonly builds?: readonly Build[];
  readonly onDevice?: readonly Build[];
  readonly isOffline?: boolean;
  readonly refusal?: Response;
}

/** A request for a list of builds. */
interface AskedList {
  readonly query: URLSearchParams;
  readonly organization: string | undefined;
}

async function visit(given: Given) {
  const { viewer = builder, builds = [ofApp, ofSite, ofTide], onDevice = builds } = given;
  const app = await openStore(viewer, { ...here, productBuild: onDevice });
  app.server.answer = (path) => {
    const { pathname, searchParams } = new URL(path, 'http://localhost');
    if (pathname !== '/api/product-builds') return null;
    return Promise.resolve(given.refusal?.clone() ?? listed(builds, searchParams));
  };
  if (given.isOffline === true) await app.goOffline();
  const { surroundings, pass } = testSurroundings();
  const routes = [
    { path: '/projects/:projectId/builds', element: <ProjectBuildsPage /> },
    { path: '/builds', element: <OrganizationBuildsPage /> },
  ];
  render(
    <FilesContext.Provider value={stillFiles().files}>
      <Around store={app} surroundings={surroundings} routes={routes} at={given.at} />
    </FilesContext.Provider>,
  );
  await app.settle();
  const asked = () =>
    app.server.requests
      .filter(({ path }) => path.startsWith('/api/product-builds?'))
      .map(({ path, headers }): AskedList => ({
        query: new URL(path, 'http://localhost').searchParams,
        organization: headers.Organization,
      }));
  return { ...app, asked, pass };
}

const columns = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent);
const rowOf = (words: string | RegExp) => {
  const row = screen.getAllByRole('row').find(({ textContent }) => textContent.search(words) >= 0);
  if (row === undefined) throw new Error('There is no such row');
  return within(row);
};
const leadsTo = (row: ReturnType<typeof rowOf>, name: string) =>
  row.queryByRole('link', { name })?.getAttribute('href');
const count = () => Math.max(0, screen.queryAllByRole('row').length - 1);
const ON_DEVICE = /^These are the builds on this device\./;

describe('[screens 10.1] the builds of a project', () => {
  const at = `/projects/${harvest.id}/builds`;

  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  afterEach(async () => {
    cleanup();
    await closeStores();
  });

  it('are told by the server, with the product of each, and lead back to the project', async () => {
    const { asked } = await visit({ at, builds: [ofApp, ofSite] });
    expect(count()).to.equal(2);
    expect(columns().slice(0, 2)).to.deep.equal(['Product', 'Status']);
    expect(asked()[0]?.query.get('filter[project-id]')).to.equal(harvest.id);
    expect(asked()[0]?.organization).to.equal(undefined);
    expect(leadsTo(rowOf(SITE), SITE)).to.equal(`/products/${site.id}/builds`);
    expect(rowOf(SITE).queryByText('Version 7')).not.to.equal(null);
    const trail = within(screen.getByRole('navigation', { name: 'You are here' }));
    expect(trail.getByRole('link').getAttribute('href')).to.equal(`/projects/${harvest.id}`);
    expect(screen.queryByRole('heading', { name: 'Builds', level: 1 })).not.to.equal(null);
  });

  it('are narrowed by their status', async () => {
    const { asked, settle, pass } = await visit({ at, builds: [ofApp, failed] });
    fireEvent.click(screen.getByRole('checkbox', { name: 'Failed' }));
    pass(0);
    await settle();
    expect(asked().at(-1)?.query.get('filter[status]')).to.equal('in:failed');
    expect(count()).to.equal(1);
  });

  it('are offline those of its products that are on this device', async () => {
    await visit({ at, builds: [ofApp, ofSite, ofTide], isOffline: true });
    expect(count()).to.equal(2);
    expect(screen.queryByText('Tide')).to.equal(null);
    expect(screen.queryByText(ON_DEVICE)).not.to.equal(null);
  });

  it('that there are none of yet lead to the project', async () => {
    await visit({ at, builds: [] });
    expect(screen.queryByRole('heading', { name: 'No builds yet' })).not.to.equal(null);
    const link = screen.getByRole('link', { name: 'To the project page' });
    expect(link.getAttribute('href')).to.equal(`/projects/${harvest.id}`);
  });
});

describe('[screens 10.1] the builds of an organization', () => {
  const at = '/builds';

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

  it('are asked for by the organization in view, with project and product of each', async () => {
    const { asked } = await visit({ at, builds: [ofApp, ofSite] });
    expect(asked()[0]?.organization).to.equal(lakeside);
    expect(asked()[0]?.query.has('filter[project-id]')).to.equal(false);
    expect(columns().slice(0, 3)).to.deep.equal(['Project', 'Product', 'Status']);
    const row = rowOf(SITE);
    expect(leadsTo(row, 'Harvest')).to.equal(`/projects/${harvest.id}`);
    expect(leadsTo(row, SITE)).to.equal(`/products/${site.id}/builds`);
    expect(leadsTo(row, 'Files')).to.equal(`/products/${site.id}/files?build=${ofSite.id}`);
    expect(screen.queryByText('Lakeside Press')).to.equal(null);
  });

  it('are of all one’s organizations while all are in view, whose names stand there', async () => {
    chooseOrganization(null);
    const { asked } = await visit({ at });
    expect(asked()[0]?.organization).to.equal(undefined);
    expect(count()).to.equal(3);
    expect(rowOf('Tide').queryByText('Harbor Media')).not.to.equal(null);
  });

  it('follow the choice of another organization', async () => {
    const { asked, settle } = await visit({ at });
    act(() => {
      chooseOrganization(harbor);
    });
    await settle();
    expect(asked().at(-1)?.organization).to.equal(harbor);
  });

  it('lead to no page that one may not open, and to their logs all the same', async () => {
    chooseOrganization(harbor);
    await visit({ at, builds: [ofTide] });
    const row = rowOf('Tide');
    expect(row.getAllByRole('link').map(({ textContent }) => textContent)).to.deep.equal(['Log']);
    expect(leadsTo(row, 'Log')).to.equal(`/products/${tideSite.id}/builds/${ofTide.id}/log`);
  });

  it('are offline those of the organization in view that are on this device', async () => {
    await visit({ at, isOffline: true });
    expect(count()).to.equal(2);
    expect(screen.queryByText('Tide')).to.equal(null);
    expect(screen.queryByText(ON_DEVICE)).not.to.equal(null);
  });

  it('are offline those of all one’s organizations while all are in view', async () => {
    chooseOrganization(null);
    await visit({ at, isOffline: true });
    expect(count()).to.equal(3);
  });

  it('show what the server tells of projects that are not on the device', async () => {
    const far = record('project', { id: idOf(130), name: 'Far', organization: lakeside });
    const farSite = record('product', {
      id: idOf(212),
      project: far.id,
      productDefinition: definition.id,
    });
    const ofFar = build(idOf(1004), '07', { buildVersion: '9', product: farSite.id });
    const { server, settle, passOnDevice } = await visit({ at, onDevice: [] });
    const included = [asResource('product', farSite), asResource('project', far)];
    server.answer = (path) =>
      path.startsWith('/api/product-builds?')
        ? Promise.resolve(listed([ofFar], new URL(path, 'http://localhost').searchParams, included))
        : null;
    await passOnDevice(5_000);
    await settle();
    expect(rowOf('Far').queryByText(SITE)).not.to.equal(null);
  });

  it('that there are none of yet lead to the organization’s projects', async () => {
    await visit({ at, builds: [] });
    const link = screen.getByRole('link', { name: 'Organization projects' });
    expect(link.getAttribute('href')).to.equal('/projects/organization');
  });

  it('that nothing matches say so', async () => {
    await visit({ at: `${at}?status=building` });
    expect(screen.queryByText('No builds match.')).not.to.equal(null);
  });

  it('say that they cannot be had where the server refuses them', async () => {
    const refusal = new Response(JSON.stringify({ errors: [{ status: '400' }] }), {
      status: 400,
      headers: { 'Content-Type': 'application/vnd.api+json' },
    });
    await visit({ at, refusal, onDevice: [] });
    expect(screen.queryByRole('heading', { name: 'The list could not be loaded' })).not.to.equal(
      null,
    );
  });
});
