const databaseOf = (cursor: string): string => cursor.slice(0, cursor.indexOf('.'));

export function isSameDatabase(a: string, b: string): boolean {
  return databaseOf(a) === databaseOf(b);
}

/** Tells whether `a` is later than `b` in the same database (wire 9.3). */
export function isLater(a: string | null, b: string): boolean {
  return a !== null && isSameDatabase(a, b) && a > b;
}

/** Tells whether a copy at `own` has everything that one at `other` has. */
export function hasAllOf(own: string | null, other: string | null): boolean {
  return own === other || other === null || isLater(own, other);
}
