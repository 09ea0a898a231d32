const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** A file's size in the largest unit that fits: "4.2 MB"; `--` where it is empty or not known. */
export function sizeOf(bytes: number | null, language: string): string {
  if (bytes === null || bytes < 1) return '--';
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit: UNITS[power] ?? 'byte',
    // "203 byte" is how the short form is in English.
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: 1,
  }).format(bytes / 1_000 ** power);
}
