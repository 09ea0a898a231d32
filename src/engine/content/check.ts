import { CONTENT_LIMITS, readArchive } from './archive.ts';
import type { ContentLimits } from './archive.ts';
import { APP_FILE, isMarkdown, kindOf, languageFolders } from './kind.ts';
import type { ContentKind } from './kind.ts';

/** The facts of a project's content that are known without unpacking it. */
export interface ContentSummary {
  readonly kind: ContentKind;
  readonly files: number;
  /** Unpacked, as the zip says; a build holds it to that. */
  readonly sizeBytes: number;
  /** HTML pages of a site, Markdown pages otherwise. */
  readonly pages: number;
  /** The languages of Markdown pages with a folder for each; empty otherwise. */
  readonly languages: readonly string[];
  readonly hasAppFile: boolean;
}

/**
 * Looks through the zip at `path`, reading no more than its directory.
 *
 * @throws ContentRefused with its reason when it must not be unpacked, or is no content
 */
export function checkContent(
  path: string,
  limits: ContentLimits = CONTENT_LIMITS,
): Promise<ContentSummary> {
  return readArchive(path, limits, (files) => {
    const paths = files.map((file) => file.path);
    const kind = kindOf(paths);
    const isPage = kind === 'site' ? (name: string) => /\.html?$/i.test(name) : isMarkdown;
    return {
      kind,
      files: files.length,
      sizeBytes: files.reduce((sum, file) => sum + file.sizeBytes, 0),
      pages: paths.filter(isPage).length,
      languages: kind === 'site' ? [] : [...new Set(languageFolders(paths).values())].sort(),
      hasAppFile: paths.includes(APP_FILE),
    };
  });
}
