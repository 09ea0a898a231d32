/**
 * The one key by which text is ordered, searched and compared, the same in SQL, on the device and
 * in filters (wire 5.3): Unicode NFKD, marks removed, lower case of no language.
 */
export function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '');
}

/** Orders two folded keys by code point, as `COLLATE "C"` does; UTF-16 order differs above U+FFFF. */
export function compareFolded(a: string, b: string): number {
  const left = a[Symbol.iterator]();
  const right = b[Symbol.iterator]();
  for (;;) {
    const x = left.next();
    const y = right.next();
    if (x.done === true || y.done === true)
      return Number(y.done ?? false) - Number(x.done ?? false);
    const difference = (x.value.codePointAt(0) ?? 0) - (y.value.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
}
