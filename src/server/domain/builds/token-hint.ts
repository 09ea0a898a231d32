const SHOWN = 4;
const LONG_ENOUGH = 12;

/** What people are shown of the token of a build engine (wire 14.1); null without one. */
export function hintOf(token: string | null): string | null {
  if (token === null) return null;
  return token.length >= LONG_ENOUGH ? token.slice(-SHOWN) : '••••';
}
