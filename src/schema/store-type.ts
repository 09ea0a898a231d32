import { line, many, resource, text } from './define.ts';
import type { RecordOf } from './define.ts';

/** A kind of app store; decides which workflows and languages a store can offer. */
export const storeType = resource(
  'storeType',
  'LGCUD',
  {
    name: line(250).required(),
    description: text(10_000),
    stores: many('store', 'storeType', { materialised: false }),
    storeLanguages: many('storeLanguage', 'storeType', { materialised: false }),
    workflowDefinitions: many('workflowDefinition', 'storeType', { materialised: false }),
  },
  { load: 'first' },
);

export type StoreType = RecordOf<typeof storeType>;
