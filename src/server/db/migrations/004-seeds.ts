import { createHash } from 'node:crypto';
import type pg from 'pg';
import { fold } from '#base/unicode.ts';
import { languages } from './004-languages.ts';
import type { MigrationContext } from './migration-context.ts';

/** Inserts the records that every installation starts with (domain 3), demo data apart. */
export async function seed(client: pg.ClientBase, { clock }: MigrationContext): Promise<void> {
  const at = new Date(clock()).toISOString();
  // The seeds are commit 1.
  await client.query('update feed_head set n = n + 1');
  for (const [table, rows] of Object.entries(tables)) {
    for (const row of rows) await insert(client, table, row, at);
  }
}

type Row = Readonly<Record<string, string | number | boolean | null>>;

async function insert(client: pg.ClientBase, table: string, row: Row, at: string): Promise<void> {
  const whole: Row = { ...row, ...keysOf(row), version: 1, date_created: at, date_updated: at };
  const names = Object.keys(whole);
  await client.query(
    `insert into ${table} (${names.join(', ')}) values (${names.map((_, i) => `$${i + 1}`).join(', ')})`,
    Object.values(whole),
  );
}

const FOLDED = ['name', 'workflow_scheme', 'workflow_business_flow'];

function keysOf(row: Row): Row {
  const lines = FOLDED.flatMap((name) => {
    const value = row[name];
    return typeof value === 'string' ? [[`${name}_key`, fold(value)] as const] : [];
  });
  return Object.fromEntries(lines);
}

/** Returns the same id in every installation: a version 8 UUID made of the record's content. */
function idOf(table: string, name: string): string {
  const bytes = createHash('sha256').update(`slipway ${table} ${name}`).digest().subarray(0, 16);
  bytes[6] = 0x80 | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  const hex = bytes.toString('hex');
  return [8, 12, 16, 20].reduceRight((id, cut) => `${id.slice(0, cut)}-${id.slice(cut)}`, hex);
}

const roles: Row[] = ['SuperAdmin', 'OrganizationAdmin', 'AppBuilder', 'Author'].map((name) => ({
  id: idOf('roles', name),
  role_name: name,
}));

const named = (table: string, name: string, description: string): Row => ({
  id: idOf(table, name),
  name,
  description,
});

const applicationTypes: Row[] = [
  named('application_types', 'bookapp', 'Book App'),
  named('application_types', 'dictionaryapp', 'Dictionary App'),
  named('application_types', 'keyboardapp', 'Keyboard App'),
  named('application_types', 'courseapp', 'Course App'),
];

const PLAY = 'google_play_store';
const S3 = 's3_bucket';
const CLOUD = 'cloud';

const storeTypes: Row[] = [
  named('store_types', PLAY, 'Google Play Store'),
  named('store_types', S3, 'Amazon S3 Bucket'),
  named('store_types', CLOUD, 'Cloud Provider'),
];

const store = (name: string, type: string, description: string): Row => ({
  ...named('stores', name, description),
  store_type_id: idOf('store_types', type),
});

const stores: Row[] = [
  store('slipway_play', PLAY, 'Play publisher account'),
  store('slipway_files', S3, 'File downloads'),
  store('slipway_web', CLOUD, 'Web hosting'),
];

const storeLanguages: Row[] = Object.entries(languages).map(([code, name]) => ({
  ...named('store_languages', code, name),
  store_type_id: idOf('store_types', PLAY),
}));

function workflow(
  name: string,
  type: 1 | 2 | 3,
  scheme: string,
  flow: string,
  storeType: string,
  properties: string | null = null,
): Row {
  return {
    id: idOf('workflow_definitions', name),
    name,
    type,
    workflow_scheme: `AppBuilders_${scheme}`,
    workflow_business_flow: `AppBuilders_${flow}_Flow`,
    store_type_id: idOf('store_types', storeType),
    properties,
    enabled: true,
  };
}

