/** The kinds of devices that products are for, in the order in which they are shown. */
export const PLATFORMS = ['android', 'web', 'package'] as const;
export type Platform = (typeof PLATFORMS)[number];

/** Returns the platform of the products of a definition, which its name tells (screens 9.1). */
export function platformOf(definition: string): Platform {
  if (/android/i.test(definition)) return 'android';
  return /package/i.test(definition) ? 'package' : 'web';
}
