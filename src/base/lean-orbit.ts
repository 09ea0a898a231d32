// Each of these stands in the built app for a part of Orbit that is constructed there and never used.

/**
 * In place of the function that builds validators: records come from the server checked, or by
 * `rules/valid`, and both stores are set to validate nothing.
 */
export function buildRecordValidatorFor(): undefined {
  return undefined;
}

/** In place of the builder that makes operations from a function: changes are made by `createData`. */
export const RecordTransformBuilder = Object;

/** In place of persistent maps: `StoreCache` keeps the records, and what it inherits stays empty. */
export const ImmutableMap = Map;
