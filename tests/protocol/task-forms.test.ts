import { expect } from 'chai';
import { formCalled, readTaskForms, taskFormOf } from '#protocol/task-forms.ts';

const waiting = {
  name: 'waiting',
  title: 'forms.waiting.title',
  instructions: null,
  fields: ['project-name'],
  lists: [],
  comment: false,
  release: false,
  commands: [],
  then: 'stay',
};
const approval = {
  ...waiting,
  name: 'approval',
  lists: [{ kind: 'artifacts', types: ['apk'] }, { kind: 'reviewers' }],
  comment: true,
  commands: [{ name: 'Approve', label: 'commands.approve', tone: 'forward', comment: 'optional' }],
  then: 'tasks',
};
const script = {
  formatVersion: 1,
  flows: [{ name: 'Flow', otherwise: 'waiting', states: { Approval: 'approval' } }],
  forms: [approval, waiting],
};

function read(changed: object = {}) {
  const all = readTaskForms({ ...script, ...changed });
  if (all === null) throw new Error('The forms cannot be used');
  return all;
}

describe('[wire 13] task forms [R340]', () => {
  it('are found by flow and state, and wait where nothing is named', () => {
    const all = read();
    expect(taskFormOf(all, 'Flow', 'Approval').name).to.equal('approval');
    for (const [flow, state] of [
      ['Flow', 'Product Build'],
      ['Flow', 'toString'],
      ['Other', 'Approval'],
    ] as const)
      expect(taskFormOf(all, flow, state).name, `${flow}, ${state}`).to.equal('waiting');
    expect(taskFormOf(all, null, 'Approval').name).to.equal('waiting');
    expect(formCalled(all, 'never heard of').name).to.equal('waiting');
  });

  it('ask for the words of a release where the server says so, which an earlier one does not', () => {
    const earlier = { ...approval, name: 'earlier', release: undefined };
    const forms = [earlier, { ...approval, release: true }, waiting];
    expect(read({ forms }).forms.map(({ release }) => release)).to.deep.equal([
      ...[false, true, false],
    ]);
  });

  it('leave out what a later server may have', () => {
    const later = {
      ...approval,
      fields: ['mood', 'project-name'],
      lists: [{ kind: 'songs' }, { kind: 'reviewers', of: 'whom' }],
      more: true,
    };
    const [form] = read({ forms: [later, waiting], more: true }).forms;
    expect(form).to.deep.equal({
      ...approval,
      fields: ['project-name'],
      lists: [{ kind: 'reviewers' }],
    });
  });

  for (const [why, changed] of Object.entries({
    'of another format': { formatVersion: 2 },
    'without forms': { forms: undefined },
    'without one that waits': { forms: [approval] },
    'with a form that has no commands': { forms: [waiting, { ...approval, commands: null }] },
    'with a command of no tone': {
      forms: [
        waiting,
        { ...approval, commands: [{ name: 'Approve', label: 'x', comment: 'optional' }] },
      ],
    },
    'with states that lead to no form': {
      flows: [{ name: 'Flow', otherwise: 'waiting', states: { Approval: 7 } }],
    },
  }))
    it(`cannot be used ${why}`, () => {
      expect(readTaskForms({ ...script, ...changed })).to.equal(null);
    });

  it('cannot be used when there is no script', () => {
    for (const nothing of [null, undefined, '', []]) expect(readTaskForms(nothing)).to.equal(null);
  });
});
