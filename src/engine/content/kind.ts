import { languageFolder } from '#base/language-tag.ts';
import { ContentRefused } from './refusal.ts';

/** A site is taken as it is; pages in Markdown are made into one. */
export type ContentKind = 'site' | 'pages';

export const APP_FILE = 'app.json';
const HOME = 'index.html';

export const isMarkdown = (path: string): boolean => /\.(md|markdown)$/i.test(path);

/** Finds the kind of the content with these files. @throws ContentRefused when it is neither */
export function kindOf(paths: readonly string[]): ContentKind {
  if (paths.includes(HOME)) return 'site';
  if (paths.some(isMarkdown)) return 'pages';
  throw new ContentRefused(
    'empty',
    'The zip has neither a site (index.html at its top) nor pages in Markdown (.md).',
  );
}

/**
 * The languages of pages, by the folder each stands in; empty when the pages are of one language.
 * Every page has to be in such a folder, so that a folder `pic` with a page is not taken for one.
 */
export function languageFolders(paths: readonly string[]): ReadonlyMap<string, string> {
  const folders = new Map<string, string>();
  for (const path of paths.filter(isMarkdown)) {
    const [folder = '', ...below] = path.split('/');
    if (below.length === 0) {
      if (/^readme\./i.test(folder)) continue;
      return new Map();
    }
    const language = languageFolder(folder);
    if (language === null) return new Map();
    folders.set(folder, language);
  }
  return folders;
}
