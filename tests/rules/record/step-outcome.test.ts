import { expect } from 'chai';
import { outcomeOf } from '#rules/record/step-outcome.ts';

describe('[screens 9.4] what a step came to', () => {
  const AT = '2026-03-01T09:00:00.000Z';
  const step = (initialState: string, destinationState: string, command: string | null = null) =>
    ({ transitionType: 1, dateTransition: AT, initialState, destinationState, command }) as const;
  const BUILDING = ['Product Build', 'Product Rebuild', 'Product Republish'];

  it('is a build, which went well or failed', () => {
    for (const state of BUILDING) {
      expect(outcomeOf(step(state, 'Verify and Publish'))).to.deep.equal({ is: 'built' });
      const failed = { is: 'failed', what: 'build' };
      expect(outcomeOf(step(state, 'Synchronize Data'))).to.deep.equal(failed);
    }
  });

  it('is a publication, once the product is out, or has failed to be', () => {
    const out = { is: 'published' };
    expect(outcomeOf(step('Product Publish', 'Published'))).to.deep.equal(out);
    expect(outcomeOf(step('Make It Live', 'Published', 'Continue'))).to.deep.equal(out);
    expect(outcomeOf(step('Product Publish', 'Make It Live'))).to.equal(null);
    const failed = { is: 'failed', what: 'release' };
    expect(outcomeOf(step('Product Publish', 'Synchronize Data'))).to.deep.equal(failed);
  });

  it('is a rejection, whether it ends the work or leads back', () => {
    const rejected = { is: 'failed', what: 'rejected' };
    expect(outcomeOf(step('Approval', 'Terminated', 'Reject'))).to.deep.equal(rejected);
    const back = step('Verify and Publish', 'Synchronize Data', 'Reject');
    expect(outcomeOf(back)).to.deep.equal(rejected);
  });

  it('is nothing where the work went on, where it is still to come, or where nothing was done', () => {
    expect(outcomeOf(step('Approval', 'Product Creation', 'Approve'))).to.equal(null);
    const build = step('Product Build', 'Verify and Publish');
    expect(outcomeOf({ ...build, dateTransition: null })).to.equal(null);
    expect(outcomeOf({ ...build, transitionType: 3 })).to.equal(null);
  });
});
