import { TASK_FORMS_VERSION, WAITING_FORM } from '#protocol/task-forms.ts';
import type { TaskField, TaskForm, TaskFormCommand, TaskList } from '#protocol/task-forms.ts';
import { flows } from './machines/machines.ts';
import type { TaskFormName } from './machines/machines.ts';
import { NEEDS_COMMENT } from './steps.ts';
import type { Command } from './steps.ts';

type Row = readonly [
  form: TaskFormName,
  fields: readonly TaskField[],
  lists: readonly TaskList[],
  /** The commands, the forward one first. */
  commands: readonly Command[],
  then: TaskForm['then'],
];

const PROJECT = ['project-name', 'project-description'] as const;
const STORE = [...PROJECT, 'store', 'store-language'] as const;
const REQUEST = [
  ...STORE,
  'product',
  'application-type',
  'language',
  'user-name',
  'user-email',
] as const;
const CONTENT = [...STORE, 'repository-url'] as const;

const files = (...types: readonly string[]): TaskList => ({ kind: 'artifacts', types });
const ALL_FILES: TaskList = { kind: 'artifacts', types: null };
const REVIEWERS: TaskList = { kind: 'reviewers' };
const REPOSITORY: TaskList = { kind: 'repository' };

const DECIDE = ['Approve', 'Hold', 'Reject'] as const;
const SYNCHRONIZE = ['Continue', 'Transfer to Authors'] as const;
const HAND_BACK = ['Continue', 'Take Back'] as const;
const VERIFY = ['Approve', 'Reject', 'Email Reviewers'] as const;

/** The fields and commands of each form (domain 6.2). */
const rows: readonly Row[] = [
  ['readiness-check', STORE, [], ['Continue'], 'tasks'],
  ['approval', REQUEST, [], DECIDE, 'tasks'],
  ['approval-pending', REQUEST, [], DECIDE, 'tasks'],
  [
    'google-play-configuration',
    CONTENT,
    [REPOSITORY],
    ['New App', 'Existing App', 'Transfer to Authors'],
    'stay',
  ],
  ['app-configuration', CONTENT, [REPOSITORY], SYNCHRONIZE, 'stay'],
  ['author-configuration', CONTENT, [REPOSITORY], HAND_BACK, 'stay'],
  ['synchronize-data', CONTENT, [REPOSITORY], SYNCHRONIZE, 'stay'],
  ['author-download', CONTENT, [REPOSITORY], HAND_BACK, 'stay'],
  ['author-upload', CONTENT, [REPOSITORY], HAND_BACK, 'stay'],
  ['app-store-preview', REQUEST, [ALL_FILES], ['Approve', 'Reject'], 'stay'],
  [
    'create-app-store-entry',
    STORE,
    [files('aab', 'data-safety-csv')],
    ['Continue', 'Reject'],
    'tasks',
  ],
  ['google-play-verify', STORE, [ALL_FILES, REVIEWERS], VERIFY, 'stay'],
  ['verify', STORE, [ALL_FILES, REVIEWERS], VERIFY, 'stay'],
  ['web-verify', [...PROJECT, 'store'], [files('html', 'pwa'), REVIEWERS], VERIFY, 'stay'],
  [
    'asset-package-verify',
    [...PROJECT, 'store'],
    [files('asset-package', 'asset-preview'), REVIEWERS],
    VERIFY,
    'stay',
  ],
  ['make-it-live', STORE, [], ['Continue', 'Reject'], 'stay'],
  ['published', STORE, [ALL_FILES, REVIEWERS], [], 'stay'],
  ['terminated', [...PROJECT, 'store'], [], [], 'stay'],
  [WAITING_FORM, PROJECT, [], [], 'stay'],
];

const TONES: Readonly<Record<Command, TaskFormCommand['tone']>> = {
  Continue: 'forward',
  Approve: 'forward',
  'New App': 'forward',
  'Existing App': 'forward',
  Reject: 'back',
  'Take Back': 'back',
  Hold: 'other',
  'Transfer to Authors': 'other',
  'Email Reviewers': 'other',
};

const commandOf = (name: Command): TaskFormCommand => ({
  name,
  label: `commands.${name.toLowerCase().replaceAll(' ', '-')}`,
  tone: TONES[name],
  comment: NEEDS_COMMENT.includes(name) ? 'required' : 'optional',
});

const forms: readonly TaskForm[] = rows.map(([name, fields, lists, commands, then]) => ({
  name,
  title: `forms.${name}.title`,
  instructions: `forms.${name}.instructions`,
  fields,
  lists,
  comment: commands.length > 0,
  release: commands === VERIFY,
  commands: commands.map(commandOf),
  then,
}));

/** Returns the script of wire 13, which has the form of every flow and state. */
export function taskFormsScript(): string {
  const states = Object.entries(flows).map(([name, byState]) => ({
    name,
    otherwise: WAITING_FORM,
    states: byState,
  }));
  return [
    `export const formatVersion = ${TASK_FORMS_VERSION};`,
    `export const flows = ${JSON.stringify(states, null, 1)};`,
    `export const forms = ${JSON.stringify(forms, null, 1)};`,
    '',
  ].join('\n');
}
