import type { ChangeRow } from '../../src/data/model/views.ts';
import { harvest, harvestApp, harvestTask } from './shelf.ts';

/** A change of Harvest as the panel lists it, an hour old and without problems. */
export function changeRow(
  id: string,
  state: ChangeRow['state'],
  more: Partial<ChangeRow> = {},
): ChangeRow {
  return {
    id,
    says: ['changes.project.edit', { name: `Harvest ${id}` }],
    madeAt: '2026-03-02T11:00:00.000Z',
    state,
    problem: null,
    about: { type: 'project', id: harvest.id },
    touched: [more.about ?? { type: 'project', id: harvest.id }],
    conflict: [],
    other: null,
    typed: {},
    isUnreadable: false,
    isRequest: false,
    basis: [],
    created: null,
    canUndo: false,
    dependants: [],
    heldBy: null,
    lostParent: null,
    ...more,
  };
}

/** "Approve" with a comment, given to Harvest's product. */
export function aGivenCommand(state: ChangeRow['state'], more: Partial<ChangeRow> = {}): ChangeRow {
  const names = { product: 'Android App to Google Play', project: 'Harvest' };
  return changeRow('given', state, {
    says: ['changes.command.approve', names],
    about: { type: 'product', id: harvestApp },
    typed: { command: 'Approve', comment: 'Good', state: 'Approval', userTask: harvestTask },
    isRequest: true,
    canUndo: state === 'waiting',
    ...more,
  });
}
