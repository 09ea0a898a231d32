import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { expect } from 'chai';
import { useNavigate } from 'react-router-dom';
import { useRecord } from '#data/react/hooks.ts';
import { NotifyWhenBuilt } from '#screens/flow/notify-when-built.tsx';
import { BrowserNotifierContext } from '#ui/browser-notifier.ts';
import type { BrowserNotifier } from '#ui/browser-notifier.ts';
import { speakLate } from '#ui/text/late-texts.ts';
import { speak } from '#ui/text/text.ts';
import { closeStores, openStore } from '../../support/app-over-store.ts';
import { Around, testSurroundings } from '../../support/around.tsx';
import { builder, harvestApp, idOf, record, shelf } from '../../support/shelf.ts';
import { TestNotifier } from '../../support/test-notifier.ts';

const BUILD = idOf(1000);
const running = record('productBuild', { id: BUILD, product: harvestApp, success: null });

function BuildPage() {
  const { record: build } = useRecord('productBuild', BUILD);
  const go = useNavigate();
  return (
    <>
      {build !== null && <NotifyWhenBuilt build={build} />}
      <button type="button" onClick={() => void go('/tasks')}>
        Leave
      </button>
    </>
  );
}

describe('[17] who waits for a build', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  afterEach(async () => {
    cleanup();
    await closeStores();
  });

  async function visit(notifier: BrowserNotifier | null, build = running) {
    const app = await openStore(builder, { ...shelf, productBuild: [build] });
    const { surroundings } = testSurroundings();
    const routes = [
      { path: '/flow/:flow/:productId', element: <BuildPage /> },
      { path: '/tasks', element: <p>The tasks</p> },
    ];
    render(
      <BrowserNotifierContext.Provider value={notifier}>
        <Around
          store={app}
          surroundings={surroundings}
          routes={routes}
          at={`/flow/web/${harvestApp}`}
        />
      </BrowserNotifierContext.Provider>,
    );
    return app;
  }
  const button = () => screen.getByRole('button', { name: 'Tell me when it is done' });
  const isPressed = () =>
    waitFor(() => {
      expect(button().getAttribute('aria-pressed')).to.equal('true');
    });
  const ask = async () => {
    fireEvent.click(button());
    await isPressed();
  };
  const end = (fields: object) => ({ ...fields, phase: 'completed' });

  it('is asked by the browser once they press the button, and not before', async () => {
    const notifier = new TestNotifier();
    await visit(notifier);
    expect(notifier.asked).to.equal(0);
    expect(screen.queryByText(/on this device only/)).not.to.equal(null);
    await ask();
    expect(notifier.asked).to.equal(1);
    expect(screen.queryByText(/as long as this tab stays open/)).not.to.equal(null);
  });

  it('is notified of a version that was built, by the names of project and product, while nobody sees the page', async () => {
    const notifier = new TestNotifier();
    const app = await visit(notifier);
    await ask();
    await app.setRecord('productBuild', BUILD, { phase: 'active' });
    expect(notifier.shown).to.deep.equal([]);
    await app.setRecord('productBuild', BUILD, end({ success: true, buildVersion: '1.1' }));
    const [{ onClick, ...said } = { onClick: undefined }] = notifier.shown;
    expect(said).to.deep.equal({
      title: 'Harvest · Android App to Google Play',
      body: 'Version 1.1 was built',
      tag: BUILD,
      to: `/flow/web/${harvestApp}`,
    });
    expect(onClick).not.to.equal(undefined);
    expect(screen.queryByRole('button', { name: 'Tell me when it is done' })).to.equal(null);
  });

  it('is notified of a failed build on another page too, and led to that where they asked', async () => {
    const notifier = new TestNotifier();
    const app = await visit(notifier);
    await ask();
    fireEvent.click(screen.getByRole('button', { name: 'Leave' }));
    await screen.findByText('The tasks');
    await app.setRecord('productBuild', BUILD, end({ success: false, error: 'A secret path' }));
    expect(notifier.shown.map(({ body }) => body)).to.deep.equal(['The build failed']);
    notifier.shown[0]?.onClick();
    await screen.findByRole('button', { name: 'Leave' });
  });

  it('is not notified of what they see, nor of what they do not wait for any more', async () => {
    const notifier = new TestNotifier();
    const app = await visit(notifier);
    await ask();
    notifier.isVisible = true;
    await app.setRecord('productBuild', BUILD, end({ success: true }));
    expect(notifier.shown).to.deep.equal([]);
    cleanup();
    const other = new TestNotifier();
    const again = await visit(other);
    await ask();
    fireEvent.click(button());
    expect(button().getAttribute('aria-pressed')).to.equal('false');
    await again.setRecord('productBuild', BUILD, end({ success: true }));
    expect(other.shown).to.deep.equal([]);
  });

  it('reads that the browser blocks it, or cannot do it', async () => {
    await visit(new TestNotifier('denied'));
    fireEvent.click(button());
    await screen.findByText(/^Your browser blocks notifications from this site/);
    expect(screen.queryByRole('button', { name: 'Tell me when it is done' })).to.equal(null);
    cleanup();
    await visit(null);
    expect(screen.queryByText(/^This browser cannot notify you/)).not.to.equal(null);
  });

  it('is asked again where they gave the browser no answer', async () => {
    const notifier = new TestNotifier('default');
    const app = await visit(notifier);
    fireEvent.click(button());
    await app.settle();
    fireEvent.click(button());
    await app.settle();
    expect(notifier.asked).to.equal(2);
    expect(button().getAttribute('aria-pressed')).to.equal('false');
  });

  it('reads without a connection that they are notified once there is one, and then is', async () => {
    const notifier = new TestNotifier();
    const app = await visit(notifier);
    await app.goOffline();
    await ask();
    expect(screen.queryByText(/notified once you are back online/)).not.to.equal(null);
    await app.goOnline();
    await app.setRecord('productBuild', BUILD, end({ success: true, buildVersion: '1.1' }));
    expect(notifier.shown).to.have.length(1);
  });

  it('finds no button at a build that has ended', async () => {
    await visit(new TestNotifier(), { ...running, success: true });
    expect(screen.queryByRole('button', { name: 'Tell me when it is done' })).to.equal(null);
  });
});
