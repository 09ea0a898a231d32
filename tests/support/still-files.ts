import type { Uploaded } from '#protocol/file-paths.ts';
import type { FilesEnvironment } from '#files/environment.ts';
import { createFiles } from '#files/files.ts';

/**
 * Files that are had at once: `opened` says which and how, as `save /api/…/link`; `uploads` are
 * those of every repository, newest first.
 */
export function stillFiles(uploads: readonly Uploaded[] = []) {
  const opened: string[] = [];
  let isRefusing = false;
  const refusal = { errors: [{ status: '404', code: 'not-found' }] };
  const environment: FilesEnvironment = {
    accessToken: () => Promise.resolve('token'),
    fetch: (address) =>
      Promise.resolve(
        isRefusing
          ? new Response(JSON.stringify(refusal), { status: 404 })
          : new Response(
              JSON.stringify({ url: `http://localhost${address}`, filename: 'x', uploads }),
            ),
      ),
    put: () => Promise.reject(new Error()),
    open: (address, how) => opened.push(`${how} ${new URL(address).pathname}`),
    holdTab: () => () => undefined,
    abortAfter: () => new AbortController().signal,
    after: () => () => undefined,
    isVisible: () => true,
    onVisible: () => () => undefined,
  };
  const refuse = () => {
    isRefusing = true;
  };
  return { files: createFiles(environment), opened, refuse };
}
