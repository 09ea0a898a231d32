/**
 * Our functions that call themselves for what is inside can go this deep without running out of
 * stack.
 */
const DEEPEST = 50;

/**
 * The one way to read JSON that somebody else wrote (wire 15.2).
 *
 * @throws SyntaxError when `text` is not JSON, or has objects and lists more than 50 deep in each other
 */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (isDeeper(value, DEEPEST)) throw new SyntaxError('Nested too deeply');
  return value;
}

function isDeeper(value: unknown, most: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return most === 0 || Object.values(value).some((inside) => isDeeper(inside, most - 1));
}
