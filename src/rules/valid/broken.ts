/** Says why a value is not valid (wire 6.2); the names are those of the wire. */
export type BrokenRule =
  | 'required'
  | 'type'
  | 'too-long'
  | 'choice'
  | 'email'
  | 'url'
  | 'json'
  | 'shape'
  | 'range'
  | 'reference'
  | 'mismatch'
  | 'no-membership'
  | 'needs-role'
  | 'not-enabled';

/** One broken rule of one field; all of a record's are found at once. */
export interface Broken {
  readonly field: string;
  readonly rule: BrokenRule;
  /**
   * The values that the rule needs to be understood, such as `limit`; the place in a file, `at`.
   */
  readonly meta: Readonly<Record<string, unknown>>;
}

export const broken = (field: string, rule: BrokenRule, meta: Broken['meta'] = {}): Broken => ({
  field,
  rule,
  meta,
});
