import { bool, choice, line, many, one, resource, text } from './define.ts';
import type { RecordOf } from './define.ts';

/** 1 Startup, 2 Rebuild, 3 Republish. */
export const WORKFLOW_TYPES = [1, 2, 3] as const;

/** A named configuration of a workflow machine. */
export const workflowDefinition = resource(
  'workflowDefinition',
  'LGCUD',
  {
    name: line(250),
    description: text(10_000),
    workflowScheme: line(250),
    workflowBusinessFlow: line(250),
    properties: text(65_536),
    enabled: bool().orElse(true),
    type: choice(...WORKFLOW_TYPES).required(),
    /** Required of clients; `null` in some that are seeded. */
    storeType: one('storeType'),
    products: many('product', 'productWorkflow', { materialised: false }),
    productDefinitions: many('productDefinition', 'workflow', { materialised: false }),
    rebuildProductDefinitions: many('productDefinition', 'rebuildWorkflow', {
      materialised: false,
    }),
    republishProductDefinitions: many('productDefinition', 'republishWorkflow', {
      materialised: false,
    }),
  },
  { load: 'first' },
);

export type WorkflowDefinition = RecordOf<typeof workflowDefinition>;
