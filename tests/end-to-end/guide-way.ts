import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';

/** The user's guide as somebody reads it who follows it. */

const FOLDER = 'docs/guide';
const WAY = 'From nothing to a published app';

/** What stands below a heading of the guide, up to the next one. */
export interface GuideSection {
  readonly title: string;
  readonly text: string;
}

/** The sections that the guide's way from nothing to a published app leads through, in its order. */
export function wayOfTheGuide(): readonly GuideSection[] {
  const { text } = sectionOf('README.md', ({ title }) => title === WAY);
  return [...text.matchAll(/\]\(([\w-]+\.md)#([^)]+)\)/g)].map(([, file = '', anchor = '']) =>
    sectionOf(file, ({ title }) => anchorOf(title) === anchor),
  );
}

/** The section of `file` that `isWanted`. @throws Error where the guide has none */
export function sectionOf(
  file: string,
  isWanted: (section: GuideSection) => boolean,
): GuideSection {
  const sections = readFileSync(join(FOLDER, file), 'utf8')
    .split(/^## /m)
    .map((part) => {
      const end = part.indexOf('\n');
      return { title: part.slice(0, end), text: part.slice(end) };
    });
  const found = sections.find(isWanted);
  if (found === undefined) throw new Error(`${file} of the guide has no such section`);
  return found;
}

const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

/** What stands in the section to be copied, block by block. */
export function blocksOf({ text }: GuideSection): readonly string[] {
  return [...text.matchAll(/^( *)```\n([\s\S]*?)^ *```$/gm)].map(([, indent = '', block = '']) =>
    block
      .split('\n')
      .map((line) => line.slice(indent.length))
      .join('\n')
      .trim(),
  );
}

/** Presses a control that the guide names; a wider `accessibleName` may tell it from its like. */
export type Press = (
  where: Page | Locator,
  named: string,
  accessibleName?: string | RegExp,
) => Promise<void>;

/** Presses what `section` names, and fails where it does not: then it cannot be followed. */
export function pressing(section: GuideSection): Press {
  const named = namesIn(section);
  return async (where, name, accessibleName = name) => {
    expect(named, `“${section.title}” of the guide says to press it`).toContain(name);
    const which = { name: accessibleName, exact: typeof accessibleName === 'string' };
    await where.getByRole('button', which).or(where.getByRole('link', which)).click();
  };
}

/** The words of the section that stand out: in bold, in italics, or as they are typed. */
function namesIn({ text }: GuideSection): readonly string[] {
  return [...text.matchAll(/`([^`]+)`|\*\*([^*]+)\*\*|_([^_]+)_/g)].map((match) =>
    (match[1] ?? match[2] ?? match[3] ?? '').replace(/\s+/g, ' '),
  );
}
