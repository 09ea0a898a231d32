import { isObject } from '#base/is-object.ts';

/**
 * The forms that people fill in at a task, as `GET /ui/form/businessobjects.js` states them (wire
 * 13).
 */
export interface TaskForms {
  readonly flows: readonly Flow[];
  readonly forms: readonly TaskForm[];
}

/** The form of each state of a flow; `otherwise` is that of states not listed. */
interface Flow {
  readonly name: string;
  readonly otherwise: string;
  readonly states: Readonly<Record<string, string>>;
}

export interface TaskForm {
  readonly name: string;
  /** Key of its text; so are `instructions` and a command's `label`. */
  readonly title: string;
  readonly instructions: string | null;
  readonly fields: readonly TaskField[];
  readonly lists: readonly TaskList[];
  /** True if there is a box to comment in. */
  readonly comment: boolean;
  /** True if the forward command is given with the version and the notes of the release. */
  readonly release: boolean;
  /** The forward one first. */
  readonly commands: readonly TaskFormCommand[];
  /** The page after a command: the same product, or the tasks. */
  readonly then: 'stay' | 'tasks';
}

const TASK_FIELDS = [
  'project-name',
  'project-description',
  'store',
  'store-language',
  'product',
  'application-type',
  'language',
  'user-name',
  'user-email',
  'repository-url',
] as const;
export type TaskField = (typeof TASK_FIELDS)[number];

/**
 * `types` narrows the files of the newest build; null is all. `repository` is what the project is
 * built from, with the way to bring new content.
 */
export type TaskList =
  | { readonly kind: 'artifacts'; readonly types: readonly string[] | null }
  | { readonly kind: 'reviewers' }
  | { readonly kind: 'repository' };

export interface TaskFormCommand {
  readonly name: string;
  readonly label: string;
  readonly tone: 'forward' | 'back' | 'other';
  readonly comment: 'optional' | 'required';
}

export const TASK_FORMS_VERSION = 1;

/** The form where there is nothing to do. */
export const WAITING_FORM = 'waiting';

/**
 * The forms in what the script exports; null when they cannot be used. Fields and lists that this
 * client does not know are left out; a later server may have them.
 */
export function readTaskForms(script: unknown): TaskForms | null {
  if (!isObject(script) || script.formatVersion !== TASK_FORMS_VERSION) return null;
  const flows = allOf(script.flows, flowOf);
  const forms = allOf(script.forms, formOf);
  if (flows === null || forms === null) return null;
  return forms.some(({ name }) => name === WAITING_FORM) ? { flows, forms } : null;
}

function flowOf(raw: unknown): Flow | null {
  if (!isObject(raw) || !isText(raw.name) || !isText(raw.otherwise)) return null;
  const { name, otherwise, states } = raw;
  if (!isObject(states) || !Object.values(states).every(isText)) return null;
  return { name, otherwise, states: states as Readonly<Record<string, string>> };
}

function formOf(raw: unknown): TaskForm | null {
  if (!isObject(raw) || !isText(raw.name) || !isText(raw.title)) return null;
  const { name, title, instructions, comment, then } = raw;
  if (instructions !== null && !isText(instructions)) return null;
  if (typeof comment !== 'boolean' || (then !== 'stay' && then !== 'tasks')) return null;
  const parts = partsOf(raw);
  // An earlier server does not say it.
  const release = raw.release === true;
  return parts === null ? null : { name, title, instructions, comment, release, then, ...parts };
}

function partsOf({ fields, lists, commands }: Readonly<Record<string, unknown>>) {
  const offered = allOf(commands, commandOf);
  if (!Array.isArray(fields) || !Array.isArray(lists) || offered === null) return null;
  return {
    fields: TASK_FIELDS.filter((field) => (fields as unknown[]).includes(field)),
    lists: lists.flatMap((list) => listOf(list) ?? []),
    commands: offered,
  };
}

function listOf(raw: unknown): TaskList | null {
  if (!isObject(raw)) return null;
  if (raw.kind === 'reviewers' || raw.kind === 'repository') return { kind: raw.kind };
  if (raw.kind !== 'artifacts') return null;
  const types =
    raw.types === null ? null : allOf(raw.types, (type) => (isText(type) ? type : null));
  return { kind: 'artifacts', types };
}

function commandOf(raw: unknown): TaskFormCommand | null {
  if (!isObject(raw) || !isText(raw.name) || !isText(raw.label)) return null;
  const { name, label, tone, comment } = raw;
  if (tone !== 'forward' && tone !== 'back' && tone !== 'other') return null;
  if (comment !== 'optional' && comment !== 'required') return null;
  return { name, label, tone, comment };
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** Reads all of a list; null when it is none or one of them cannot be read. */
function allOf<T>(raw: unknown, read: (one: unknown) => T | null): readonly T[] | null {
  if (!Array.isArray(raw)) return null;
  const found = raw.map(read);
  return found.every((one) => one !== null) ? found : null;
}

/** The form of `state` in the flow called `flow`. */
export function taskFormOf(all: TaskForms, flow: string | null, state: string): TaskForm {
  const found = all.flows.find(({ name }) => name === flow);
  const forms = new Map(Object.entries(found?.states ?? {}));
  return formCalled(all, forms.get(state) ?? found?.otherwise ?? WAITING_FORM);
}

/** The form called `name`; the one that waits where there is none. */
export function formCalled({ forms }: TaskForms, name: string): TaskForm {
  const form =
    forms.find((each) => each.name === name) ?? forms.find((each) => each.name === WAITING_FORM);
  if (form === undefined) throw new Error('Forms that can be used have one that waits');
  return form;
}
