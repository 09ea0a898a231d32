import { line, many, one, resource, text } from './define.ts';
import type { RecordOf } from './define.ts';

/** A kind of product that can be built from a project, with its workflows. */
export const productDefinition = resource(
  'productDefinition',
  'LGCUD',
  {
    name: line(250).required(),
    description: text(10_000),
    properties: text(65_536),
    type: one('applicationType').required(),
    workflow: one('workflowDefinition').required(),
    rebuildWorkflow: one('workflowDefinition'),
    republishWorkflow: one('workflowDefinition'),
    products: many('product', 'productDefinition', { materialised: false }),
    organizationProductDefinitions: many('organizationProductDefinition', 'productDefinition', {
      materialised: false,
    }),
  },
  { load: 'first' },
);

export type ProductDefinition = RecordOf<typeof productDefinition>;
