import type { Option } from '#ui/form/combobox.tsx';

/** The zone of this device. */
function here(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** "(GMT-3) America/Sao_Paulo", as the clocks there stand at `now`. */
function labelOf(zone: string, now: number): string {
  try {
    const parts = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'shortOffset' });
    const offset = parts.formatToParts(now).find(({ type }) => type === 'timeZoneName')?.value;
    return `(${(offset ?? 'GMT').replace('-', '−')}) ${zone}`;
  } catch {
    // A zone that another browser knew.
    return zone;
  }
}

/** Every zone by name, that of this device first, and `present`, whether or not it is known here. */
export function timezones(present: string, now: number): readonly Option[] {
  const known = Intl.supportedValuesOf('timeZone');
  const first = here();
  const zones = [...new Set([first, ...known, ...(present === '' ? [] : [present])])];
  return zones.map((zone) => ({ id: zone, label: labelOf(zone, now) }));
}
