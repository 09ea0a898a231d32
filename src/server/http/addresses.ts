import type { FastifyInstance } from 'fastify';

/** Below these an unknown path is a problem; anywhere else it is the app's HTML (wire 1.1). */
const RESERVED = /^\/(api|hubs|files|ui|assets|help)(\/|$)/;

/** The route that gives the app's files and, for any other path, its HTML. */
export const ANY_PATH = '/*';

export function isReserved(path: string): boolean {
  return RESERVED.test(path);
}

export function pathOf(address: string): string {
  return address.split('?', 1)[0] ?? '';
}

/**
 * Knows the methods of each address, for `Allow`: the router itself only says that it found none.
 */
export interface Addresses {
  methodsAt(path: string): readonly string[];
}

/** Listens to what is registered from now on. */
export function followRoutes(app: FastifyInstance): Addresses {
  const known = new Map<string, { readonly pattern: RegExp; readonly methods: Set<string> }>();
  app.addHook('onRoute', ({ url, method }) => {
    const entry = known.get(url) ?? { pattern: patternOf(url), methods: new Set() };
    for (const each of [method].flat()) entry.methods.add(each);
    known.set(url, entry);
  });

  return {
    methodsAt: (path) => {
      const here = [...known].filter(
        ([url, { pattern }]) => pattern.test(path) && !(url === ANY_PATH && isReserved(path)),
      );
      return [...new Set(here.flatMap(([, { methods }]) => [...methods]))].sort();
    },
  };
}

/** `/api/projects/:id` as an expression; `*` stands for any rest. */
function patternOf(url: string): RegExp {
  const parts = url.split('/').map((part) => {
    if (part === '*') return '.*';
    return part.startsWith(':') ? '[^/]+' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  });
  return new RegExp(`^${parts.join('/')}$`);
}
