import type { TypeName } from '#schema/index.ts';
import type { Cell } from './cell.ts';
import type { Answer, Ask, Known } from './person.ts';
import type { Town } from './town.ts';
import type { World } from './world.ts';

/** No engine is asked at such an address. */
const PRIVATE = 'http://10.0.0.7/';

interface Call {
  readonly type: TypeName;
  readonly ask: Ask;
  /** The stranger's answer: the refusal, or the whole answer. */
  readonly refusal: string | null;
  readonly text?: string;
  /** An admin of the town, unless it is said otherwise. */
  readonly who?: Known;
  /** Checks the answer to someone entitled. */
  readonly isRight: (answer: Answer) => boolean;
}

/** The calls of wire 11 and 12 that name something of a town by its id. */
export function callCells(world: World, town: Town): Cell[] {
  const { organization, product, project } = town.ids;
  const admin = world.known(town.people.admin);
  const owner = world.known(town.people.owner);
  const isFine = ({ status }: Answer) => status === 200;
  // It may be done, and only the state does not allow it.
  const isAllowed = ({ refusals }: Answer) => refusals.join() === 'action-not-allowed';
  const get = (type: TypeName, path: string): Call => ({
    type,
    ask: { method: 'GET', path },
    refusal: 'not-found',
    isRight: isFine,
  });
  const post = (path: string, body?: unknown): Ask => ({
    method: 'POST',
    path,
    ...(body === undefined ? {} : { body, isJson: true }),
  });
  const calls: readonly Call[] = [
    get('organization', `/api/organizations/${organization}/users`),
    {
      type: 'organization',
      ask: post(`/api/organizations/${organization}/build-engine/check`, { url: PRIVATE }),
      refusal: 'not-found',
      isRight: isFine,
    },
    get('product', `/api/products/${product}/transitions`),
    get('product', `/api/products/${product}/transitions?include=product.project.organization`),
    get('product', `/api/products/${product}/transitions/active`),
    get('product', `/api/products/${product}/actions`),
    {
      type: 'product',
      ask: post(`/api/products/${product}/actions/rebuild`),
      refusal: 'not-found',
      isRight: isAllowed,
    },
    { ...get('product', `/api/products/${product}/workflow`), who: world.superAdmin },
    {
      type: 'product',
      ask: post(`/api/products/${product}/workflow/state`, {
        state: 'Synchronize Data',
        comment: 'It hangs',
        from: 'Author Download',
      }),
      refusal: 'not-found',
      who: world.superAdmin,
      isRight: isFine,
    },
    ...repositoryCalls(`/api/projects/${project}/repository`).map((ask): Call => ({
      type: 'project',
      ask,
      refusal: 'not-found',
      who: owner,
      isRight: isAllowed,
    })),
    {
      type: 'project',
      ask: post('/api/product-actions', { projects: [project] }),
      refusal: null,
      text: '{}',
      isRight: isFine,
    },
    {
      type: 'product',
      ask: post('/api/product-actions/run', { action: 'rebuild', products: [product] }),
      refusal: 'not-found',
      isRight: isAllowed,
    },
  ];
  return calls.map(({ type, ask, refusal, text, who = admin, isRight }): Cell => {
    const wrong = (answer: Answer) => {
      const isExpected =
        refusal === null ? answer.text === text : answer.refusals.join() === refusal;
      return isExpected ? null : 'not as if it were nowhere';
    };
    const name = `${ask.method} ${ask.path.replaceAll(/[0-9a-f-]{36}/g, '…')}`;
    return {
      way: 'call',
      type,
      name,
      request: ask,
      wrong,
      isBlind: true,
      twin: { who, request: ask, isRight },
    };
  });
}

/** Content and its uploads; in a town they are with an engine elsewhere, which is what members are told. */
function repositoryCalls(path: string): readonly Ask[] {
  return [
    { method: 'GET', path },
    { method: 'GET', path: `${path}/link` },
    { method: 'PUT', path, body: 'content', headers: { 'Content-Type': 'application/zip' } },
    { method: 'GET', path: `${path}/uploads` },
    { method: 'GET', path: `${path}/uploads/1/link` },
    { method: 'GET', path: `${path}/uploads/2/changes/1` },
    { method: 'POST', path: `${path}/uploads/1/restore`, headers: { 'If-Match': '"2.1"' } },
    { method: 'POST', path: `${path}/sample` },
  ];
}
