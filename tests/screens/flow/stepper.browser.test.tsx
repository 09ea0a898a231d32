/** Covers `screens/flow/stepper.tsx` and `wayOf` of `screens/flow/history.ts`. */
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { expect } from 'chai';
import type { Of } from '#schema/index.ts';
import { useRecord } from '#data/react/hooks.ts';
import { Stepper } from '#screens/flow/stepper.tsx';
import { speakLate } from '#ui/text/late-texts.ts';
import { speak } from '#ui/text/text.ts';
import { closeStores, openStore } from '../../support/app-over-store.ts';
import { Around, testSurroundings } from '../../support/around.tsx';
import { turns } from '../../support/device.ts';
import { builder, fellow, harvestApp, record, shelf } from '../../support/shelf.ts';

function OfProduct() {
  const { record: product } = useRecord('product', harvestApp);
  return product === null ? null : <Stepper product={product} />;
}

type Row = Of<'productTransition'>;

let number = 0;
const row = (fields: Partial<Row>): Row => {
  number += 1;
  return record('productTransition', {
    id: `0197c1e0-0000-7000-9000-${String(number).padStart(12, '0')}`,
    product: harvestApp,
    transitionType: 1,
    workflowType: 1,
    ...fields,
  });
};
const ahead = (...states: readonly string[]) =>
  states
    .slice(0, -1)
    .map((state, index) =>
      row({ initialState: state, destinationState: states[index + 1] ?? null }),
    );
const passed = (minute: number, fields: Partial<Row>) =>
  row({ dateTransition: `2026-03-01T12:${String(minute).padStart(2, '0')}:00.000Z`, ...fields });

interface Visit {
  readonly viewer?: string;
  readonly product?: Partial<Of<'product'>>;
  readonly rows: readonly Row[];
  readonly userTask?: readonly Of<'userTask'>[];
}

async function visit({ viewer = builder, product, rows, userTask = [] }: Visit): Promise<void> {
  const { surroundings } = testSurroundings();
  const held = {
    ...shelf,
    userTask,
    productTransition: rows,
    product: (shelf.product ?? []).map((one) => ({
      ...one,
      workflowState: 'Approval',
      ...product,
    })),
  };
  const store = await openStore(viewer, held);
  const routes = [{ path: '*', element: <OfProduct /> }];
  render(<Around store={store} surroundings={surroundings} routes={routes} at="/" />);
  await act(() => turns(3));
}

const steps = () => screen.queryAllByRole('listitem').map(({ textContent }) => textContent);

describe('the steps of a workflow', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  afterEach(async () => {
    cleanup();
    await closeStores();
  });

  it('are those done, the present one with whom it waits for, and those to come', async () => {
    await visit({
      product: { waitingFor: 'admins', assigned: fellow },
      rows: [
        passed(0, { transitionType: 2 }),
        passed(1, { initialState: 'Readiness Check', destinationState: 'Approval' }),
        ...ahead('Approval', 'Product Creation', 'App Builder Configuration', 'Published'),
      ],
    });
    expect(steps()).to.deep.equal([
      'Readiness check, done',
      '2ApprovalWaiting for Felix Fellow',
      '3Product creation, to come',
      '4App builder configuration, to come',
    ]);
    const current = screen.getAllByRole('listitem').filter((item) => item.ariaCurrent === 'step');
    expect(current.map(({ textContent }) => textContent)).to.deep.equal([
      '2ApprovalWaiting for Felix Fellow',
    ]);
    expect(screen.getByText('Step 2 of 4')).to.not.equal(null);
  });

  it('have no step twice that the workflow went back to, and none of an earlier workflow', async () => {
    await visit({
      product: { workflowState: 'Synchronize Data', waitingFor: 'owner', failure: 'build' },
      rows: [
        passed(0, { initialState: 'Make It Live', destinationState: 'Published' }),
        passed(1, { transitionType: 2 }),
        passed(2, { initialState: 'Approval', destinationState: 'Product Build' }),
        passed(3, { initialState: 'Product Build', destinationState: 'Synchronize Data' }),
        ...ahead('Synchronize Data', 'Product Build', 'Verify and Publish', 'Published'),
      ],
    });
    expect(steps()).to.deep.equal([
      'Approval, done',
      '2Synchronize dataWaiting for the owner',
      '3Product build, to come',
      '4Verify and publish, to come',
    ]);
  });

  it('stand in the order in which they were last done where the workflow went back', async () => {
    await visit({
      product: { workflowState: 'Verify and Publish' },
      rows: [
        passed(1, { transitionType: 2 }),
        passed(2, { initialState: 'Approval', destinationState: 'Product Build' }),
        passed(3, { initialState: 'Product Build', destinationState: 'Synchronize Data' }),
        passed(4, { initialState: 'Synchronize Data', destinationState: 'Product Build' }),
        passed(5, { initialState: 'Product Build', destinationState: 'Verify and Publish' }),
        ...ahead('Verify and Publish', 'Published'),
      ],
    });
    expect(steps().filter((step) => step.endsWith(', done'))).to.deep.equal([
      'Approval, done',
      'Synchronize data, done',
      'Product build, done',
    ]);
  });

  it('do not have done what was handed over and taken back', async () => {
    await visit({
      product: { workflowState: 'Synchronize Data' },
      rows: [
        passed(1, { transitionType: 2 }),
        passed(2, { initialState: 'Approval', destinationState: 'Synchronize Data' }),
        passed(3, { initialState: 'Synchronize Data', destinationState: 'Author Download' }),
        passed(4, {
          initialState: 'Author Download',
          destinationState: 'Synchronize Data',
          command: 'Take Back',
        }),
        ...ahead('Synchronize Data', 'Product Build', 'Published'),
      ],
    });
    expect(steps().filter((step) => step.endsWith(', done'))).to.deep.equal(['Approval, done']);
  });

  it('name who is waited for by the way to come where the product does not say it', async () => {
    await visit({
      rows: [row({ initialState: 'Approval', allowedUserNames: 'Ada, Abe' })],
    });
    expect(steps()).to.deep.equal(['1ApprovalWaiting for Ada, Abe']);
  });

  it('can be shown all where only the present one has room', async () => {
    await visit({ rows: ahead('Approval', 'Product Creation', 'Published') });
    const more = screen.getByText('Show all');
    expect(more.ariaExpanded).to.equal('false');
    fireEvent.click(more);
    expect(screen.getByText('Show less').ariaExpanded).to.equal('true');
  });

  it('are not there where nothing runs, or the way is not on the device', async () => {
    await visit({ product: { workflowState: null }, rows: [] });
    expect(steps()).to.deep.equal([]);
    cleanup();
    await closeStores();
    await visit({ rows: [] });
    expect(steps()).to.deep.equal([]);
  });
});
