import { REBUILD, scheme, SHARED, STARTUP, VERSION } from '../scheme.ts';
import type { EngineOrders } from '../scheme.ts';
import { shared } from './shared-forms.ts';

const apk = (environment: Readonly<Record<string, string>>): EngineOrders => ({
  build: { targets: 'apk', environment },
  publish: { targets: 's3-bucket' },
  review: { types: ['apk'] },
});

const assetPackage: EngineOrders = {
  build: { targets: 'asset-package', environment: VERSION },
  publish: { targets: 's3-bucket' },
  review: { types: ['asset-package', 'asset-preview'] },
};

/** Files to download: Android apps outside a store, and asset packages. */
export const filesSchemes = {
  AppBuilders_Default_Android_S3: scheme('files', STARTUP, apk(VERSION), { approval: true }),
  AppBuilders_NoAdmin_Android_S3: scheme('files', STARTUP, apk(VERSION)),
  AppBuilders_Default_Android_S3_Rebuild: scheme('files', REBUILD, apk({ ...VERSION, ...SHARED })),
} as const;

/** The orders that depend on the flow: the schemes of asset packages are those of apps. */
export const workByFlow: Readonly<Record<string, EngineOrders>> = {
  AppBuilders_AssetPackage_Flow: assetPackage,
};

export const filesFlows = {
  AppBuilders_Android_S3_Flow: {
    'Readiness Check': 'readiness-check',
    Approval: 'approval',
    'Approval Pending': 'approval-pending',
    'App Builder Configuration': 'app-configuration',
    ...shared,
    'Verify and Publish': 'verify',
  },
  AppBuilders_AssetPackage_Flow: {
    'App Builder Configuration': 'app-configuration',
    ...shared,
    'Verify and Publish': 'asset-package-verify',
  },
} as const;
