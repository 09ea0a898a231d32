import { expect } from 'chai';
import { authorsMayUpload } from '#server/domain/workflow/effects.ts';
import { NO_FLAGS } from '#server/domain/workflow/guards.ts';
import type { Flags, WorkflowFacts } from '#server/domain/workflow/guards.ts';
import { commandsOf, start, step } from '#server/domain/workflow/step.ts';
import type { WorkflowEvent } from '#server/domain/workflow/step.ts';
import type { State } from '#server/domain/workflow/steps.ts';
import { ABE, ADA, AVA, build, known, OLA, release, theMachine, word } from './life.ts';

const PLAY = 'Default_Android_GooglePlay';
const FILES = 'NoAdmin_Android_S3';
const REBUILD = 'Default_Html_Cloud_Rebuild';

interface Case {
  readonly scheme?: string;
  readonly flags?: Partial<Flags>;
  readonly facts?: Partial<WorkflowFacts>;
}

/**
 * Returns the outcome of `given` in `state`, of an app for the Play store unless said otherwise.
 */
function giving(state: State, event: WorkflowEvent, { scheme = PLAY, flags, facts }: Case = {}) {
  const at = { state, flags: { ...NO_FLAGS, ...flags } };
  return step(theMachine(scheme), at, known(facts), event);
}

/** The effects of it, in words. */
function effects(state: State, event: WorkflowEvent, more: Case = {}): readonly string[] {
  const outcome = giving(state, event, more);
  if (outcome.is === 'refused') throw new Error(outcome.because);
  return outcome.effects.flatMap((effect) => {
    if (effect.do === 'notify') return [...effect.messages];
    return 'success' in effect ? [`${effect.do} ${String(effect.success)}`] : [effect.do];
  });
}

