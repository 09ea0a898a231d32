import { line, one, resource, text } from './define.ts';
import type { RecordOf } from './define.ts';

/** A command given to a task; can wait offline. */
export const taskCommand = resource(
  'taskCommand',
  'C',
  {
    command: line().required().by('create'),
    comment: text(4_000).by('create'),
    state: line().required().by('create'),
    /** What the release is called by, and what is new in it; with the command that publishes alone. */
    releaseVersion: line(50).by('create'),
    releaseNotes: text(2_000).by('create'),
    stateAfter: line().by('server'),
    userTask: one('userTask').required().by('create'),
  },
  {
    belongsTo: 'userTask.product.project.organization',
    isStored: false,
    isCommand: true,
    sample: { command: 'Continue', state: 'Approval' },
  },
);

export type TaskCommand = RecordOf<typeof taskCommand>;
