import { broken } from './broken.ts';
import type { RecordRules } from './form.ts';

/** Whoever writes a workflow says for which kind of store; some that are seeded have none. */
export const brokenWorkflow: RecordRules<'workflowDefinition'> = ({ before, after, written }) => [
  after.storeType === null && (before === null || written.includes('storeType'))
    ? broken('storeType', 'required')
    : null,
];
