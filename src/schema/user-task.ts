import { line, list, one, resource, text } from './define.ts';
import type { RecordOf } from './define.ts';

/** One person's part in the present visit of a workflow state. */
export const userTask = resource(
  'userTask',
  'LG',
  {
    activityName: line().by('server'),
    /** The workflow state. */
    status: line().by('server'),
    comment: text().by('server'),
    /** The commands that its person may give now. */
    commands: list().orElse([]).by('server'),
    user: one('user').by('server'),
    product: one('product').by('server'),
    /** Its person, when they alone can do it; null when several can. */
    assigned: one('user').by('server'),
  },
  {
    belongsTo: 'product.project.organization',
    below: ['product', 'user'],
    load: 'first',
    narrowed: true,
  },
);

export type UserTask = RecordOf<typeof userTask>;
