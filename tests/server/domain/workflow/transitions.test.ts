import { expect } from 'chai';
import type { ProductTransition } from '#schema/product-transition.ts';
import {
  dateActiveOf,
  inOrder,
  lastComment,
  rowOfAccess,
} from '#server/domain/workflow/transitions.ts';
import { recordOf } from '../../../support/records.ts';
import { ABE, ADA, build, known, Life, OLA, release, theMachine, word } from './life.ts';

const isToCome = ({ dateTransition }: ProductTransition) => dateTransition === null;
const past = ({ rows }: Life) => inOrder(rows.filter((row) => !isToCome(row)));
const toCome = ({ rows }: Life) => inOrder(rows.filter(isToCome));

/** Returns a row in words: where from and to, and the command. */
function told({ initialState, destinationState, command, transitionType }: ProductTransition) {
  if (initialState === null) return `type ${transitionType}`;
  return `${initialState} → ${destinationState ?? ''}${command === null ? '' : `, ${command}`}`;
}

const aStartup = () => new Life(theMachine('Default_Android_S3'), known());
const aRebuild = () => new Life(theMachine('Default_Html_Cloud_Rebuild'), known());

describe('[domain 5.1] the rows of a start [R206]', () => {
  it('tell that it started, by whom, and nothing more of that', () => {
    expect(past(aStartup())).to.have.length(1);
    expect(past(aStartup())[0]).to.deep.include({
      transitionType: 2,
      workflowType: 1,
      workflowUserId: OLA,
      initialState: null,
      destinationState: null,
      command: null,
      allowedUserNames: null,
      comment: null,
      dateStarted: null,
    });
  });

  it('[T2] foresee the way: with command and names where a person goes, with neither elsewhere', () => {
    const way = toCome(aStartup());
    expect(way.map(told)).to.deep.equal([
      'Readiness Check → Approval, Continue',
      'Approval → Product Creation, Approve',
      'Product Creation → App Builder Configuration',
      'App Builder Configuration → Product Build, Continue',
      'Product Build → Verify and Publish',
      'Verify and Publish → Product Publish, Approve',
      'Product Publish → Published',
    ]);
    expect(way.map(({ allowedUserNames }) => allowedUserNames)).to.deep.equal([
      OLA,
      `${ABE}, ${ADA}`,
      null,
      OLA,
      null,
      OLA,
      null,
    ]);
    expect(way.every(({ transitionType }) => transitionType === 1)).to.equal(true);
  });

  it('say since when the first is waited for, and of no other', () => {
    const life = aStartup();
    const [first, ...others] = toCome(life);
    expect(first?.dateStarted).to.equal(past(life)[0]?.dateTransition);
    expect(others.every(({ dateStarted }) => dateStarted === null)).to.equal(true);
  });
});

