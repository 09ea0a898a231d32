import { limits } from '#protocol/limits.ts';
import { ProblemError } from '#protocol/problem.ts';
import type { PageMeta } from '#protocol/document.ts';
import type { PageRange } from '../../../access/query/query.ts';

/** Returns page number and size as requested, with the defaults and the limits of wire 5.3. */
export function pageOf(parameters: URLSearchParams): PageRange {
  const number = eitherOf(parameters, 'page[offset]', 'page[number]');
  const requested = eitherOf(parameters, 'page[limit]', 'page[size]');
  const size = requested ?? (number === null ? null : limits.pageSize);
  return {
    number: number ?? 1,
    size: Math.min(size ?? limits.pageSizeMost, limits.pageSizeMost),
    isClamped: size === null || size > limits.pageSizeMost,
  };
}

function eitherOf(parameters: URLSearchParams, name: string, synonym: string): number | null {
  const values = [name, synonym].flatMap((one) =>
    parameters.getAll(one).map((text) => positive(text, one)),
  );
  if (new Set(values).size > 1) throw invalidPage(synonym, `${name} and ${synonym} differ.`);
  return values[0] ?? null;
}

function positive(text: string, parameter: string): number {
  const value = /^\d{1,12}$/.test(text) ? Number(text) : 0;
  if (value < 1) throw invalidPage(parameter, 'Pages count from 1.');
  return value;
}

function invalidPage(parameter: string, detail: string): ProblemError {
  return new ProblemError({ code: 'invalid-parameter', detail, source: { parameter } });
}

export interface Paging {
  readonly meta: PageMeta & Readonly<Record<string, unknown>>;
  readonly links: Readonly<Record<string, string | null>>;
}

/**
 * Returns `meta` and `links` of a list: `path` is the address without its query, `query` with it.
 */
export function pagingOf(path: string, query: string, page: PageRange, total: number): Paging {
  const pages = Math.ceil(total / page.size);
  const last = Math.max(pages, 1);
  const to = (number: number) => linkTo(path, query, number, page.size);
  return {
    meta: {
      'total-records': total,
      page: {
        offset: page.number,
        limit: page.size,
        pages,
        ...(page.isClamped ? { clamped: true } : {}),
      },
    },
    links: {
      self: query === '' ? path : `${path}?${query}`,
      first: to(1),
      prev: page.number > 1 ? to(Math.min(page.number - 1, last)) : null,
      next: page.number < pages ? to(page.number + 1) : null,
      last: to(last),
    },
  };
}

function linkTo(path: string, query: string, number: number, size: number): string {
  const parameters = new URLSearchParams(query);
  parameters.delete('page[number]');
  parameters.delete('page[size]');
  parameters.set('page[offset]', String(number));
  parameters.set('page[limit]', String(size));
  return `${path}?${parameters.toString()}`;
}
