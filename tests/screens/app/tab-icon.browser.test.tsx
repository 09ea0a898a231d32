import { act, cleanup, render, waitFor } from '@testing-library/react';
import { expect } from 'chai';
import { TabIcon } from '#screens/app/frame/tab-icon.tsx';
import { chooseOrganization } from '#session/organization.ts';
import { speak } from '#ui/text/text.ts';
import { closeStores, openStore } from '../../support/app-over-store.ts';
import { Around, testSurroundings } from '../../support/around.tsx';
import {
  builder,
  fellow,
  harbor,
  harvest,
  harvestApp,
  harvestTask,
  shelf,
} from '../../support/shelf.ts';
import type { Shelf } from '../../support/shelf.ts';
import { dotOf, placeTabIcon } from '../../support/tab-icon.ts';

describe('[3.2] the tab’s icon', () => {
  let placed: ReturnType<typeof placeTabIcon>;
  before(() => speak('en-US'));
  beforeEach(() => {
    placed = placeTabIcon();
  });
  afterEach(async () => {
    cleanup();
    await closeStores();
    chooseOrganization(null);
    placed.remove();
  });

  async function visit(held: Shelf = shelf) {
    const app = await openStore(builder, held);
    const { surroundings } = testSurroundings();
    const routes = [{ path: '/', element: <TabIcon appearance="light" /> }];
    render(<Around store={app} surroundings={surroundings} routes={routes} at="/" />);
    return app;
  }
  const shows = (color: string) =>
    waitFor(async () => {
      expect(await dotOf(placed.link)).to.equal(color);
    });
  const isPlain = () =>
    waitFor(() => {
      expect(placed.link.href).to.equal(placed.href);
    });

  it('says that a build runs, that one failed, or that a task waits, in this order', async () => {
    const app = await visit();
    await shows('yellow');
    await app.setRecord('product', harvestApp, { failure: 'build' });
    await shows('red');
    await app.setRecord('product', harvestApp, { workflowState: 'Product Build' });
    await shows('blue');
    await app.setRecord('product', harvestApp, { workflowState: 'Approval', failure: null });
    await shows('yellow');
    await app.dropRecord('userTask', harvestTask);
    await isPlain();
  });

  it('says nothing of projects of others, of archived ones, and of what is not in view', async () => {
    const failed = (shelf.product ?? []).map((one) => ({ ...one, failure: 'build' as const }));
    const without: Shelf = { ...shelf, product: failed, userTask: [] };
    const app = await visit(without);
    await shows('red');
    act(() => {
      chooseOrganization(harbor);
    });
    await isPlain();
    act(() => {
      chooseOrganization(null);
    });
    await shows('red');
    await app.setRecord('project', harvest.id, { dateArchived: '2026-03-01T09:00:00.000Z' });
    await isPlain();
    await app.setRecord('project', harvest.id, { dateArchived: null });
    await shows('red');
    await app.setRecord('project', harvest.id, { owner: fellow });
    await isPlain();
  });

  it('is what it was for who has signed out', async () => {
    await visit();
    await shows('yellow');
    cleanup();
    await isPlain();
  });
});
