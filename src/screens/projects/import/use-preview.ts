import { useMemo } from 'react';
import { jsonMistakeIn, placeIn } from '#base/json-mistake.ts';
import type { Broken } from '#rules/valid/broken.ts';
import { keyOfName } from '#rules/valid/import-file.ts';
import type { ImportFile } from '#rules/valid/import-file.ts';
import { checkImport } from '#rules/valid/project-import.ts';
import { useData, useList } from '#data/react/hooks.ts';

/** A project that the file asks for. */
export interface PreviewRow {
  readonly name: string;
  readonly language: string;
  /** Null: it is to be made; else the project that is called so already. */
  readonly there: string | null;
  readonly isNew: boolean;
}

export interface PreviewOf {
  readonly rows: readonly PreviewRow[];
  readonly products: ImportFile['products'];
  /** Places of keys that mean nothing. */
  readonly unknown: readonly string[];
  readonly mistakes: readonly Broken[];
  /** Where the text stops being JSON, as people count; null: it is JSON. */
  readonly brokenAt: ReturnType<typeof placeIn> | null;
}

/**
 * Says what an import of `text` would make in the organization, as far as this device knows; null:
 * no file.
 */
export function usePreview(organization: string, text: string | null): PreviewOf | null {
  const { find } = useData();
  const { rows: there } = useList('project', { organization });
  return useMemo(() => {
    if (text === null) return null;
    const { file, mistakes } = checkImport(text, organization, find);
    const known = new Map(there.map(({ id, name }) => [keyOfName(name), id]));
    const rows = file.projects.map(({ name, language }) => {
      const found = known.get(keyOfName(name)) ?? null;
      return { name, language, there: found, isNew: found === null };
    });
    const isJson = mistakes.every(({ rule }) => rule !== 'json');
    const at = isJson ? null : jsonMistakeIn(text);
    const brokenAt = at === null ? null : placeIn(text, at);
    return { rows, products: file.products, unknown: file.unknown, mistakes, brokenAt };
  }, [text, organization, find, there]);
}
