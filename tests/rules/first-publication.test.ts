import { expect } from 'chai';
import { firstStepsOf } from '#rules/record/first-publication.ts';
import type { ContentState } from '#rules/record/first-publication.ts';

const AT = '2026-03-01T12:00:00.000Z';
const project = { dateArchived: null, workflowProjectUrl: 'bundled:/repositories/1' };
const fresh = { dateBuilt: null, datePublished: null };
const built = { dateBuilt: AT, datePublished: null };
const published = { dateBuilt: AT, datePublished: AT };

describe('the way to the first publication of a project [screens 8.6]', () => {
  const said = (products: readonly (typeof fresh | typeof built)[], content: ContentState) =>
    firstStepsOf(project, products, content)
      .map(({ step, is }) => `${step} ${is}`)
      .join(', ');

  it('begins with a product, whatever content there is', () => {
    expect(said([], 'none')).to.equal('product now, content next, build next, publish next');
    expect(said([], 'there')).to.equal('product now, content done, build next, publish next');
  });

  it('goes on with content, a build and the publication', () => {
    expect(said([fresh], 'none')).to.equal('product done, content now, build next, publish next');
    expect(said([fresh], 'there')).to.equal('product done, content done, build now, publish next');
    expect(said([fresh, built], 'none')).to.equal(
      'product done, content done, build done, publish now',
    );
  });

  it('has no content to upload where that is with an engine elsewhere', () => {
    expect(said([fresh], 'elsewhere')).to.equal('product done, build now, publish next');
  });

  it('is over once anything is published, and not there before a repository is or after archiving', () => {
    expect(firstStepsOf(project, [fresh, published], 'none')).to.deep.equal([]);
    expect(firstStepsOf({ ...project, dateArchived: AT }, [], 'none')).to.deep.equal([]);
    expect(firstStepsOf({ ...project, workflowProjectUrl: null }, [], 'none')).to.deep.equal([]);
  });
});
