import { expect } from 'chai';
import { NO_FLAGS } from '#server/domain/workflow/guards.ts';
import { engineOrdersOf } from '#server/domain/workflow/machines/machines.ts';
import {
  definedParameters,
  identityOf,
  objectIn,
  parametersFor,
} from '#server/domain/workflow/parameters.ts';
import type { ParameterPurpose, Sources } from '#server/domain/workflow/parameters.ts';
import { theMachine } from './life.ts';

const identity = identityOf({
  publicUrl: 'https://slipway.test',
  type: 2,
  product: { id: 'the product' },
  definition: { name: 'PWA to Cloud Provider' },
  project: { id: 'the project', name: 'Harvest', description: null, language: 'es-419' },
  organization: { name: 'Lakeside Press' },
  owner: { name: 'Ola', email: 'ola@slipway.test' },
});

/** Parameters of an app for the Play store, unless another scheme and flow are named. */
function parameters(
  purpose: ParameterPurpose,
  sources: Partial<Sources> = {},
  [scheme, flow]: readonly [string, string] = [
    'Default_Android_GooglePlay',
    'Android_GooglePlay_Flow',
  ],
) {
  return parametersFor(purpose, engineOrdersOf(theMachine(scheme), `AppBuilders_${flow}`), {
    productDefinition: { properties: null },
    workflowDefinition: { properties: null },
    product: { properties: null },
    flags: NO_FLAGS,
    identity: {},
    ...sources,
  });
}

describe('[domain 4.4] what is built and published', () => {
  const version = { BUILD_MANAGE_VERSION_CODE: '1', BUILD_MANAGE_VERSION_NAME: '1' };
  const shared = { ...version, BUILD_SHARE_APP_LINK: '1' };
  const PLAY = 'Android_GooglePlay_Flow';
  const S3 = 'Android_S3_Flow';
  const ASSETS = 'AssetPackage_Flow';
  const play = ['apk play-listing', shared, 'google-play', {}, 'apk aab play-listing'] as const;
  const noApk = { PUBLISH_NO_APK: '1' };
  const assets = [
    'asset-package',
    version,
    's3-bucket',
    {},
    'asset-package asset-preview',
  ] as const;
  const rows = [
    ['Default_Android_GooglePlay', PLAY, ...play],
    ['Default_Android_GooglePlay_Rebuild', PLAY, ...play],
    [
      'Default_Android_GooglePlay_Republish',
      PLAY,
      'play-listing',
      version,
      'google-play',
      noApk,
      'play-listing',
    ],
    ['Default_Android_S3', S3, 'apk', version, 's3-bucket', {}, 'apk'],
    ['NoAdmin_Android_S3', S3, 'apk', version, 's3-bucket', {}, 'apk'],
    ['Default_Android_S3_Rebuild', S3, 'apk', shared, 's3-bucket', {}, 'apk'],
    ['NoAdmin_Android_S3', ASSETS, ...assets],
    ['Default_Android_S3_Rebuild', ASSETS, ...assets],
    ['Default_Pwa_Cloud', 'Web_Flow', 'pwa', {}, 'rclone', {}, 'pwa'],
    ['Default_Pwa_Cloud_Rebuild', 'Web_Flow', 'pwa', {}, 'rclone', {}, 'pwa'],
    ['Default_Html_Cloud', 'Web_Flow', 'html', {}, 'rclone', {}, 'html'],
    ['Default_Html_Cloud_Rebuild', 'Web_Flow', 'html', {}, 'rclone', {}, 'html'],
  ] as const;
  const always = { BUILD_COMPUTE_TYPE: 'small', BUILD_IMAGE_TAG: 'latest' };

  for (const [scheme, flow, built, buildEnvironment, published, publishEnvironment, types] of rows)
    it(`by ${scheme} in ${flow} is as it is written`, () => {
      const of = (purpose: ParameterPurpose) => parameters(purpose, {}, [scheme, flow]);
      expect(of('build')).to.deep.equal({
        targets: built,
        environment: { ...always, ...buildEnvironment },
      });
      expect(of('publish')).to.deep.equal({
        channel: 'production',
        targets: published,
        environment: { ...always, ...publishEnvironment },
      });
      expect(of('review')).to.deep.include({ types: types.split(' ') });
    });

  it('tells the engine what the workflow remembers, in builds and releases alike', () => {
    const uploaded = { buildId: 7, versionCode: '12' };
    const flags = { ...NO_FLAGS, existing: true, draft: true, uploaded };
    for (const purpose of ['build', 'publish'] as const)
      expect(parameters(purpose, { flags }).environment).to.include({
        PUBLISH_GOOGLE_PLAY_DRAFT: '1',
        PUBLISH_GOOGLE_PLAY_UPLOADED_BUILD_ID: '7',
        PUBLISH_GOOGLE_PLAY_UPLOADED_VERSION_CODE: '12',
        google_play_existing: '1',
      });
    expect(parameters('review', { flags }).environment).to.not.have.property(
      'google_play_existing',
    );
  });
});