describe('[domain 4.3] the effects of a step', () => {
  it('entering Product Creation asks the engine for a job', () => {
    expect(effects('Approval', word('Approve', ADA))).to.deep.equal(['create-job']);
    const begun = start(theMachine(FILES), known());
    expect(begun).to.deep.include({ is: 'moved', state: 'Product Creation' });
    expect(begun).to.have.deep.property('effects', [{ do: 'create-job' }]);
  });

  it('a job that is created is told of', () => {
    expect(effects('Product Creation', { is: 'job created' })).to.deep.equal([
      'productCreatedSuccessfully',
    ]);
  });

  it('a product that has a job goes on at once, and nobody is asked or told', () => {
    const outcome = giving('Approval', word('Approve', ADA), { facts: { hasJob: true } });
    expect(outcome).to.deep.include({ is: 'moved', state: 'App Builder Configuration' });
    expect(outcome).to.have.deep.property('effects', []);
    expect(outcome).to.have.property('taken').that.has.length(2);
  });

  it('Existing App is remembered', () => {
    const outcome = giving('App Builder Configuration', word('Existing App', OLA));
    expect(outcome).to.have.deep.property('flags', { ...NO_FLAGS, existing: true });
  });

  it('entering Create App Store Entry is remembered, from the preview and from the build', () => {
    const draft = { ...NO_FLAGS, draft: true };
    const approved = giving('App Store Preview', word('Approve', ADA));
    expect(approved).to.have.deep.property('flags', draft);
    const built = giving('Product Build', build('succeeded'), {
      scheme: 'LowAdmin_Android_GooglePlay',
    });
    expect(built).to.have.deep.property('flags', draft);
  });

  it('the store entry remembers the newest successful build, if there is one', () => {
    const outcome = giving('Create App Store Entry', word('Continue', ADA));
    const uploaded = { buildId: 7, versionCode: '12' };
    expect(outcome).to.have.deep.property('flags', { ...NO_FLAGS, uploaded });
    const none = giving('Create App Store Entry', word('Continue', ADA), {
      facts: { newestBuild: null },
    });
    expect(none).to.have.deep.property('flags', NO_FLAGS);
  });

  it('what the owner says of a release is remembered, in place of what was said of the one before', () => {
    const release = { version: '2.0', notes: 'Songs' };
    const given = { ...word('Approve', OLA), release } as const;
    const flags = { release: { version: '1.0', notes: null } };
    const outcome = giving('Verify and Publish', given, { flags });
    expect(outcome).to.have.deep.property('flags', { ...NO_FLAGS, release });
    const silent = giving('Verify and Publish', word('Approve', OLA), { flags });
    expect(silent).to.have.deep.property('flags', NO_FLAGS);
  });

  it('a roll back begins with the release of its build, which a new build makes forgotten', () => {
    const begun = start(theMachine(REBUILD), known(), ABE);
    const flags = { ...NO_FLAGS, build: ABE };
    expect(begun).to.deep.include({ is: 'moved', state: 'Product Publish', flags, taken: [] });
    expect(begun).to.have.deep.property('effects', [{ do: 'start-release' }]);
    const failed = giving('Product Publish', release('failed'), { scheme: REBUILD, flags });
    expect(failed).to.deep.include({ state: 'Synchronize Data', flags });
    const again = giving('Synchronize Data', word('Continue', OLA), { scheme: REBUILD, flags });
    expect(again).to.deep.include({ state: 'Product Rebuild', flags: NO_FLAGS });
  });

  it('a failed build forgets nothing', () => {
    const uploaded = { buildId: 7, versionCode: '12' };
    const flags = { ...NO_FLAGS, existing: true, draft: true, uploaded };
    const outcome = giving('Product Build', build('failed'), { flags });
    expect(outcome).to.have.deep.property('flags', flags);
  });

  it('entering a build state begins a build', () => {
    expect(effects('App Builder Configuration', word('New App', OLA))).to.deep.equal([
      'start-build',
    ]);
    expect(effects('Synchronize Data', word('Continue', OLA))).to.deep.equal(['start-build']);
    for (const scheme of [REBUILD, 'Default_Android_GooglePlay_Republish'])
      expect(start(theMachine(scheme), known())).to.have.deep.property('effects', [
        { do: 'start-build' },
      ]);
  });

  it('a build that succeeded is recorded and told of, whichever way it leads', () => {
    const expected = ['record-build true', 'buildCompletedSuccessfully'];
    expect(effects('Product Build', build('succeeded'))).to.deep.equal(expected);
    expect(effects('Product Build', build('succeeded'), { scheme: FILES })).to.deep.equal(expected);
    expect(
      effects('Product Build', build('succeeded'), { scheme: 'LowAdmin_Android_GooglePlay' }),
    ).to.deep.equal(expected);
  });

  it('a build that failed is recorded, told of, and says where its console text is [R64, R407]', () => {
    expect(effects('Product Build', build('failed'))).to.deep.equal([
      'record-build false',
      'buildFailedOwner',
      'buildFailedAdmin',
    ]);
    const [taken] = takenBy('Product Build', build('failed'));
    expect(taken?.comment).to.equal('system.build-failed,/console');
    const silent: WorkflowEvent = { is: 'build failed', about: 'the newest', consoleUrl: null };
    expect(takenBy('Product Build', silent)[0]?.comment).to.equal('system.build-failed');
  });

  it('approving the verification begins a release', () => {
    expect(effects('Verify and Publish', word('Approve', OLA))).to.deep.equal(['start-release']);
  });

  it('a release that succeeded is recorded and told of', () => {
    const expected = ['record-release true', 'releaseCompletedSuccessfully'];
    expect(effects('Product Publish', release('succeeded'))).to.deep.equal(expected);
    expect(effects('Product Publish', release('succeeded'), { scheme: FILES })).to.deep.equal(
      expected,
    );
  });

  it('a release that failed is recorded, told of, and says where its console text is [R64, R407]', () => {
    expect(effects('Product Publish', release('failed'))).to.deep.equal([
      'record-release false',
      'releaseFailedOwner',
      'releaseFailedAdmin',
    ]);
    const [taken] = takenBy('Product Publish', release('failed'));
    expect(taken?.comment).to.equal('system.publish-failed,/console');
  });

  it('Email Reviewers mails them and stays', () => {
    const event = word('Email Reviewers', OLA);
    expect(effects('Verify and Publish', event)).to.deep.equal(['mail-reviewers']);
    const outcome = giving('Verify and Publish', event);
    expect(outcome).to.deep.include({ state: 'Verify and Publish', isNewVisit: false });
  });

  it('every Reject mails a rejection, and Take Back does not', () => {
    const states = ['Approval', 'Approval Pending', 'App Store Preview', 'Create App Store Entry'];
    for (const state of [...states, 'Make It Live'] as State[])
      expect(effects(state, word('Reject', ADA, 'Not yet')), state).to.include('mail-rejection');
    const verified = effects('Verify and Publish', word('Reject', OLA, 'Not yet'));
    expect(verified).to.include('mail-rejection');
    expect(effects('Author Download', word('Take Back', OLA))).to.deep.equal([]);
  });

  it('whether authors may upload is settled upon entering and leaving where they do', () => {
    const settled = ['settle-upload'];
    const transfer = word('Transfer to Authors', OLA);
    expect(effects('App Builder Configuration', transfer)).to.deep.equal(settled);
    expect(effects('Author Configuration', word('Continue', AVA))).to.deep.equal(settled);
    expect(effects('Synchronize Data', transfer)).to.deep.equal([]);
    expect(effects('Author Download', word('Continue', AVA))).to.deep.equal(settled);
    expect(effects('Author Upload', word('Take Back', OLA))).to.deep.equal(settled);
  });

  it('authors may upload while a product of a live project is with them', () => {
    expect(authorsMayUpload(false, [null, 'Author Upload', 'Published'])).to.equal(true);
    expect(authorsMayUpload(false, ['Author Configuration'])).to.equal(true);
    expect(authorsMayUpload(false, [null, 'Author Download'])).to.equal(false);
    expect(authorsMayUpload(true, ['Author Upload'])).to.equal(false);
  });
});

