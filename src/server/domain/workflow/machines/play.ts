import { REBUILD, REPUBLISH, scheme, SHARED, STARTUP, VERSION } from '../scheme.ts';
import type { EngineOrders } from '../scheme.ts';
import { shared } from './shared-forms.ts';

const app: EngineOrders = {
  build: { targets: 'apk play-listing', environment: { ...VERSION, ...SHARED } },
  publish: { targets: 'google-play' },
  review: { types: ['apk', 'aab', 'play-listing'] },
};

const listing: EngineOrders = {
  build: { targets: 'play-listing', environment: VERSION },
  publish: { targets: 'google-play', environment: { PUBLISH_NO_APK: '1' } },
  review: { types: ['play-listing'] },
};

/** Apps for the Play store. */
export const playSchemes = {
  AppBuilders_Default_Android_GooglePlay: scheme('play', STARTUP, app, {
    approval: true,
    preview: true,
    storeStep: 'OrgAdmin',
  }),
  AppBuilders_LowAdmin_Android_GooglePlay: scheme('play', STARTUP, app, { storeStep: 'OrgAdmin' }),
  AppBuilders_OwnerAdmin_Android_GooglePlay: scheme('play', STARTUP, app, { storeStep: 'Owner' }),
  AppBuilders_Default_Android_GooglePlay_Rebuild: scheme('play', REBUILD, app),
  AppBuilders_Default_Android_GooglePlay_Republish: scheme('play', REPUBLISH, listing),
} as const;

export const playFlows = {
  AppBuilders_Android_GooglePlay_Flow: {
    'Readiness Check': 'readiness-check',
    Approval: 'approval',
    'Approval Pending': 'approval-pending',
    'App Builder Configuration': 'google-play-configuration',
    ...shared,
    'App Store Preview': 'app-store-preview',
    'Create App Store Entry': 'create-app-store-entry',
    'Verify and Publish': 'google-play-verify',
    'Make It Live': 'make-it-live',
  },
} as const;
