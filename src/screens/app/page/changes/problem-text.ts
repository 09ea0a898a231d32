import { useCallback } from 'react';
import type { Problem } from '#protocol/problem.ts';
import { useTextOf } from '#ui/text/text.ts';

/** The field at the end of a pointer: `group-name` of `/data/attributes/group-name`. */
function fieldOf(pointer: string | undefined): string {
  return pointer?.split('/').at(-1) ?? '';
}

/** A refusal of the server's, of whatever release that is, or of this device. */
interface Refusal extends Omit<Problem, 'code'> {
  readonly code: string;
  readonly title?: string;
  readonly status?: string;
}

/** The texts for refusals that come without words, as from something between us and the server. */
const WORDLESS: Readonly<Record<string, string>> = {
  '401': 'errors.notAuthorized',
  '403': 'errors.userForbidden',
};

/** Says why the server said no, in the reader's language; a code that is new by its own words. */
export function useProblemText(): (refusal: Refusal) => string {
  const textOf = useTextOf();
  return useCallback(
    ({ code, status = '', title = '', detail = title, source, meta = {} }) => {
      if (code === 'invalid') {
        const name = fieldOf(source?.pointer);
        const field = textOf(`fields.${name}`, name);
        const rule = typeof meta.rule === 'string' ? meta.rule : '';
        const limit = typeof meta.limit === 'number' ? meta.limit : '';
        return textOf(`rules.${rule}`, detail, { field, limit });
      }
      const { reason } = meta;
      const why = 'refused' in meta ? 'refused' : typeof reason === 'string' ? reason : '';
      const otherwise = detail === '' ? textOf(WORDLESS[status] ?? '', '') : detail;
      return textOf(`products.reasons.${why}`, textOf(`problems.${code}`, otherwise));
    },
    [textOf],
  );
}
