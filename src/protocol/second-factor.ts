import { isObject } from '#base/is-object.ts';

/** What the calls of a second factor answer (wire 11.12). */
export interface SecondFactorState {
  readonly on: boolean;
  /** The instant since which it is on; null: it is off. */
  readonly since: string | null;
  /** The number of recovery codes that were not used. */
  readonly recoveryCodes: number;
  /** The number of passkeys; beside them or in their place there may be one-time codes. */
  readonly passkeys: number;
}

/** Where the second factor of a person is told; `/reset` below it switches it off. */
export function secondFactorPath(user: string): string {
  return `/api/users/${user}/second-factor`;
}

/** The answer of these calls; null: it is of another form. */
export function secondFactorFrom(value: unknown): SecondFactorState | null {
  if (!isObject(value)) return null;
  const { on, since, recoveryCodes, passkeys } = value;
  const isWhole =
    typeof on === 'boolean' &&
    (since === null || typeof since === 'string') &&
    typeof recoveryCodes === 'number' &&
    typeof passkeys === 'number';
  return isWhole ? { on, since, recoveryCodes, passkeys } : null;
}