describe('[domain 5.1] the rows of a step [R206]', () => {
  it('[T1, T3] date the row that was foreseen, with who did it and what they said', () => {
    const life = aStartup();
    const id = toCome(life)[0]?.id;
    life.give(word('Continue', OLA, 'Ready'));
    expect(past(life)[1]).to.deep.include({
      id,
      command: 'Continue',
      comment: 'Ready',
      workflowUserId: OLA,
      allowedUserNames: OLA,
      dateStarted: past(life)[0]?.dateTransition,
    });
  });

  it('[T1] keep the rows to come that say the same', () => {
    const life = aStartup();
    const before = toCome(life).slice(1);
    life.give(word('Continue', OLA));
    expect(toCome(life).map(({ id }) => id)).to.deep.equal(before.map(({ id }) => id));
  });

  it('[T1] write no more than what is different', () => {
    const life = aRebuild();
    const { written } = life;
    life.give(build('succeeded'));
    // The row that is dated, the one that is next now, and a task.
    expect(life.written - written).to.equal(3);
  });

  it('[T3] leave an automatic step without command, comment and person', () => {
    const life = aRebuild();
    life.give(build('succeeded'));
    expect(past(life)[1]).to.deep.include({
      initialState: 'Product Rebuild',
      destinationState: 'Verify and Publish',
      command: null,
      comment: null,
      workflowUserId: null,
      allowedUserNames: null,
    });
  });

  it('[T4] put a step that was not foreseen before the way, which is longer then', () => {
    const life = aRebuild();
    const kept = toCome(life).map(({ id }) => id);
    life.give(build('failed'));
    expect(past(life).map(told)).to.deep.equal(['type 2', 'Product Rebuild → Synchronize Data']);
    expect(past(life)[1]?.comment).to.equal('system.build-failed,/console');
    const way = toCome(life);
    expect(way[0] === undefined ? '' : told(way[0])).to.equal(
      'Synchronize Data → Product Rebuild, Continue',
    );
    expect(way.slice(1).map(({ id }) => id)).to.deep.equal(kept);
  });

  it('[T4] tell of Hold again and of Email Reviewers with equal states', () => {
    const life = aRebuild();
    life.give(build('succeeded'));
    const way = toCome(life).map(({ id }) => id);
    life.give(word('Email Reviewers', OLA, 'Have a look'));
    const last = past(life).at(-1);
    expect(last === undefined ? '' : told(last)).to.equal(
      'Verify and Publish → Verify and Publish, Email Reviewers',
    );
    expect(toCome(life).map(({ id }) => id)).to.deep.equal(way);
    expect(toCome(life)[0]?.dateStarted).to.equal(last?.dateTransition);
  });

  it('[T4] give Existing App a row of its own, and the way of an app that is in the store', () => {
    const life = new Life(theMachine('LowAdmin_Android_GooglePlay'), known());
    life.give({ is: 'job created' });
    life.give(word('Existing App', OLA));
    expect(past(life).map(told).at(-1)).to.equal(
      'App Builder Configuration → Product Build, Existing App',
    );
    expect(toCome(life).map(told)).to.deep.equal([
      'Product Build → Verify and Publish',
      'Verify and Publish → Product Publish, Approve',
      'Product Publish → Published',
    ]);
  });

  it('tell of both steps when a product that has a job goes on at once', () => {
    const life = new Life(theMachine('Default_Android_S3'), known({ hasJob: true }));
    life.give(word('Continue', OLA));
    life.give(word('Approve', ADA));
    expect(past(life).slice(2).map(told)).to.deep.equal([
      'Approval → Product Creation, Approve',
      'Product Creation → App Builder Configuration',
    ]);
  });

  it('[T5] date the row into Published, then the end, and leave nothing to come [R243]', () => {
    const life = aRebuild();
    life.give(build('succeeded'));
    life.give(word('Approve', OLA));
    life.give(release('succeeded'));
    expect(past(life).slice(-2).map(told)).to.deep.equal(['Product Publish → Published', 'type 3']);
    expect(past(life).at(-1)).to.deep.include({ workflowType: 2, workflowUserId: null });
    expect([toCome(life), life.tasks]).to.deep.equal([[], []]);
  });

  it('[T5] date the row into Terminated too', () => {
    const life = aStartup();
    life.give(word('Continue', OLA));
    life.give(word('Reject', ADA, 'Not ours'));
    expect(past(life).slice(-2).map(told)).to.deep.equal([
      'Approval → Terminated, Reject',
      'type 3',
    ]);
    expect([toCome(life), life.tasks]).to.deep.equal([[], []]);
  });

  it('of a cancel tell who did it, and leave nothing to come [R243]', () => {
    const life = aRebuild();
    life.give({ is: 'cancel', by: ADA });
    expect(past(life).at(-1)).to.deep.include({
      transitionType: 4,
      workflowType: 2,
      workflowUserId: ADA,
      initialState: null,
    });
    expect([toCome(life), life.tasks]).to.deep.equal([[], []]);
  });

  it('[W62] of a move tell the reason, and who gave it, without a command', () => {
    const life = aRebuild();
    life.give({ is: 'move', to: 'Verify and Publish', by: ADA, comment: 'It hung' });
    expect(past(life).at(-1)).to.deep.include({
      initialState: 'Product Rebuild',
      destinationState: 'Verify and Publish',
      command: null,
      comment: 'It hung',
      workflowUserId: ADA,
      allowedUserNames: null,
    });
  });

  it('have an order of their own when they are written at one moment', () => {
    const life = aStartup();
    life.give(word('Continue', OLA));
    life.give(word('Reject', ADA, 'Not ours'));
    const dates = past(life).map(({ dateTransition }) => String(dateTransition));
    expect(new Set(dates).size).to.equal(dates.length);
  });
});

