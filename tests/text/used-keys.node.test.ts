import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import ts from 'typescript';
import { kebab } from '#base/kebab.ts';
import english from '#text/en-US.json' with { type: 'json' };

/** Paths of relations and names of drafts look like keys of texts, and are none. */
const NO_TEXTS = [/\/data\/sync\//, /useDraft\(/, /draft\b/];

/** What the source says: whole texts, templates, and every word that can fill a template's gap. */
interface Said {
  readonly texts: ReadonlySet<string>;
  readonly templates: readonly RegExp[];
  readonly words: ReadonlySet<string>;
}

function readSource(): Said {
  const texts = new Set<string>();
  const words = new Set<string>();
  const templates = new Map<string, RegExp>();
  const visit = (node: ts.Node, path: string): void => {
    if (ts.isStringLiteralLike(node)) texts.add(node.text);
    if (ts.isIdentifier(node)) words.add(kebab(node.text));
    if (ts.isTemplateExpression(node)) {
      const around = `${path} ${node.parent.getText().slice(0, 200)}`;
      if (!NO_TEXTS.some((no) => no.test(around))) {
        const pattern = templateOf(node);
        templates.set(pattern, new RegExp(`^${pattern}$`));
      }
    }
    ts.forEachChild(node, (child) => {
      visit(child, path);
    });
  };
  for (const file of readdirSync('src', { recursive: true, encoding: 'utf8' }))
    if (/\.tsx?$/.test(file)) {
      const path = join('src', file);
      const kind = ts.ScriptTarget.Latest;
      visit(ts.createSourceFile(path, readFileSync(path, 'utf8'), kind, true), path);
    }
  for (const text of texts) words.add(kebab(text));
  for (let number = 0; number < 10; number += 1) words.add(String(number));
  return { texts, templates: [...templates.values()], words };
}

function templateOf({ head, templateSpans }: ts.TemplateExpression): string {
  const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const gaps = templateSpans.map(({ literal }) => `(.+)${escaped(literal.text)}`);
  return escaped(head.text) + gaps.join('');
}

/** A gap is filled by a word of the source, or by the beginning of keys that stands there whole. */
function isUsed(key: string, { texts, templates, words }: Said): boolean {
  if (texts.has(key)) return true;
  const isFill = (part: string) =>
    texts.has(part) || part.split('.').every((word) => words.has(kebab(word)));
  return templates.some((template) => {
    const found = template.exec(key);
    if (found === null) return false;
    const [first = '', ...others] = found.slice(1);
    // A template that begins with a gap would stand for every key.
    const isOpen = template.source.startsWith('^(.+)');
    return (
      (isOpen ? texts.has(first) && first.includes('.') : isFill(first)) && others.every(isFill)
    );
  });
}

/** Without the ending of a plural. */
const plain = (key: string): string => key.replace(/_(one|many|other)$/, '');

describe('the texts', () => {
  it('are said by the code, each of them: none is unused [R18]', () => {
    const said = readSource();
    const unused = Object.keys(english).filter(
      (key) => !isUsed(plain(key), said) && !isUsed(key, said),
    );
    expect(unused).to.deep.equal([]);
    // The same look finds a key that nothing says.
    expect(isUsed('users.nothingSaysThis', said)).to.equal(false);
    expect(isUsed('roles.SaidByNothing', said)).to.equal(false);
  });
});
