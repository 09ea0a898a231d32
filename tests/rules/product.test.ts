import { expect } from 'chai';
import { actionsOffered, reasonAgainst, reasonAgainstRollBack } from '#rules/product.ts';
import type { ProductActionName } from '#rules/product.ts';
import { appReleases, releaseVersionOf } from '#rules/release.ts';
import type { Of } from '#schema/index.ts';
import { aWorld } from './world.ts';

const published = '2026-01-01T00:00:00.000Z';

/** Lakeside's product, at rest and published, of a definition with both further workflows. */
function aProduct(fields: Partial<Of<'product'>> = {}, project: Partial<Of<'project'>> = {}) {
  const { db, viewers, sample } = aWorld();
  const rebuild = db.add('workflowDefinition', { type: 2, enabled: true });
  const republish = db.add('workflowDefinition', { type: 3, enabled: false });
  const startup = db.add('workflowDefinition', { type: 1, enabled: true });
  const definition = db.add('productDefinition', {
    workflow: startup.id,
    rebuildWorkflow: rebuild.id,
    republishWorkflow: republish.id,
  });
  const of = db.add('project', { ...sample.project, id: 'the-project', ...project });
  const product = db.add('product', {
    project: of.id,
    productDefinition: definition.id,
    datePublished: published,
    ...fields,
  });
  return { db, viewers, product, rebuild, startup };
}

const reason = (action: ProductActionName, { product, db }: ReturnType<typeof aProduct>) =>
  reasonAgainst(action, product, db);

describe('[7] the actions of a product', () => {
  it('are for its project’s owner and admins alone [R11]', () => {
    const { db, viewers, product } = aProduct();
    for (const who of ['SA', 'OA', 'PO'] as const)
      expect(actionsOffered(viewers[who], product, db), who).to.deep.equal(['rebuild']);
    for (const who of ['AB', 'GM', 'AU', 'OM', 'harbor', 'nobody'] as const)
      expect(actionsOffered(viewers[who], product, db), who).to.deep.equal([]);
  });

  it('build again what was published, by a workflow that is enabled [R245]', () => {
    expect(reason('rebuild', aProduct())).to.equal(null);
    expect(reason('republish', aProduct())).to.equal('no-workflow');
    expect(reason('rebuild', aProduct({ datePublished: null }))).to.equal('not-published');
    const { db, product } = aProduct();
    expect(reasonAgainst('rebuild', product, db, () => false)).to.equal('no-workflow');
  });

  it('count as releases of an app those that had it, and of a site all', () => {
    const of = (productBuild: string | null, artifactType: string) => ({
      ...{ productBuild, artifactType },
    });
    const releases = [{ productBuild: 'listing' }, { productBuild: 'app' }, { productBuild: null }];
    const listing = [of('listing', 'play-listing'), of('app', 'play-listing'), of(null, 'apk')];
    for (const type of ['apk', 'aab'])
      expect(appReleases(releases, [...listing, of('app', type)])).to.deep.equal([
        { productBuild: 'app' },
      ]);
    expect(appReleases(releases, listing)).to.deep.equal(releases);
    expect(appReleases([], [of('app', 'apk')])).to.deep.equal([]);
  });

  it('release under the version of the build, as far as there is room', () => {
    expect(releaseVersionOf(null)).to.equal(null);
    expect(releaseVersionOf({ buildVersion: 'x'.repeat(50) })).to.equal('x'.repeat(50));
    expect(releaseVersionOf({ buildVersion: 'x'.repeat(51) })).to.equal(`${'x'.repeat(49)}…`);
  });

  it('roll back by the rebuild workflow to what was published and is not out', () => {
    const { db, product, rebuild } = aProduct();
    const releases = [{ productBuild: 'newer' }, { productBuild: 'older' }];
    const against = (build: string, of = product) => reasonAgainstRollBack(build, releases, of, db);
    expect(against('older')).to.equal(null);
    expect(against('newer')).to.equal('already-out');
    expect(against('never published')).to.equal('not-published');
    expect(against('newer', { ...product, productWorkflow: rebuild.id })).to.equal('running');
    expect(reasonAgainstRollBack('older', releases, product, db, () => false)).to.equal(
      'no-workflow',
    );
  });

  it('start nothing while something runs, and cancel no startup [R11]', () => {
    const { db, product, rebuild, startup } = aProduct();
    const running = { ...product, productWorkflow: rebuild.id };
    expect(reasonAgainst('rebuild', running, db)).to.equal('running');
    expect(reasonAgainst('cancel', running, db)).to.equal(null);
    expect(reasonAgainst('cancel', product, db)).to.equal('not-running');
    expect(reasonAgainst('cancel', { ...product, productWorkflow: startup.id }, db)).to.equal(
      'startup-cannot-be-cancelled',
    );
  });

  it('rest with an archived project', () => {
    const archived = aProduct({}, { dateArchived: published });
    expect(reason('rebuild', archived)).to.equal('archived');
    expect(reason('cancel', archived)).to.equal('archived');
  });
});
