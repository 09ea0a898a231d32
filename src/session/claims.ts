/** The claims that the client reads in a token; only the server decides whether they are valid. */
export interface TokenClaims {
  readonly sub: string;
  readonly email: string | null;
  readonly isEmailVerified: boolean;
  readonly name: string | null;
  /** The address of a portrait. */
  readonly picture: string | null;
  /** When the token expires, in ms of the server's clock; null where it does not say. */
  readonly endsAt: number | null;
}

/** The token that was read last: rendering reads it again and again. */
let last: { readonly token: string; readonly claims: TokenClaims | null } | null = null;

/** The claims of a JWT, unchecked; null when `token` is not one. */
export function claimsIn(token: string): TokenClaims | null {
  if (last?.token !== token) last = { token, claims: readClaims(token) };
  return last.claims;
}

function readClaims(token: string): TokenClaims | null {
  const payload = payloadOf(token);
  if (payload === null || typeof payload.sub !== 'string') return null;
  const text = (name: string) => {
    const value = payload[name];
    return typeof value === 'string' && value !== '' ? value : null;
  };
  return {
    sub: payload.sub,
    email: text('email'),
    isEmailVerified: payload.email_verified === true,
    name: text('name'),
    picture: text('picture'),
    endsAt: typeof payload.exp === 'number' ? payload.exp * 1_000 : null,
  };
}

function payloadOf(token: string): Readonly<Record<string, unknown>> | null {
  const [, part] = token.split('.');
  if (part === undefined) return null;
  try {
    const bytes = Uint8Array.from(
      atob(part.replaceAll('-', '+').replaceAll('_', '/')),
      (letter) => letter.codePointAt(0) ?? 0,
    );
    const payload: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return typeof payload === 'object' && payload !== null ? { ...payload } : null;
  } catch {
    // It is not base64 or not JSON: then it is an opaque token, about which nothing is known.
    return null;
  }
}
