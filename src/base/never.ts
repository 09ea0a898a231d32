/** Ends an exhaustive `switch`: a case that is new does not compile, and at run time it throws. */
export function never(value: never): never {
  throw new Error(`Not expected here: ${JSON.stringify(value)}`);
}