describe('[domain 4.5] parameters', () => {
  const saying = (productDefinition: object, workflowDefinition: object = {}, own?: object) => ({
    productDefinition: { properties: JSON.stringify(productDefinition) },
    workflowDefinition: { properties: JSON.stringify(workflowDefinition) },
    product: { properties: own === undefined ? null : JSON.stringify(own) },
  });

  it('of the workflow win over those of the product definition, key by key', () => {
    const sources = saying(
      { channel: 'alpha', environment: { A: '1', B: '1' }, ShouldExecute: { X: true } },
      { channel: 'beta', environment: { B: '2' } },
    );
    expect(parameters('publish', sources)).to.deep.include({
      channel: 'beta',
      ShouldExecute: { X: true },
    });
    expect(parameters('publish', sources).environment).to.include({ A: '1', B: '2' });
  });

  it('unite lists', () => {
    expect(parameters('review', saying({ types: ['html', 'apk'] })).types).to.deep.equal([
      'apk',
      'aab',
      'play-listing',
      'html',
    ]);
  });

  it('for one purpose replace the plain ones there, and are nowhere else', () => {
    const sources = saying({ 'build:targets': 'html', 'publish:environment': { ONLY: '1' } });
    expect(parameters('build', sources).targets).to.equal('html');
    expect(parameters('publish', sources).targets).to.equal('google-play');
    expect(parameters('publish', sources).environment).to.include({ ONLY: '1' });
    expect(Object.keys(parameters('build', sources))).to.have.members(['targets', 'environment']);
    expect(parameters('build', sources).environment).to.not.have.property('ONLY');
  });

  it('of the product win over flags and definitions, and identity over everything', () => {
    const everywhere = { google_play_existing: '0', PROJECT_NAME: 'Forged', MINE: 'the product' };
    const sources = {
      ...saying({ environment: { MINE: 'a definition' } }, {}, { environment: everywhere }),
      flags: { ...NO_FLAGS, existing: true },
      identity,
    };
    expect(parameters('build', sources).environment).to.include({
      google_play_existing: '0',
      PROJECT_NAME: 'Harvest',
      MINE: 'the product',
      WORKFLOW_TYPE: 'Rebuild',
      WORKFLOW_PRODUCT_NAME: 'PWA to Cloud Provider',
      PROJECT_URL: 'https://slipway.test/projects/the project',
      PROJECT_DESCRIPTION: '',
    });
  });

  it('become variables of letters, digits and _, with texts as values', () => {
    const odd = { environment: { COUNT: 3, 'NO-GOOD': '1', 'a b': '1' } };
    const { environment } = parameters('build', saying({}, {}, odd));
    expect(environment).to.include({ COUNT: '3' });
    expect(environment).to.not.have.any.keys('NO-GOOD', 'a b');
  });

  it('that are no JSON object count as none, and can be told from none', () => {
    for (const text of ['[]', '"x"', 'null', '{', '3']) {
      expect(objectIn(text), text).to.equal(null);
      const broken = { properties: text };
      expect(
        definedParameters({ productDefinition: broken, workflowDefinition: broken }),
      ).to.deep.equal({});
    }
    for (const text of [null, '', ' ', '{}']) expect(objectIn(text)).to.deep.equal({});
  });
});
