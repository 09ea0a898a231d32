import { expect } from 'chai';
import { NO_FLAGS } from '#server/domain/workflow/guards.ts';
import type { WorkflowFacts } from '#server/domain/workflow/guards.ts';
import type { State } from '#server/domain/workflow/steps.ts';
import { taskChanges, tasksOf, waitsForNobody } from '#server/domain/workflow/tasks.ts';
import { recordOf } from '../../../support/records.ts';
import { ABE, ADA, AVA, known, Life, OLA, theMachine, word } from './life.ts';

const machine = theMachine('Default_Android_GooglePlay');
const actors = known().actors;

/** Returns the tasks in `state`: the person and their commands. */
function tasksIn(state: State, facts: Partial<WorkflowFacts> = {}) {
  const tasks = tasksOf(machine, { state, flags: NO_FLAGS }, known(facts), null);
  return Object.fromEntries(tasks.map(({ user, commands }) => [user, commands]));
}

/** Returns the people to whom the tasks in `state` are assigned, by their owner. */
function assignedIn(state: State, facts: Partial<WorkflowFacts> = {}) {
  const tasks = tasksOf(machine, { state, flags: NO_FLAGS }, known(facts), null);
  return Object.fromEntries(tasks.map(({ user, assigned }) => [user, assigned]));
}

describe('[domain 5.2] tasks [R208]', () => {
  it('[U1] has everyone who is an actor of a command of the state, and nobody else', () => {
    const decide = ['Approve', 'Hold', 'Reject'];
    expect(tasksIn('Approval')).to.deep.equal({ [ADA]: decide, [ABE]: decide });
    expect(tasksIn('Readiness Check')).to.deep.equal({ [OLA]: ['Continue'] });
    expect(tasksIn('Author Download')).to.deep.equal({ [AVA]: ['Continue'], [OLA]: ['Take Back'] });
  });

  it('[U1] nobody has in a state that is automatic', () => {
    for (const state of ['Product Creation', 'Product Build', 'Product Publish'] as const)
      expect(tasksIn(state)).to.deep.equal({});
  });

  it('[U1] has one person once, who is two actors', () => {
    const both = { actors: { ...actors, Author: [OLA] } };
    expect(tasksIn('Author Upload', both)).to.deep.equal({ [OLA]: ['Continue', 'Take Back'] });
  });

  it('[U2] say the state, and who has them when they alone can go forward [R252, R429]', () => {
    const [task] = tasksOf(
      machine,
      { state: 'Verify and Publish', flags: NO_FLAGS },
      known(),
      'Hi',
    );
    expect(task).to.deep.equal({
      user: OLA,
      activityName: 'Verify and Publish',
      status: 'Verify and Publish',
      comment: 'Hi',
      commands: ['Approve', 'Reject', 'Email Reviewers'],
      assigned: OLA,
    });
    expect(assignedIn('Approval')).to.deep.equal({ [ADA]: null, [ABE]: null });
    const alone = { actors: { ...actors, OrgAdmin: [ADA] } };
    expect(assignedIn('Approval', alone)).to.deep.equal({ [ADA]: ADA });
    expect(assignedIn('Author Upload')).to.deep.equal({ [AVA]: AVA, [OLA]: null });
  });

  it('[U8] nobody has in an archived project', () => {
    expect(tasksIn('Approval', { isArchived: true })).to.deep.equal({});
  });

  it('[U9] the owner can still take back what waits for authors who are no more', () => {
    const none = { actors: { ...actors, Author: [] } };
    const at = { state: 'Author Upload', flags: NO_FLAGS } as const;
    expect(tasksIn('Author Upload', none)).to.deep.equal({ [OLA]: ['Take Back'] });
    expect(waitsForNobody(machine, at, known(none))).to.equal(false);
  });

  it('[U9] a state whose actors are all gone waits for nobody', () => {
    const none = known({ actors: { ...actors, Owner: [] } });
    const at = (state: State) => ({ state, flags: NO_FLAGS });
    expect(waitsForNobody(machine, at('Verify and Publish'), none)).to.equal(true);
    expect(waitsForNobody(machine, at('Approval'), none)).to.equal(false);
    expect(waitsForNobody(machine, at('Product Build'), none)).to.equal(false);
    const archived = { ...none, isArchived: true };
    expect(waitsForNobody(machine, at('Verify and Publish'), archived)).to.equal(false);
  });
});

describe('[U4] a task', () => {
  it('lives as long as the visit: Hold again changes its comment, approval removes it', () => {
    const life = new Life(machine, known());
    life.give(word('Continue', OLA));
    life.give(word('Hold', ADA, 'Ask Ben'));
    const before = life.tasks;
    life.give(word('Hold', ABE, 'Ask Cleo'));
    expect(life.tasks.map(({ id }) => id)).to.deep.equal(before.map(({ id }) => id));
    expect(life.tasks.map(({ comment }) => comment)).to.deep.equal(['Ask Cleo', 'Ask Cleo']);
    life.give(word('Approve', ADA));
    expect(life.tasks).to.deep.equal([]);
  });

  it('is made anew upon entering another state, for the same person too', () => {
    const life = new Life(theMachine('NoAdmin_Android_S3'), known());
    life.give({ is: 'job created' });
    const [before] = life.tasks;
    life.give(word('Transfer to Authors', OLA));
    const after = life.tasks.find(({ user }) => user === OLA);
    expect(after?.commands).to.deep.equal(['Take Back']);
    expect(after?.id).to.not.equal(before?.id);
  });

  it('[U7] keeps its id while others come and go, and follows what may be done', () => {
    const life = new Life(theMachine('NoAdmin_Android_S3'), known());
    life.give({ is: 'job created' });
    const id = life.tasks[0]?.id;
    life.learn({ actors: { ...actors, Author: [] } });
    expect(life.tasks).to.have.length(1);
    expect(life.tasks[0]).to.deep.include({ id, commands: ['Continue'] });
  });

  it('[U5] that says the same is left alone', () => {
    const life = new Life(machine, known());
    const { standing: snapshot, tasks } = life;
    if (snapshot === null) throw new Error('It has begun');
    expect(taskChanges(tasks, tasksOf(machine, snapshot, known(), null), false)).to.deep.equal({
      removed: [],
      changed: [],
      added: [],
    });
  });

  it('of a former owner goes, and the new one gets theirs', () => {
    const mine = recordOf('userTask', { user: OLA, status: 'Verify and Publish' });
    const at = { state: 'Verify and Publish', flags: NO_FLAGS } as const;
    const wanted = tasksOf(machine, at, known({ actors: { ...actors, Owner: [AVA] } }), null);
    const { removed, changed, added } = taskChanges([mine], wanted, false);
    expect([removed, changed, added.map(({ user }) => user)]).to.deep.equal([[mine.id], [], [AVA]]);
  });

  it('[U8] goes with archiving and comes back, for the state reached meanwhile', () => {
    const life = new Life(theMachine('Default_Html_Cloud_Rebuild'), known());
    life.learn({ isArchived: true });
    life.give({ is: 'build succeeded', about: 'the newest' });
    expect(life.tasks).to.deep.equal([]);
    life.learn({ isArchived: false });
    expect(life.tasks.map(({ status }) => status)).to.deep.equal(['Verify and Publish']);
  });
});
