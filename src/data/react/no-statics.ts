/**
 * Stands in the built app for `hoist-non-react-statics`, which react-orbitjs calls for each component
 * that it wraps: ours have no statics to be copied, and the package brings `react-is` along.
 */
function returnUnchanged<T>(wrapper: T): T {
  return wrapper;
}

export { returnUnchanged as default };
