/**
 * Says whether `error` is a script or style file that could not be had: a newer release has removed
 * it, or there is no connection. A reload helps; the page itself is not broken.
 */
export function isMissingScript(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const isStyle = 'code' in error && error.code === 'CSS_CHUNK_LOAD_FAILED';
  return error.name === 'ChunkLoadError' || isStyle;
}
