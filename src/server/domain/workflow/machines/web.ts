import { REBUILD, scheme, STARTUP } from '../scheme.ts';
import type { EngineOrders } from '../scheme.ts';
import { shared } from './shared-forms.ts';

const site = (target: 'pwa' | 'html'): EngineOrders => ({
  build: { targets: target },
  publish: { targets: 'rclone' },
  review: { types: [target] },
});

/** Sites and web apps in the cloud. */
export const webSchemes = {
  AppBuilders_Default_Pwa_Cloud: scheme('web', STARTUP, site('pwa')),
  AppBuilders_Default_Html_Cloud: scheme('web', STARTUP, site('html')),
  AppBuilders_Default_Pwa_Cloud_Rebuild: scheme('web', REBUILD, site('pwa')),
  AppBuilders_Default_Html_Cloud_Rebuild: scheme('web', REBUILD, site('html')),
} as const;

export const webFlows = {
  AppBuilders_Web_Flow: {
    'App Builder Configuration': 'app-configuration',
    ...shared,
    'Verify and Publish': 'web-verify',
  },
} as const;
