import { expect } from 'chai';
import { sql } from 'kysely';
import { aProductIn, inTown } from './in-town.ts';
import type { Town } from './town.ts';

const NOTES = 'A search in all songs\n\n<b>Larger</b> text';
const SAID = { 'release-version': ' 2.0 beta ', 'release-notes': NOTES };

describe('version and notes of a release', () => {
  let town: Town;
  inTown((founded) => {
    town = founded;
  });

  /** A product whose build waits to be approved. */
  async function toVerify(): Promise<string> {
    const { product } = await aProductIn(town);
    expect((await town.command('owner', product, 'Continue')).status).to.equal(201);
    await town.workOff();
    expect(await town.state(product)).to.equal('Verify and Publish');
    return product;
  }

  const approve = (product: string, said = {}) =>
    town.command('owner', product, 'Approve', null, said);

  it('come with the command, and are the publication’s, which members read and outsiders do not', async () => {
    const product = await toVerify();
    const answer = await approve(product, SAID);
    expect(answer.one.attributes).to.include({
      ...{ 'state-after': 'Product Publish', 'release-version': '2.0 beta' },
    });
    await town.workOff();
    const [release] = await town.all('productPublication', { product });
    expect(release).to.include({ success: true, releaseVersion: '2.0 beta', releaseNotes: NOTES });
    const seen = await town.see('member', 'product-publications', release?.id ?? '');
    expect([seen['release-version'], seen['release-notes']]).to.deep.equal(['2.0 beta', NOTES]);
    const { 'version-built': built, 'version-published': out } = await town.see(
      'member',
      'products',
      product,
    );
    expect([built, out]).to.deep.equal(['1.0', '2.0 beta']);
    const heard = (await town.told('owner')).at(-1);
    expect(heard?.messageId).to.equal('releaseCompletedSuccessfully');
  });

  it('are on the public page of the file, as text', async () => {
    const product = await toVerify();
    await approve(product, SAID);
    await town.workOff();
    const path = `/downloads/products/${product}/files/published/html`;
    const page = await (await town.fetch(null, 'GET', path)).text();
    expect(page).to.contain('2.0 beta').and.to.contain('What is new');
    expect(page).to.contain('A search in all songs\n\n&lt;b&gt;Larger&lt;/b&gt; text');
    expect(page).to.not.contain('<b>Larger');
  });

  it('are the build’s version and none where an earlier client says nothing, or blanks', async () => {
    for (const said of [{}, { 'release-version': ' ', 'release-notes': '\n ' }]) {
      const product = await toVerify();
      expect((await approve(product, said)).status).to.equal(201);
      await town.workOff();
      const [release] = await town.all('productPublication', { product });
      expect(release).to.include({ success: true, releaseVersion: '1.0', releaseNotes: null });
    }
  });

  it('are refused together with the command, which is not taken then', async () => {
    const product = await toVerify();
    for (const [said, refusal] of [
      [{ 'release-version': 'x'.repeat(51) }, 'invalid/too-long'],
      [{ 'release-notes': 'x'.repeat(2_001) }, 'invalid/too-long'],
      [{ 'release-notes': Array(41).fill('x').join('\r') }, 'invalid/range'],
      [{ 'release-notes': 7 }, 'invalid/type'],
    ] as const) {
      const answer = await approve(product, said);
      expect([answer.status, answer.refusal]).to.deep.equal([422, refusal]);
    }
    for (const command of ['Reject', 'Email Reviewers'] as const) {
      const answer = await town.command('owner', product, command, 'No', SAID);
      expect([answer.status, answer.refusal]).to.deep.equal([422, 'invalid/mismatch']);
      expect(answer.json.errors?.map(({ source }) => source?.pointer)).to.have.members([
        '/data/attributes/release-version',
        '/data/attributes/release-notes',
      ]);
    }
    expect(await town.state(product)).to.equal('Verify and Publish');
    expect(await town.all('productPublication', { product })).to.deep.equal([]);
  });

  it('are none of a workflow that began under an earlier version', async () => {
    const product = await toVerify();
    await town.server.parts.db.transact((tx) =>
      tx.query(sql`update running_workflows set flags = flags - 'release'
        where product_id = ${product}`),
    );
    expect((await approve(product, SAID)).status).to.equal(201);
    await town.workOff();
    const [release] = await town.all('productPublication', { product });
    expect(release).to.include({ success: true, releaseVersion: '2.0 beta' });
  });
});
