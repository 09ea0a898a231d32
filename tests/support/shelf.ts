import { attributesOf, toOnesOf } from '#schema/index.ts';
import type { Of, TypeName } from '#schema/index.ts';

/** Records by type, as a screen would find them on the device. */
export type Shelf = { readonly [T in TypeName]?: readonly Of<T>[] };

/** A UUID whose end is `number`: the same at every run. */
export const idOf = (number: number): string =>
  `0197c1e0-0000-7000-8000-${String(number).padStart(12, '0')}`;

/** A record with every field; those left out are empty. */
export function record<T extends TypeName>(
  type: T,
  fields: Partial<Of<T>> & { id: string },
): Of<T> {
  const empty = Object.fromEntries([
    ...attributesOf(type).map(([name, { fallback }]) => [name, fallback]),
    ...toOnesOf(type).map(([name]) => [name, null]),
  ]) as object;
  return {
    ...empty,
    dateCreated: '2026-02-20T09:00:00.000Z',
    dateUpdated: '2026-02-27T09:00:00.000Z',
    version: 1,
    ...fields,
  } as Of<T>;
}

export const builder = idOf(1);
export const fellow = idOf(2);
export const lakeside = idOf(10);
export const harbor = idOf(11);
export const north = idOf(20);
export const south = idOf(21);
const scripture = idOf(30);

export const harvest = record('project', {
  id: idOf(100),
  name: 'Harvest',
  language: 'es-419',
  description: 'Songs of the field.',
  organization: lakeside,
  group: north,
  owner: builder,
  type: scripture,
});
const names = ['Élan', 'Iron Bridge', 'Juniper', 'Lantern', 'Meadow', 'North Star', 'Orchard'];

/** Harvest's product, which waits for the builder's word. */
export const harvestApp = idOf(200);
export const harvestTask = idOf(300);

/** Lakeside Press and Harbor Media, a builder and a fellow, eight projects, one task. */
export const shelf: Shelf = {
  user: [
    record('user', { id: builder, name: 'Berta Builder', timezone: 'America/Lima' }),
    record('user', { id: fellow, name: 'Felix Fellow' }),
  ],
  organization: [
    record('organization', { id: lakeside, name: 'Lakeside Press', owner: builder }),
    record('organization', { id: harbor, name: 'Harbor Media', owner: fellow }),
  ],
  organizationMembership: [
    record('organizationMembership', {
      ...{ id: idOf(40), user: builder, organization: lakeside },
      dateAccepted: '2026-01-05T09:00:00.000Z',
    }),
    record('organizationMembership', {
      ...{ id: idOf(41), user: fellow, organization: lakeside },
      dateAccepted: '2026-01-05T09:00:00.000Z',
    }),
    record('organizationMembership', {
      ...{ id: idOf(42), user: builder, organization: harbor },
      dateAccepted: '2026-01-05T09:00:00.000Z',
    }),
  ],
  group: [
    record('group', { id: north, name: 'Lakeside North', abbreviation: 'LN', owner: lakeside }),
    record('group', { id: south, name: 'Lakeside South', abbreviation: 'LS', owner: lakeside }),
  ],
  groupMembership: [
    record('groupMembership', { id: idOf(50), user: builder, group: north }),
    record('groupMembership', { id: idOf(51), user: fellow, group: north }),
    record('groupMembership', { id: idOf(52), user: builder, group: south }),
  ],
  userRole: [
    record('userRole', {
      id: idOf(60),
      user: builder,
      organization: lakeside,
      roleName: 'AppBuilder',
      role: idOf(61),
    }),
  ],
  applicationType: [
    record('applicationType', { id: scripture, name: 'scripture', description: 'Scripture App' }),
  ],
  project: [
    harvest,
    ...names.map((name, index) =>
      record('project', {
        id: idOf(101 + index),
        name,
        language: index % 2 === 0 ? 'fr' : 'en',
        organization: lakeside,
        group: north,
        owner: index < 5 ? builder : fellow,
        type: scripture,
        isPublic: index !== 2,
        dateArchived: index === 4 ? '2026-02-28T09:00:00.000Z' : null,
      }),
    ),
  ],
  productDefinition: [
    record('productDefinition', {
      id: idOf(70),
      name: 'Android App to Google Play',
      type: scripture,
      workflow: idOf(71),
    }),
  ],
  workflowDefinition: [
    record('workflowDefinition', {
      id: idOf(71),
      name: 'android_google_play',
      workflowBusinessFlow: 'AppBuilders_Android_GooglePlay_Flow',
      type: 1,
    }),
  ],
  product: [
    record('product', {
      id: harvestApp,
      project: harvest.id,
      productDefinition: idOf(70),
      productWorkflow: idOf(71),
      workflowState: 'Approval',
      versionBuilt: '1.4',
    }),
  ],
  userTask: [
    record('userTask', {
      id: harvestTask,
      user: builder,
      product: harvestApp,
      status: 'Approval',
      commands: ['Approve', 'Hold', 'Reject'],
      comment: 'Please look at https://lakeside.test/notes first.',
    }),
  ],
};
