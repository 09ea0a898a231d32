import { broken } from './broken.ts';
import type { RecordRules } from './form.ts';

const TYPES = { workflow: 1, rebuildWorkflow: 2, republishWorkflow: 3 } as const;
const NAMES = ['workflow', 'rebuildWorkflow', 'republishWorkflow'] as const;

/** Each of its workflows is of the right type, and enabled. */
export const brokenDefinition: RecordRules<'productDefinition'> = ({
  after,
  before,
  written,
  find,
}) =>
  NAMES.flatMap((name) => {
    const id = after[name];
    if (id === null || !(before === null || written.includes(name))) return [];
    const workflow = find.one('workflowDefinition', id);
    if (workflow === null) return [];
    if (workflow.type !== TYPES[name]) return [broken(name, 'mismatch')];
    return workflow.enabled ? [] : [broken(name, 'not-enabled')];
  });
