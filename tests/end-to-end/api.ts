import { signInByForm } from '../support/sign-in.ts';
import { PASSWORD } from './people.ts';

const JSON_API = 'application/vnd.api+json';

interface Resource {
  readonly type: string;
  readonly id: string;
  readonly attributes?: Readonly<Record<string, unknown>>;
  readonly relationships?: Readonly<Record<string, unknown>>;
}

/** What a colleague does meanwhile, without a browser. */
export interface Api {
  list(path: string): Promise<readonly Resource[]>;
  /** The record at `path`, or the first of its list. */
  first(path: string): Promise<Resource>;
  add(resource: Resource): Promise<void>;
  change(resource: Resource): Promise<void>;
  remove(resource: Resource): Promise<void>;
}

/** Signs `email` in at `url`. What is refused throws. */
export async function apiOf(url: string, email: string): Promise<Api> {
  const { access_token } = await signInByForm(url, email, PASSWORD);
  return apiWith(url, access_token);
}

/** In the name of whom `token` is about. */
export function apiWith(url: string, token: string): Api {
  const ask = async (path: string, method = 'GET', data?: Resource) => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${token}`,
        Accept: JSON_API,
        ...(data === undefined ? {} : { 'Content-Type': JSON_API }),
      },
      ...(data === undefined ? {} : { body: JSON.stringify({ data }) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${String(answer.status)} ${text}`);
    return text === '' ? [] : [(JSON.parse(text) as { data: Resource | Resource[] }).data].flat();
  };

  return {
    list: (path) => ask(path),
    first: async (path) => {
      const [found] = await ask(path);
      if (found === undefined) throw new Error(`Nothing at ${path}`);
      return found;
    },
    add: async ({ type, id, attributes = {}, relationships = {} }) => {
      // Of a record that was read before, all but its dates, which are the server's.
      const own = Object.entries(attributes).filter(([name]) => !name.startsWith('date-'));
      const data = { type, id, attributes: Object.fromEntries(own), relationships };
      await ask(`/api/${type}`, 'POST', data);
    },
    change: async (resource) => {
      await ask(`/api/${resource.type}/${resource.id}`, 'PATCH', resource);
    },
    remove: async ({ type, id }) => {
      await ask(`/api/${type}/${id}`, 'DELETE');
    },
  };
}
