import ts from 'typescript';

/**
 * A comment `// fault 8`, or `// fault 1, fault 3`, on a line of its own marks the largest statement,
 * class member, property or expression that starts after it: without that, the fault is not handled.
 */
export interface Marked {
  readonly faults: readonly number[];
  readonly start: number;
  readonly end: number;
}

const MARKER = /^\s*\/\/ fault \d+(?:, fault \d+)*$/gm;

/** What is marked in `source`, from its start to its end. @throws Error where a marker marks nothing */
export function markedIn(file: string, source: string): Marked[] {
  const markers = new Map(
    [...source.matchAll(MARKER)].map(({ index, 0: text }) => [index + text.length, text]),
  );
  if (markers.size === 0) return [];
  const marked: Marked[] = [];
  const visit = (node: ts.Node): void => {
    for (const { end } of ts.getLeadingCommentRanges(source, node.pos) ?? []) {
      const text = markers.get(end);
      if (text === undefined || !markers.delete(end)) continue;
      const faults = [...text.matchAll(/\d+/g)].map(Number);
      marked.push({ faults, start: node.getStart(), end: node.end });
    }
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true), visit);
  const [left] = markers.values();
  if (left !== undefined) throw new Error(`${file}: nothing follows the marker ${left.trim()}`);
  return marked.sort((a, b) => a.start - b.start);
}

/**
 * `source` with `instead`, one text for each place in turn, where it handles `fault`.
 *
 * @throws Error where it is marked in more places, or in fewer, and where the result can't be parsed
 */
export function withoutHandling(
  file: string,
  source: string,
  fault: number,
  instead: readonly string[],
): string {
  const places = markedIn(file, source).filter(({ faults }) => faults.includes(fault));
  if (places.length !== instead.length)
    throw new Error(`${file} marks fault ${fault} ${places.length} times, not ${instead.length}`);
  const result = places.reduceRight(
    (text, { start, end }, i) => text.slice(0, start) + (instead[i] ?? '') + text.slice(end),
    source,
  );
  const [mistake] = mistakesIn(file, result);
  if (mistake !== undefined) throw new Error(`${file} without fault ${fault}: ${mistake}`);
  return result;
}

/** Of the syntax alone. */
function mistakesIn(fileName: string, source: string): string[] {
  const { diagnostics = [] } = ts.transpileModule(source, {
    fileName,
    reportDiagnostics: true,
    compilerOptions: { jsx: ts.JsxEmit.ReactJSX, target: ts.ScriptTarget.Latest },
  });
  return diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
}
