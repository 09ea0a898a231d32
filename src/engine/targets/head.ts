import { fromHtml } from 'hast-util-from-html';
import type { Element, Nodes } from 'hast';

/**
 * The place in `page` where something can be added that belongs into its head, and what is in there
 * already.
 */
export interface Head {
  /** An offset into `page`. */
  readonly at: number;
  /** The address of its web manifest; null when it links to none. */
  readonly manifest: string | null;
}

export function headOf(page: string): Head {
  try {
    return parsedHead(page);
  } catch (error) {
    // A page nested deeper than the stack is still a page.
    if (!(error instanceof RangeError)) throw error;
    const found = /<head(\s[^>]*)?>/i.exec(page);
    return { at: found === null ? 0 : found.index + found[0].length, manifest: null };
  }
}

function parsedHead(page: string): Head {
  const tree = fromHtml(page, { verbose: true });
  const root = tree.children.find((node) => isElement(node, 'html'));
  const head = root?.children.find((node) => isElement(node, 'head'));
  const doctype = tree.children.find(({ type }) => type === 'doctype');
  return {
    at: openingEnd(head) ?? openingEnd(root) ?? doctype?.position?.end.offset ?? 0,
    manifest: manifestIn(head),
  };
}

function isElement(node: Nodes, tagName: string): node is Element {
  return node.type === 'element' && node.tagName === tagName;
}

function manifestIn(head: Element | undefined): string | null {
  for (const node of head?.children ?? []) {
    const { rel, href } = isElement(node, 'link') ? node.properties : {};
    if (Array.isArray(rel) && rel.includes('manifest') && typeof href === 'string') return href;
  }
  return null;
}

/** Finds where an element's own tag ends; undefined when the page leaves the tag out. */
function openingEnd(found: Element | undefined): number | undefined {
  const position = found?.data?.position as
    { readonly opening?: { readonly end: { readonly offset?: number } } } | undefined;
  return position?.opening?.end.offset;
}
