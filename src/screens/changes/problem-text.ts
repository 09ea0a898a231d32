import { isProblemCode } from '#protocol/problem.ts';
import type { ErrorObject } from '#protocol/problem.ts';
import { useTextOf } from '#ui/text.ts';

/** The field at the end of a pointer: `group-name` of `/data/attributes/group-name`. */
function fieldOf(pointer: string | undefined): string {
  return pointer?.split('/').at(-1) ?? '';
}

/** Says why the server said no, in the reader's language; a code that is new by its own words. */
export function useProblemText(): (problem: ErrorObject) => string {
  const textOf = useTextOf();
  return ({ code, title, detail, source, meta = {} }) => {
    if (code === 'invalid') {
      const name = fieldOf(source?.pointer);
      const field = textOf(`fields.${name}`, name);
      const rule = typeof meta.rule === 'string' ? meta.rule : '';
      const limit = typeof meta.limit === 'number' ? meta.limit : '';
      return textOf(`rules.${rule}`, detail ?? title, { field, limit });
    }
    return isProblemCode(code) ? textOf(`problems.${code}`, title) : (detail ?? title);
  };
}