function takenBy(state: State, event: WorkflowEvent) {
  const outcome = giving(state, event);
  return outcome.is === 'refused' ? [] : outcome.taken;
}

describe('a command', () => {
  it('that the person does not have is refused, and those they have are named', () => {
    const refused = { is: 'refused', because: 'action-not-allowed' };
    expect(giving('Approval', word('Approve', OLA))).to.deep.equal({ ...refused, allowed: [] });
    expect(giving('Approval', word('Continue', ADA))).to.deep.equal({
      ...refused,
      allowed: ['Approve', 'Hold', 'Reject'],
    });
    expect(giving('Author Upload', word('Continue', OLA))).to.deep.equal({
      ...refused,
      allowed: ['Take Back'],
    });
    expect(giving('Product Publish', word('Approve', OLA))).to.deep.equal({
      ...refused,
      allowed: [],
    });
    expect(giving('Approval', word('started', ADA))).to.deep.include(refused);
    expect(giving('Product Build', word('build succeeded', OLA))).to.deep.include(refused);
  });

  it('is for every admin alike', () => {
    for (const admin of [ADA, ABE])
      expect(giving('Approval', word('Approve', admin))).to.deep.include({
        is: 'moved',
        state: 'Product Creation',
      });
  });

  it('Hold and Reject want a comment; a blank one is none', () => {
    for (const command of ['Hold', 'Reject'])
      for (const comment of [null, '', ' \n'])
        expect(giving('Approval', word(command, ADA, comment))).to.deep.equal({
          is: 'refused',
          because: 'comment-required',
        });
    expect(giving('Approval', word('Hold', ADA, 'Ask Ben'))).to.deep.include({
      is: 'moved',
      state: 'Approval Pending',
    });
  });

  it('[T7] keeps its comment as it was typed, and a blank one becomes none', () => {
    expect(takenBy('Approval', word('Approve', ADA, ' Well\n done '))[0]?.comment).to.equal(
      ' Well\n done ',
    );
    expect(takenBy('Approval', word('Approve', ADA, '  '))[0]?.comment).to.equal(null);
  });

  it('Transfer to Authors is there while there is an author, in every scheme', () => {
    const at = { state: 'Synchronize Data', flags: NO_FLAGS } as const;
    const nobody = known({ actors: { ...known().actors, Author: [] } });
    for (const scheme of [PLAY, FILES, REBUILD]) {
      const machine = theMachine(scheme);
      expect(commandsOf(machine, at, known(), OLA)).to.include('Transfer to Authors');
      expect(commandsOf(machine, at, nobody, OLA)).to.deep.equal(['Continue']);
    }
  });

  it('Email Reviewers is there while there is a reviewer', () => {
    const at = { state: 'Verify and Publish', flags: NO_FLAGS } as const;
    const machine = theMachine(FILES);
    const all = ['Approve', 'Reject', 'Email Reviewers'];
    expect(commandsOf(machine, at, known(), OLA)).to.deep.equal(all);
    expect(commandsOf(machine, at, known({ hasReviewers: false }), OLA)).to.deep.equal(
      all.slice(0, 2),
    );
  });

  it('[U8] cannot be given in an archived project, where the engine still moves things', () => {
    const facts = { isArchived: true };
    expect(giving('Approval', word('Approve', ADA), { facts })).to.deep.include({
      because: 'action-not-allowed',
    });
    expect(giving('Product Build', build('succeeded'), { facts })).to.deep.include({
      is: 'moved',
      state: 'App Store Preview',
    });
  });

  it('Reject of an approval ends the workflow as terminated', () => {
    expect(giving('Approval', word('Reject', ADA, 'No'))).to.deep.include({
      is: 'completed',
      state: 'Terminated',
    });
  });
});