const PWA = '{"build:targets":"pwa"}';
const ASSETS = '{"build:targets":"asset-package"}';

const workflows: Row[] = [
  workflow('android_google_play', 1, 'Default_Android_GooglePlay', 'Android_GooglePlay', PLAY),
  workflow(
    'android_google_play_rebuild',
    2,
    'Default_Android_GooglePlay_Rebuild',
    'Android_GooglePlay',
    PLAY,
  ),
  workflow(
    'android_google_play_republish',
    3,
    'Default_Android_GooglePlay_Republish',
    'Android_GooglePlay',
    PLAY,
  ),
  workflow('android_s3', 1, 'Default_Android_S3', 'Android_S3', S3),
  workflow('android_s3_rebuild', 2, 'Default_Android_S3_Rebuild', 'Android_S3', S3),
  workflow(
    'android_google_play_low_admin',
    1,
    'LowAdmin_Android_GooglePlay',
    'Android_GooglePlay',
    PLAY,
  ),
  workflow(
    'android_google_play_owner_admin',
    1,
    'OwnerAdmin_Android_GooglePlay',
    'Android_GooglePlay',
    PLAY,
  ),
  workflow('android_s3_no_admin', 1, 'NoAdmin_Android_S3', 'Android_S3', S3),
  workflow('pwa_cloud', 1, 'Default_Pwa_Cloud', 'Web', CLOUD, PWA),
  workflow('pwa_cloud_rebuild', 2, 'Default_Pwa_Cloud_Rebuild', 'Web', CLOUD, PWA),
  workflow('html_cloud', 1, 'Default_Html_Cloud', 'Web', CLOUD),
  workflow('html_cloud_rebuild', 2, 'Default_Html_Cloud_Rebuild', 'Web', CLOUD),
  workflow('asset_package', 1, 'NoAdmin_Android_S3', 'AssetPackage', S3, ASSETS),
  workflow('asset_package_rebuild', 2, 'Default_Android_S3_Rebuild', 'AssetPackage', S3, ASSETS),
];

function definition(name: string, first: string, rebuild: string, republish?: string): Row {
  return {
    id: idOf('product_definitions', name),
    name,
    type_id: idOf('application_types', 'bookapp'),
    workflow_id: idOf('workflow_definitions', first),
    rebuild_workflow_id: idOf('workflow_definitions', rebuild),
    republish_workflow_id: republish === undefined ? null : idOf('workflow_definitions', republish),
  };
}

const [REBUILD, REPUBLISH] = ['android_google_play_rebuild', 'android_google_play_republish'];

const definitions: Row[] = [
  definition('Android App to Google Play', 'android_google_play', REBUILD, REPUBLISH),
  definition('Android App to Amazon S3 Bucket', 'android_s3', 'android_s3_rebuild'),
  definition(
    'Android App to Google Play (Low Admin)',
    'android_google_play_low_admin',
    REBUILD,
    REPUBLISH,
  ),
  definition(
    'Android App to Amazon S3 Bucket (No Admin)',
    'android_s3_no_admin',
    'android_s3_rebuild',
  ),
  definition(
    'Android App to Google Play (Owner Admin)',
    'android_google_play_owner_admin',
    REBUILD,
    REPUBLISH,
  ),
  definition('PWA to Cloud Provider', 'pwa_cloud', 'pwa_cloud_rebuild'),
  definition('HTML Site to Cloud Provider', 'html_cloud', 'html_cloud_rebuild'),
  definition('Asset Package to Amazon S3 Bucket', 'asset_package', 'asset_package_rebuild'),
];

/** Parents before children. */
const tables: Readonly<Record<string, readonly Row[]>> = {
  roles,
  application_types: applicationTypes,
  store_types: storeTypes,
  store_languages: storeLanguages,
  stores,
  workflow_definitions: workflows,
  product_definitions: definitions,
};
