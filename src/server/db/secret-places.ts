/** Wraps the secrets in the database, so that a copy of it is of no use without `SECRET_KEY`. */
export interface Secrets {
  /** It tells keys apart and reveals nothing about them. */
  readonly keyId: string;
  wrap(place: SecretPlace, clear: string): string;
  /** @throws Error when it was wrapped with another key or for another place, or was changed */
  open(place: SecretPlace, wrapped: string): string;
}

/** A secret is kept at one place: moved to another row or column it does not open. */
export interface SecretPlace {
  readonly column: SecretColumn;
  /** The key of the row. */
  readonly row: string;
}

export type SecretColumn = keyof typeof columns;

/** Every column that holds secrets; a new one is a line here and a trigger in a migration. */
export const columns = {
  keys: { column: 'value', row: 'name' },
  engine_signing_keys: { column: 'private_key', row: 'organization_id' },
  organization_secrets: { column: 'build_engine_api_access_token', row: 'organization_id' },
  second_factors: { column: 'secret', row: 'account_id' },
} as const satisfies Readonly<Record<string, { readonly column: string; readonly row: string }>>;
