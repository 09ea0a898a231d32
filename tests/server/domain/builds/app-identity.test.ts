import { X509Certificate, createPrivateKey } from 'node:crypto';
import { expect } from 'chai';
import { newSigningKey } from '#engine/android/certificate.ts';
import { identityOf } from '#server/domain/builds/app-identity.ts';
import type { AppIdentity } from '#engine/build/order.ts';
import { freshDatabase } from '../../../support/database.ts';
import type { TestDatabase } from '../../../support/database.ts';
import { anOrganization, aProduct, aProject, newId } from '../../../support/make.ts';

const AT = Date.parse('2026-03-04T05:06:07Z');

describe('what phones know an app by', () => {
  let fresh: TestDatabase;
  let organization: string;

  before(async function () {
    this.timeout(120_000);
    fresh = await freshDatabase();
  });
  after(() => fresh.close());

  beforeEach(async () => {
    organization = (await anOrganization(fresh.db)).id;
  });

  const product = async (of = organization): Promise<string> => {
    const project = (await aProject(fresh.db, { organization: of })).id;
    return (await aProduct(fresh.db, { project })).id;
  };
  const identity = async (id: string, PACKAGE_NAME = ''): Promise<AppIdentity> => {
    const found = await identityOf({ db: fresh.db, clock: () => AT }, id, { PACKAGE_NAME });
    if (found === null) throw new Error('It is of nobody');
    return found;
  };

  it('stays the same from build to build', async () => {
    const id = await product();
    const [first, again] = [await identity(id), await identity(id)];
    expect(again).to.deep.equal(first);
    expect(first.packageName).to.equal(`app.slipway.p${id.replaceAll('-', '')}`);
  });

  it('is one key for all apps of an organization, and another one elsewhere', async () => {
    const others = await product((await anOrganization(fresh.db)).id);
    const [one, two, three] = await Promise.all(
      [await product(), await product(), others].map((id) => identity(id)),
    );
    expect(two?.privateKey).to.equal(one?.privateKey);
    expect(two?.certificate).to.equal(one?.certificate);
    expect(two?.packageName).not.to.equal(one?.packageName);
    expect(three?.privateKey).not.to.equal(one?.privateKey);
  });

  it('is the same key for several builds that are the first ones, at once', async () => {
    const ids = await Promise.all(Array.from({ length: 4 }, () => product()));
    const keys = await Promise.all(ids.map((id) => identity(id)));
    expect(new Set(keys.map(({ privateKey }) => privateKey)).size).to.equal(1);
  });

  it('is nothing for a product that is not there', async () => {
    for (const id of [newId(), 'another job'])
      expect(await identityOf({ db: fresh.db, clock: () => AT }, id, {})).to.equal(null);
  });

  it('may be a package name of one’s own, which then is no other organization’s', async () => {
    const name = `org.lakeside.p${organization.slice(-6)}`;
    expect((await identity(await product(), name)).packageName).to.equal(name);
    expect((await identity(await product(), name)).packageName).to.equal(name);
    const others = await product((await anOrganization(fresh.db)).id);
    const refused = await identity(others, name).catch((error: unknown) => error);
    expect((refused as Error).message).to.equal(
      `Package name taken: ${name} belongs to another organization.`,
    );
  });

  it('has a certificate of its own key that holds for a hundred years', async () => {
    for (const at of ['2026-03-04T05:06:07Z', '2050-01-01T00:00:00Z']) {
      const key = await newSigningKey('Slipway test', new Date(at));
      const certificate = new X509Certificate(key.certificate);
      expect(certificate.subject).to.equal('CN=Slipway test');
      expect(certificate.issuer).to.equal(certificate.subject);
      expect(certificate.verify(certificate.publicKey)).to.equal(true);
      expect(certificate.checkPrivateKey(createPrivateKey(key.privateKey))).to.equal(true);
      expect(Date.parse(certificate.validFrom)).to.equal(Date.parse(at));
      const until = new Date(certificate.validTo).getUTCFullYear();
      expect(until - new Date(at).getUTCFullYear()).to.equal(100);
    }
  });
});
