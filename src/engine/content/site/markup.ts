import type { Element, ElementContent, Nodes, Root } from 'hast';

/** The element itself made here, so that screens of code stay short. */
export function element(
  tagName: string,
  properties: Element['properties'],
  children: ElementContent[] = [],
): Element {
  return { type: 'element', tagName, properties, children };
}

export const text = (value: string): ElementContent => ({ type: 'text', value });

/**
 * Calls `change` for every element of `tree`, parents first; what it returns takes the element's
 * place, and an element returned is not visited again but its children are.
 */
export function eachElement(
  tree: Root | Element,
  change: (found: Element) => readonly ElementContent[],
): void {
  const children: ElementContent[] = [];
  for (const child of tree.children) {
    if (child.type === 'doctype') continue;
    children.push(...(child.type === 'element' ? change(child) : [child]));
  }
  tree.children = children;
  for (const child of children) if (child.type === 'element') eachElement(child, change);
}

/** Elements between whose texts a reader sees a gap. */
const BLOCK =
  /^(address|article|blockquote|br|d[dlt]|div|figure|figcaption|h[1-6]|hr|li|ol|p|pre|section|table|t[dhr]|ul)$/;

/** The text of `node`, with white space as people read it. */
export function textOf(node: Nodes): string {
  const parts: string[] = [];
  const walk = (each: Nodes) => {
    if (each.type === 'text') parts.push(each.value);
    if (!('children' in each)) return;
    const isBlock = each.type === 'element' && BLOCK.test(each.tagName);
    if (isBlock) parts.push(' ');
    for (const child of each.children) walk(child);
    if (isBlock) parts.push(' ');
  };
  walk(node);
  return parts.join('').replace(/\s+/g, ' ').trim();
}
