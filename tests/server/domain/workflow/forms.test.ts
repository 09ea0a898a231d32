import { expect } from 'chai';
import { readTaskForms, taskFormOf } from '#protocol/task-forms.ts';
import type { TaskForm, TaskForms } from '#protocol/task-forms.ts';
import { buildsAgain, endsTheWork, startsBuild } from '#rules/task/task.ts';
import { seed } from '#server/db/migrations/004-seeds.ts';
import { taskFormsScript } from '#server/domain/workflow/forms.ts';
import { machines } from '#server/domain/workflow/machines/machines.ts';
import { buildStates, isFinal, isPersons, NEEDS_COMMENT } from '#server/domain/workflow/steps.ts';
import english from '#text/en-US.json' with { type: 'json' };

const texts: ReadonlySet<string> = new Set(Object.keys(english));
const keyOf = (area: string, name: string) => `${area}.${name.toLowerCase().replaceAll(' ', '-')}`;

/** Reads the script as a client does. */
async function read(): Promise<TaskForms> {
  const address = `data:text/javascript,${encodeURIComponent(taskFormsScript())}`;
  const forms = readTaskForms(await import(address));
  if (forms === null) throw new Error('The script cannot be used');
  return forms;
}

/** Scheme and flow of every definition that an installation starts with. */
async function seeded(): Promise<readonly (readonly [scheme: string, flow: string])[]> {
  const pairs: (readonly [string, string])[] = [];
  const query = (statement: string, values: readonly unknown[] = []) => {
    const [, columns = ''] = /^insert into workflow_definitions \((.*?)\)/.exec(statement) ?? [];
    const valueOf = (column: string) => String(values[columns.split(', ').indexOf(column)]);
    if (columns !== '') pairs.push([valueOf('workflow_scheme'), valueOf('workflow_business_flow')]);
    return Promise.resolve();
  };
  await seed({ query } as never, { clock: () => 0 } as never);
  return pairs;
}

describe('[domain 6] the task forms', () => {
  let all: TaskForms;
  let pairs: Awaited<ReturnType<typeof seeded>>;
  before(async () => {
    all = await read();
    pairs = await seeded();
  });
  const form = (name: string): TaskForm => {
    const found = all.forms.find((each) => each.name === name);
    if (found === undefined) throw new Error(`No form is called ${name}`);
    return found;
  };

  it('know every flow that an installation starts with', () => {
    expect(pairs).to.have.length(14);
    const known = all.flows.map(({ name }) => name);
    for (const [, flow] of pairs) expect(known).to.include(flow);
  });

  it('have a form of their own for every state where people have something to do', () => {
    for (const [scheme, flow] of pairs) {
      const { steps = [] } = machines.get(scheme) ?? {};
      expect(steps, scheme).to.not.have.length(0);
      for (const { to } of steps) {
        const isAutomatic =
          !isFinal(to) && !steps.some((step) => step.from === to && isPersons(step));
        expect(taskFormOf(all, flow, to).name === 'waiting', `${flow}, ${to}`).to.equal(
          isAutomatic,
        );
      }
    }
  });

  it('offer the commands that the machines take in their states, in one order, and no other', () => {
    const wanted = new Map<string, Set<string>>();
    for (const [scheme, flow] of pairs)
      for (const step of (machines.get(scheme)?.steps ?? []).filter(isPersons)) {
        const { name } = taskFormOf(all, flow, step.from);
        wanted.set(name, (wanted.get(name) ?? new Set()).add(step.given));
      }
    for (const { name, commands } of all.forms) {
      const names = commands.map((command) => command.name);
      expect([...names].sort(), name).to.deep.equal([...(wanted.get(name) ?? [])].sort());
      expect(names.length === 0 || commands[0]?.tone === 'forward', name).to.equal(true);
    }
  });

  it('ask for a comment where a machine refuses a command without one', () => {
    for (const { name, commands, comment } of all.forms) {
      expect(comment, name).to.equal(commands.length > 0);
      for (const command of commands)
        expect(command.comment === 'required', `${name}, ${command.name}`).to.equal(
          NEEDS_COMMENT.some((each) => each === command.name),
        );
    }
  });

  it('have texts for themselves, their states and their commands', () => {
    const states = [...machines.values()].flatMap(({ steps }) => steps.map(({ to }) => to));
    const commands = all.forms.flatMap((each) => each.commands);
    const keys = [
      ...all.forms.flatMap(({ title, instructions }) => [title, instructions ?? title]),
      ...commands.map(({ label }) => label),
      ...commands.map(({ name }) => keyOf('changes.command', name)),
      ...states.map((state) => keyOf('states', state)),
    ];
    expect(keys.filter((key) => !texts.has(key))).to.deep.equal([]);
  });

  it('tell which commands build, and which of them builds anew after a failure', () => {
    for (const { steps } of machines.values())
      for (const step of steps.filter(isPersons)) {
        const isBuild = Object.values<string>(buildStates).includes(step.to);
        const isFirst = step.from === 'App Builder Configuration';
        expect(startsBuild(step.from, step.given), step.rule).to.equal(isBuild);
        expect(buildsAgain(step.from, step.given), step.rule).to.equal(isBuild && !isFirst);
      }
  });

  it('tell which commands end the work for good', () => {
    for (const { steps } of machines.values())
      for (const step of steps.filter(isPersons))
        expect(endsTheWork(step.from, step.given), step.rule).to.equal(step.to === 'Terminated');
  });

  it('are of the form that is promised', () => {
    expect(form('approval')).to.deep.equal({
      name: 'approval',
      title: 'forms.approval.title',
      instructions: 'forms.approval.instructions',
      fields: [
        ...['project-name', 'project-description', 'store', 'store-language', 'product'],
        ...['application-type', 'language', 'user-name', 'user-email'],
      ],
      lists: [],
      comment: true,
      release: false,
      commands: [
        { name: 'Approve', label: 'commands.approve', tone: 'forward', comment: 'optional' },
        { name: 'Hold', label: 'commands.hold', tone: 'other', comment: 'required' },
        { name: 'Reject', label: 'commands.reject', tone: 'back', comment: 'required' },
      ],
      then: 'tasks',
    });
    expect(form('web-verify').lists).to.deep.equal([
      { kind: 'artifacts', types: ['html', 'pwa'] },
      { kind: 'reviewers' },
    ]);
    expect(form('verify').lists[0]).to.deep.equal({ kind: 'artifacts', types: null });
    expect(
      ['google-play-verify', 'verify', 'web-verify', 'asset-package-verify', 'approval'].map(
        (name) => form(name).release,
      ),
    ).to.deep.equal([true, true, true, true, false]);
    expect(form('waiting').fields).to.deep.equal(['project-name', 'project-description']);
  });
});
