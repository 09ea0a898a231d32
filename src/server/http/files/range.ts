/** A part of a file, both ends included. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/**
 * Returns the part of `sizeBytes` bytes that a `Range` header asks for. Null: all of them, as for
 * several ranges, which nobody needs to continue a download.
 */
export function rangeIn(
  header: string | undefined,
  sizeBytes: number,
): Range | 'unsatisfiable' | null {
  const found = /^bytes=(?:-(\d+)|(\d+)-(\d*))$/.exec(header?.trim() ?? '');
  if (found === null) return null;
  const [, end, first, last = ''] = found;
  if (end !== undefined) return part(Math.max(0, sizeBytes - Number(end)), sizeBytes - 1);
  if (last === '') return part(Number(first), sizeBytes - 1);
  const isBackwards = Number(last) < Number(first);
  return isBackwards ? null : part(Number(first), Math.min(Number(last), sizeBytes - 1));
}

const part = (from: number, to: number): Range | 'unsatisfiable' =>
  from > to ? 'unsatisfiable' : { from, to };
