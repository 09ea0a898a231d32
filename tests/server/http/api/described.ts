import { Ajv2020 } from 'ajv/dist/2020.js';
import type { AnySchemaObject, ValidateFunction } from 'ajv/dist/2020.js';
import { openApi } from '#server/http/reference/openapi.ts';
import type { ApiOperation } from '#server/http/reference/openapi.ts';

const described = openApi();
const addresses = Object.keys(described.paths)
  .map((path) => ({ path, pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`) }))
  // An address without parameters is meant before one with them.
  .sort((a, b) => a.path.split('{').length - b.path.split('{').length);

/** Returns what a request of `method` at `url` does by the description; null: it is not in it. */
function operationAt(method: string, url: string): ApiOperation | null {
  const [address = ''] = url.split('?');
  for (const { path, pattern } of addresses) {
    if (!pattern.test(address)) continue;
    const operation = described.paths[path]?.[method.toLowerCase()];
    if (operation !== undefined) return operation;
  }
  return null;
}

const SHARED = 'openapi.json';
// Each check is used a few times only: what Ajv does for faster ones takes longer than they do.
const ajv = new Ajv2020({
  strict: false,
  validateFormats: false,
  inlineRefs: false,
  code: { optimize: false },
});
ajv.addSchema({ $id: SHARED, components: described.components });
const checks = new Map<object, ValidateFunction>();

/** Checks `value` by a schema of the description; returns what is wrong with it, or null. */
export function wrongIn(schema: object, value: unknown): ValidateFunction['errors'] {
  const check = checks.get(schema) ?? ajv.compile(withSharedParts(schema));
  checks.set(schema, check);
  return check(value) ? null : check.errors;
}

/** The same schema, whose references lead to parts that are compiled once for all schemas. */
const withSharedParts = (schema: object) =>
  JSON.parse(
    JSON.stringify(schema).replaceAll('"#/components/', `"${SHARED}#/components/`),
  ) as AnySchemaObject;

/**
 * Compares an answer of the server with what the description says of it.
 *
 * @throws Error saying what is wrong; an address that the description does not have is not looked at
 */
export async function expectDescribed(
  method: string,
  url: string,
  answer: Response,
): Promise<void> {
  const wrong = await wrongInAnswer(operationAt(method, url), answer.clone());
  if (wrong !== null) throw new Error(`${method} ${url}, against its description: ${wrong}`);
}

async function wrongInAnswer(
  operation: ApiOperation | null,
  answer: Response,
): Promise<string | null> {
  const { status } = answer;
  if (operation === null || status === 304) return null;
  const said = status < 400 ? operation.responses[status] : described.components.responses.Problem;
  if (said === undefined) return `it answers ${String(status)}, which is not described`;
  return said.content === undefined
    ? wrongInNothing(await answer.text())
    : wrongInContent(said.content as Content, answer);
}

type Content = Readonly<Record<string, { readonly schema: object }>>;

const wrongInNothing = (text: string): string | null =>
  text === '' ? null : 'it answers with a body that is not described';

async function wrongInContent(content: Content, answer: Response): Promise<string | null> {
  if (content['*/*'] !== undefined) return null;
  const [type = 'nothing'] = answer.headers.get('Content-Type')?.split(';') ?? [];
  const schema = content[type]?.schema;
  if (schema === undefined) return `it answers ${type}, which is not described`;
  const wrong = wrongIn(schema, await answer.json());
  return wrong === null ? null : JSON.stringify(wrong);
}
