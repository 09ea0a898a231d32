/**
 * A language for tests alone: each text is longer than it was, in letters that are in no other text
 * and between brackets. No build has it.
 */

const ACCENTED: Readonly<Record<string, string>> = {
  ...{ a: 'á', e: 'é', i: 'í', o: 'ó', u: 'ú', A: 'Á', E: 'É', I: 'Í', O: 'Ó', U: 'Ú' },
  ...{ c: 'ç', n: 'ñ', s: 'š', y: 'ý', z: 'ž', N: 'Ñ', S: 'Š', C: 'Ç' },
};
/** How much longer than English a text may become in another language. */
const LONGER = 0.4;

/** "Save {{name}}" → "⟦Šávé {{name}} ẋẋẋ⟧"; each line of several, for they may be shown apart. */
export function pseudo(text: string): string {
  return text.split('\n').map(pseudoLine).join('\n');
}

function pseudoLine(text: string): string {
  if (text.trim() === '') return text;
  const accented = text.replaceAll(/\{\{.*?\}\}|[A-Za-z]/g, (part) => ACCENTED[part] ?? part);
  const more = Math.max(1, Math.round(text.replaceAll(/\{\{.*?\}\}/g, '').length * LONGER));
  // It breaks where words do.
  const words = 'ẋ'.repeat(more).replaceAll(/(ẋ{7})(?=ẋ)/g, '$1 ');
  return `⟦${accented} ${words}⟧`;
}

/** Without what is between brackets, however deep. */
export function withoutPseudo(text: string): string {
  let rest = text;
  for (let before = ''; before !== rest;) {
    before = rest;
    rest = rest.replaceAll(/⟦[^⟦⟧]*⟧/gs, ' ');
  }
  return rest.replaceAll(/\s+/g, ' ').trim();
}
