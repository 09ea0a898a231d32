import { choice, instant, line, one, resource, text, uuid } from './define.ts';
import type { RecordOf } from './define.ts';
import { WORKFLOW_TYPES } from './workflow-definition.ts';

/** One row of a product's history, or of its foreseeable way (`dateTransition` null). */
export const productTransition = resource(
  'productTransition',
  'LG',
  {
    /** 1 activity, 2 started, 3 completed, 4 cancelled, 5 project access. */
    transitionType: choice(1, 2, 3, 4, 5).required().by('server'),
    workflowType: choice(...WORKFLOW_TYPES).by('server'),
    initialState: line().by('server'),
    destinationState: line().by('server'),
    command: line().by('server'),
    allowedUserNames: line().by('server'),
    comment: text().by('server'),
    dateStarted: instant().by('server'),
    dateTransition: instant().by('server'),
    workflowUserId: uuid().by('server'),
    product: one('product').by('server'),
  },
  { belongsTo: 'product.project.organization', below: ['product'], load: 'ask', narrowed: true },
);

export type ProductTransition = RecordOf<typeof productTransition>;