describe('[U7] the rows to come', () => {
  it('follow who may do a step, and keep their ids', () => {
    const life = aStartup();
    const before = toCome(life).map(({ id }) => id);
    life.learn({ actors: { ...known().actors, OrgAdmin: [ADA] } });
    expect(toCome(life).map(({ id }) => id)).to.deep.equal(before);
    expect(toCome(life)[1]?.allowedUserNames).to.equal(ADA);
  });

  it('[T8] go with archiving and come back', () => {
    const life = aStartup();
    const before = toCome(life).map(told);
    const since = toCome(life)[0]?.dateStarted;
    life.learn({ isArchived: true });
    expect(toCome(life)).to.deep.equal([]);
    life.learn({ isArchived: false });
    expect(toCome(life).map(told)).to.deep.equal(before);
    expect(toCome(life)[0]?.dateStarted).to.equal(since);
  });
});

describe('an access to the repository', () => {
  const at = '2026-02-01T00:00:00.000Z';

  it('is told of without a workflow [R243]', () => {
    const life = aStartup();
    expect(rowOfAccess(life.rows, 'Project Upload', { at, by: OLA })).to.deep.equal({
      transitionType: 5,
      workflowType: null,
      initialState: 'Project Upload',
      destinationState: null,
      command: null,
      allowedUserNames: null,
      comment: null,
      workflowUserId: OLA,
      dateStarted: past(life)[0]?.dateTransition,
      dateTransition: at,
    });
    expect(rowOfAccess([], 'Project Download', { at, by: OLA }).dateStarted).to.equal(null);
  });

  it('[T6] does not count for how long a step was waited for', () => {
    const life = aStartup();
    const started = past(life)[0]?.dateTransition;
    const early = new Date(Date.parse(String(started)) + 1).toISOString();
    const access = rowOfAccess(life.rows, 'Project Upload', { at: early, by: OLA });
    life.rows = [...life.rows, recordOf('productTransition', access)];
    life.give(word('Continue', OLA));
    expect(past(life).at(-1)?.dateStarted).to.equal(started);
  });
});

describe('[U3] what was said last', () => {
  it('is the comment of the newest step that has a command or a comment', () => {
    const life = aRebuild();
    expect(lastComment(life.rows)).to.equal(null);
    life.give(build('failed'));
    expect(lastComment(life.rows)).to.equal('system.build-failed,/console');
    life.give(word('Continue', OLA));
    expect(lastComment(life.rows)).to.equal(null);
    life.give(build('succeeded'));
    life.give(word('Reject', OLA, 'The icon is wrong'));
    expect(lastComment(life.rows)).to.equal('The icon is wrong');
  });

  it('is nothing that was said in an earlier workflow', () => {
    const life = aRebuild();
    life.give(build('succeeded'));
    life.give(word('Approve', OLA, 'Looks fine'));
    expect(lastComment(life.rows)).to.equal('Looks fine');
    const [started] = past(life);
    const next = { ...started, id: 'next', dateTransition: '2026-02-20T00:00:00.000Z' };
    expect(lastComment([...life.rows, next as ProductTransition])).to.equal(null);
  });
});

describe('[D1] when a project was last at work', () => {
  const aProduct = (dateUpdated: string, productWorkflow: string | null = 'a workflow') => ({
    dateUpdated,
    productWorkflow,
  });

  it('is when a product with a running workflow last changed', () => {
    const products = [
      aProduct('2026-01-02T00:00:00.000Z'),
      aProduct('2026-01-03T00:00:00.000Z'),
      aProduct('2026-01-01T00:00:00.000Z'),
      aProduct('2026-01-09T00:00:00.000Z', null),
    ];
    expect(dateActiveOf({ dateArchived: null }, products)).to.equal('2026-01-03T00:00:00.000Z');
  });

  it('is nothing while no workflow runs, or the project is archived', () => {
    const at = '2026-01-02T00:00:00.000Z';
    expect(dateActiveOf({ dateArchived: null }, [aProduct(at, null)])).to.equal(null);
    expect(dateActiveOf({ dateArchived: at }, [aProduct(at)])).to.equal(null);
  });
});
