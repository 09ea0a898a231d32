import { expect } from 'chai';
import { NO_FLAGS } from '#server/domain/workflow/guards.ts';
import { machines } from '#server/domain/workflow/machines/machines.ts';
import { step } from '#server/domain/workflow/step.ts';
import type { WorkflowEvent } from '#server/domain/workflow/step.ts';
import { isFinal, START } from '#server/domain/workflow/steps.ts';
import { ADA, AVA, build, known, OLA, release, word } from './life.ts';

/**
 * The state to which each event in each state leads, as domain 4.2 says it; written down a second
 * time on purpose. The usual ways show which of several it is.
 */
const leads: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'Readiness Check': { Continue: 'Approval' },
  Approval: { Approve: 'Product Creation', Hold: 'Approval Pending', Reject: 'Terminated' },
  'Approval Pending': {
    Approve: 'Product Creation',
    Hold: 'Approval Pending',
    Reject: 'Terminated',
  },
  'Product Creation': { 'job created': 'App Builder Configuration' },
  'App Builder Configuration': {
    'New App': 'Build',
    'Existing App': 'Build',
    Continue: 'Build',
    'Transfer to Authors': 'Author Configuration',
  },
  'Author Configuration': {
    Continue: 'App Builder Configuration',
    'Take Back': 'App Builder Configuration',
  },
  Build: {
    'build failed': 'Synchronize Data',
    'build succeeded': 'App Store Preview, Create App Store Entry or Verify and Publish',
  },
  'Synchronize Data': { Continue: 'Build', 'Transfer to Authors': 'Author Download' },
  'Author Download': { Continue: 'Author Upload', 'Take Back': 'Synchronize Data' },
  'Author Upload': { Continue: 'Synchronize Data', 'Take Back': 'Synchronize Data' },
  'App Store Preview': { Approve: 'Create App Store Entry', Reject: 'Synchronize Data' },
  'Create App Store Entry': { Continue: 'Verify and Publish', Reject: 'Synchronize Data' },
  'Verify and Publish': {
    Approve: 'Product Publish',
    Reject: 'Synchronize Data',
    'Email Reviewers': 'Verify and Publish',
  },
  'Product Publish': {
    'release failed': 'Synchronize Data',
    'release succeeded': 'Make It Live or Published',
  },
  'Make It Live': { Continue: 'Published', Reject: 'Synchronize Data' },
};

const BUILDS = ['Product Build', 'Product Rebuild', 'Product Republish'];
const asWritten = (state: string) => (BUILDS.includes(state) ? 'Build' : state);

/** All possible events: each command by everyone, and each answer of the engine. */
const everything: readonly (readonly [name: string, given: WorkflowEvent])[] = [
  ...[...new Set(Object.values(leads).flatMap((by) => Object.keys(by)))].flatMap((command) =>
    [OLA, ADA, AVA].map((by) => [command, word(command, by, 'So be it')] as const),
  ),
  ['job created', { is: 'job created' }],
  ['build succeeded', build('succeeded')],
  ['build failed', build('failed')],
  ['release succeeded', release('succeeded')],
  ['release failed', release('failed')],
];

describe('[domain 4.2] where a step leads', () => {
  for (const [name, machine] of machines)
    it(`in ${name} is as it is written`, () => {
      const states = new Set(machine.steps.map(({ to }) => to).filter((to) => !isFinal(to)));
      for (const state of states)
        for (const [given, how] of everything) {
          const outcome = step(machine, { state, flags: NO_FLAGS }, known(), how);
          if (outcome.is === 'refused' || outcome.is === 'cancelled') continue;
          const expected = leads[asWritten(state)]?.[given] ?? 'nowhere';
          expect(expected.split(/, | or /), `${state}, ${given}`).to.include(
            asWritten(outcome.state),
          );
        }
    });

  it('is written of everything that some machine does', () => {
    const done = [...machines.values()].flatMap(({ steps }) =>
      steps.filter(({ from }) => from !== START).map(({ from, given }) => `${from}: ${given}`),
    );
    const written = Object.entries(leads).flatMap(([from, by]) =>
      Object.keys(by).flatMap((given) =>
        (from === 'Build' ? BUILDS : [from]).map((state) => `${state}: ${given}`),
      ),
    );
    expect([...new Set(done)].sort()).to.deep.equal(written.sort());
  });
});
