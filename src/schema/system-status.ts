import { bool, line, resource, url } from './define.ts';
import type { RecordOf } from './define.ts';

/** A build engine in use and whether it answers; `buildEngineUrl` null is the bundled one. */
export const systemStatus = resource(
  'systemStatus',
  'LG',
  {
    buildEngineUrl: url().by('server'),
    buildEngineApiAccessTokenHint: line().by('server'),
    systemAvailable: bool().orElse(false).by('server'),
  },
  { load: 'ask' },
);

export type SystemStatus = RecordOf<typeof systemStatus>;
