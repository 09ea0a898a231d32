/**
 * Stands in the built app for `hoist-non-react-statics`, which react-orbitjs calls for each component
 * that it wraps: ours have no statics to be copied, and the package brings `react-is` along.
 */
export default function returnUnchanged<T>(wrapper: T): T {
  return wrapper;
}