describe('[domain 4.7] a start', () => {
  it('is refused in an archived project', () => {
    expect(start(theMachine(REBUILD), known({ isArchived: true }))).to.deep.equal({
      is: 'refused',
      because: 'archived',
    });
  });

  it('of a rebuild begins with synchronizing when a parameter says so', () => {
    const begun = (wanted: unknown) =>
      start(theMachine(REBUILD), known({ parameters: { ShouldExecute: wanted } }));
    expect(begun({ 'Synchronize Data': true })).to.have.property('state', 'Synchronize Data');
    for (const wanted of [{ 'Synchronize Data': false }, {}, null, 'Synchronize Data'])
      expect(begun(wanted)).to.have.property('state', 'Product Rebuild');
  });

  it('of a startup does not heed that parameter', () => {
    const parameters = { ShouldExecute: { 'Synchronize Data': true } };
    expect(start(theMachine(FILES), known({ parameters }))).to.have.property(
      'state',
      'Product Creation',
    );
  });
});

describe('[domain 4.8] a workflow that is stuck', () => {
  const move = (to: string, comment = 'It hung'): WorkflowEvent => ({
    is: 'move',
    to,
    comment,
    by: ADA,
  });

  it('[W62] is moved with a reason, to a user or build state of its scheme alone', () => {
    const moved = giving('Product Publish', move('Verify and Publish'));
    expect(moved).to.deep.include({ is: 'moved', state: 'Verify and Publish', isNewVisit: true });
    expect(takenBy('Product Publish', move('Verify and Publish'))).to.deep.equal([
      {
        from: 'Product Publish',
        to: 'Verify and Publish',
        who: null,
        isForeseen: false,
        command: null,
        comment: 'It hung',
        by: ADA,
      },
    ]);
    for (const to of ['Product Publish', 'Published', 'Product Rebuild', '(end)', 'Nowhere'])
      expect(giving('Product Publish', move(to)), to).to.deep.equal({
        is: 'refused',
        because: 'choice',
      });
    expect(giving('Product Publish', move('Verify and Publish', ' '))).to.deep.equal({
      is: 'refused',
      because: 'reason-required',
    });
  });

  it('[W62] builds anew when it is moved to its build, also from there', () => {
    for (const from of ['Verify and Publish', 'Product Build'] as const)
      expect(effects(from, move('Product Build'))).to.deep.equal(['start-build']);
  });

  it('[W62] remembers that it was brought to the store entry', () => {
    expect(giving('Synchronize Data', move('Create App Store Entry'))).to.have.deep.property(
      'flags',
      { ...NO_FLAGS, draft: true },
    );
  });

  it('[W63] is cancelled, unless it is a startup or archived', () => {
    const cancel: WorkflowEvent = { is: 'cancel', by: OLA };
    const rebuild = { scheme: REBUILD };
    for (const state of ['Product Rebuild', 'Verify and Publish', 'Author Upload'] as const)
      expect(giving(state, cancel, rebuild)).to.deep.include({ is: 'cancelled', by: OLA });
    expect(effects('Author Upload', cancel, rebuild)).to.deep.equal(['settle-upload']);
    expect(giving('Product Build', cancel)).to.deep.equal({
      is: 'refused',
      because: 'startup-cannot-be-cancelled',
    });
    expect(
      giving('Product Rebuild', cancel, { ...rebuild, facts: { isArchived: true } }),
    ).to.deep.equal({ is: 'refused', because: 'archived' });
  });

  it('[W64] is not moved by a late answer: of another build, or in another state', () => {
    const late = { is: 'refused', because: 'late' };
    const other: WorkflowEvent = { is: 'build succeeded', about: 'an older one' };
    expect(giving('Product Build', other)).to.deep.equal(late);
    expect(giving('Product Build', build('failed'), { facts: { awaited: null } })).to.deep.equal(
      late,
    );
    expect(giving('Synchronize Data', build('succeeded'))).to.deep.equal(late);
    expect(giving('Product Build', release('succeeded'))).to.deep.equal(late);
    expect(giving('Verify and Publish', { is: 'job created' })).to.deep.equal(late);
  });
});
