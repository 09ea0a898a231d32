import type { StorageFault } from './storage.ts';

/** What happens to requests. */
export const REQUESTS = [
  'cut-before',
  'cut-after',
  'cut-within',
  'half',
  'portal',
  'hang',
  'late',
  'overtaken',
  'repeated',
  'error-500',
  'busy-429',
  'busy-503',
  'proxy-502',
] as const;
/** What happens to frames from the hub. */
export const FRAMES = [
  'frame-lost',
  'frame-repeated',
  'frame-later',
  'frame-strange',
  'frame-garbled',
] as const;
export const STORAGE = ['quota', 'abort', 'close', 'refuse-open'] as const;
const OTHERS = [
  'offline',
  'slow',
  'hub-cut',
  'hint-lost',
  'hint-late',
  'tab-killed',
  'tab-frozen',
  'tab-hidden',
  'tab-opened',
  'channel-late',
  'token-expired',
  'refresh-silent',
  'sign-in-needed',
  'server-restart',
  'database-restored',
  'feed-pruned',
  'clock-jump',
  'user-locked',
  'access-revoked',
  'other-user',
  'parent-removed',
  'edited-elsewhere',
] as const;

export type RequestFault = (typeof REQUESTS)[number];
export type FrameFault = (typeof FRAMES)[number];
export type OtherFault = (typeof OTHERS)[number];
export type Fault = RequestFault | FrameFault | StorageFault | OtherFault;

export const FAULTS: readonly Fault[] = [...REQUESTS, ...FRAMES, ...STORAGE, ...OTHERS];

/** What decides where a device stands when the database is put back. */
export const AROUND_A_RESTORE: readonly Fault[] = [
  'database-restored',
  'database-restored',
  'database-restored',
  'offline',
  'slow',
  'hub-cut',
  'hint-lost',
  'hint-late',
  'frame-lost',
  'frame-later',
  'late',
  'overtaken',
  'cut-after',
  'tab-killed',
  'tab-opened',
  'edited-elsewhere',
];
