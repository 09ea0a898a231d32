import { wireFieldOf, wireTypeOf } from '#protocol/names.ts';
import { attributesOf, resourceOf, typeNames } from '#schema/index.ts';
import type { TypeName } from '#schema/index.ts';

/** Requests that bring very long texts of one or two characters to every place that takes text. */

/**
 * The characters that expressions repeat over most: white space, signs of addresses, letters,
 * marks.
 */
const CHARACTERS = [' ', '.', '@', 'a', '-', '/', ':', '\t', '\n', '0', '<', '\u0301'] as const;
/** Two that take turns; the marks are sorted by whoever composes them. */
const PAIRS = ['\u0301\u0323', ' \n', 'a.', '@.', '[]', ']('] as const;
/** As many marks on one letter as may be there. */
const MARKED = `a${'\u0301'.repeat(30)}`;

export const FILLS: readonly string[] = [...CHARACTERS, ...PAIRS, MARKED];

/** `a`, then `fill` until `length` UTF-16 units are full, then what no expression expects. */
export function longText(fill: string, length: number): string {
  return `a${fill.repeat(Math.ceil(length / fill.length)).slice(0, length - 2)}\u0001`;
}

/** As many units of `fill` as JSON puts into so many bytes, some left for the rest of the body. */
function unitsIn(fill: string, bodyBytes: number): number {
  const bytes = Buffer.byteLength(JSON.stringify(fill)) - 2;
  return Math.floor(((bodyBytes - 1_000) * fill.length) / bytes);
}

/** One request, as it is sent. */
export interface Attack {
  /** For a report: where the text goes, and which one. */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** True when the caller's token is sent along. */
  readonly isSignedIn: boolean;
}

const JSON_API = { 'Content-Type': 'application/vnd.api+json' };
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };

export interface TextField {
  readonly type: TypeName;
  readonly name: string;
  readonly limit: number | null;
}

/** Every attribute that a client may write as text or texts. */
export const TEXT_FIELDS: readonly TextField[] = typeNames.flatMap((type) => {
  const { verbs } = resourceOf(type);
  if (!verbs.includes('create') && !verbs.includes('update')) return [];
  return attributesOf(type).flatMap(([name, { kind, write, limit }]) => {
    const isText = kind !== 'bool' && kind !== 'int' && kind !== 'map';
    return write === 'server' || !isText ? [] : [{ type, name, limit }];
  });
});

const isList = ({ type, name }: TextField): boolean =>
  attributesOf(type).some(([field, { kind }]) => field === name && kind === 'list');

function recordOf(field: TextField, text: string, id?: string): object {
  const value = isList(field) ? [text] : text;
  return {
    type: wireTypeOf(field.type),
    ...(id === undefined ? {} : { id }),
    attributes: { [wireFieldOf(field.type, field.name)]: value },
  };
}

/** The id of no record. */
const NOBODY = '00000000-0000-7000-8000-000000000000';

const shown = (fill: string): string => JSON.stringify(fill);

/** More than that no field takes, whatever its limit. */
const LONGEST_TEXT = 524_288;

/** Those of two requests that write `field` which its type takes. */
function allowed({ type }: TextField, create: Attack, update: Attack): readonly Attack[] {
  const { verbs } = resourceOf(type);
  return [
    ...(verbs.includes('create') ? [create] : []),
    ...(verbs.includes('update') ? [update] : []),
  ];
}

/** `field` with as much text as a body holds, and with just as much as expressions get to see. */
export function fieldAttacks(
  field: TextField,
  fill: string,
  bodyBytes: number,
  id = NOBODY,
): readonly Attack[] {
  const path = `/api/${wireTypeOf(field.type)}`;
  const most = unitsIn(fill, bodyBytes);
  // Just as much as expressions get to see, where that is not all that a body holds.
  const seen = Math.min(most, 4 * (field.limit ?? Infinity), LONGEST_TEXT);
  const lengths = [...new Set([most, seen])];
  return lengths.flatMap((length) => {
    const text = longText(fill, length);
    const name = `${field.type}.${field.name} ${shown(fill)} × ${length}`;
    const common = { name, headers: JSON_API, isSignedIn: true };
    const create = JSON.stringify({ data: recordOf(field, text) });
    const update = JSON.stringify({ data: recordOf(field, text, id) });
    return allowed(
      field,
      { ...common, method: 'POST', path, body: create },
      { ...common, method: 'PATCH', path: `${path}/${id}`, body: update },
    );
  });
}

/** Returns the same attacks by operations, whose body may be twice as large. */
export function operationAttacks(
  field: TextField,
  fill: string,
  bodyBytes: number,
  id = NOBODY,
): readonly Attack[] {
  const text = longText(fill, unitsIn(fill, bodyBytes));
  const attack = (op: 'add' | 'update', of: string): Attack => ({
    name: `${op} operation on ${field.type}.${field.name} ${shown(fill)}`,
    method: 'POST',
    path: '/api/operations',
    headers: { ...JSON_API, Prefer: 'handling=lenient' },
    body: JSON.stringify({ operations: [{ op, data: recordOf(field, text, of) }] }),
    isSignedIn: true,
  });
  return allowed(field, attack('add', NEW_ID), attack('update', id));
}

const NEW_ID = '00000000-0000-7000-8000-000000000001';

/** One form of the bundled provider, as a browser holds it that was shown its page. */
export interface LiveForm {
  readonly path: string;
  /** Each is filled with a long text in its turn. */
  readonly names: readonly string[];
  /** The values of the other fields, so that nothing else ends the request before. */
  readonly values: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
}

/** Every field of `forms`, with as much as a form takes and as much as any body. */
export function formAttacks(
  forms: readonly LiveForm[],
  fill: string,
  bodyBytes: number,
): readonly Attack[] {
  const place = FILLS.indexOf(fill);
  return forms.flatMap(({ path, names, values, headers }) =>
    names.flatMap((name) =>
      [5_000, 16_000, bodyBytes].map((length): Attack => {
        const text = longText(fill, length);
        // A form may hold its text as it is: then three times as much of it fits.
        const raw = text.replaceAll('%', '').replaceAll('&', '').replaceAll('\u0001', '');
        // Wrong passwords are counted by account, so each request names another one.
        const email = `fuzz-${place}-${length}@slipway.test`;
        const rest = { ...('email' in values ? { ...values, email } : values) };
        const others = Object.entries(rest).filter(([other]) => other !== name);
        const form = new URLSearchParams(Object.fromEntries(others)).toString();
        return {
          name: `${path.split('?')[0] ?? ''} ${name} ${shown(fill)} × ${length}`,
          method: 'POST',
          path,
          headers: { ...FORM, ...headers },
          body: `${form}&${name}=${raw}`,
          isSignedIn: false,
        };
      }),
    ),
  );
}

const HEADERS = [
  'Accept',
  'Accept-Language',
  'Authorization',
  'Content-Disposition',
  'Content-Type',
  'Cookie',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'Organization',
  'Prefer',
  'Range',
  'X-Slipway-Version',
] as const;
const QUERIES = ['filter[name]', 'filter[search-term]', 'sort', 'include', 'fields[projects]', 'x'];
const HEADER_LENGTH = 60_000;
const ADDRESS_LENGTH = 16_000;
/**
 * Returns the text for a header: what it may hold stays as it is; the rest is sent as UTF-8, as
 * some clients do.
 */
const inHeader = (text: string): string =>
  Buffer.from(text.replaceAll(/[\n\u0001]/g, '')).toString('latin1');

/** Headers, parameters, paths and cursors. */
export function addressAttacks(fill: string): readonly Attack[] {
  const get = (name: string, path: string, headers = {}): Attack => ({
    name: `${name} ${shown(fill)}`,
    method: 'GET',
    path,
    headers,
    body: null,
    isSignedIn: !('Authorization' in headers),
  });
  const text = inHeader(longText(fill, HEADER_LENGTH)).slice(0, HEADER_LENGTH);
  const encoded = encodeURIComponent(longText(fill, ADDRESS_LENGTH)).slice(0, ADDRESS_LENGTH);
  const inAddress = encoded.replace(/%.?$/, '');
  return [
    ...HEADERS.map((name) => get(name, '/api/projects?page[limit]=1', { [name]: text })),
    ...QUERIES.map((name) => get(name, `/api/projects?${encodeURIComponent(name)}=${inAddress}`)),
    get('cursor', `/api/changes?since=${inAddress}`),
    get('path', `/api/projects/${inAddress}`),
    get('token of an invitation', `/api/organization-membership-invites/redeem/${inAddress}`),
    get('ticket', `/files/${inAddress}/x`),
    get('download page', `/downloads/${inAddress}`),
    get('package', `/api/products/${inAddress}/files/published`),
    get('languages', `/oidc/sign-up?ui_locales=${inAddress}`),
    get(
      'authorization',
      `/oidc/auth?client_id=${inAddress}&redirect_uri=${inAddress}`.slice(0, 16_000),
    ),
  ];
}

/** Returns the attacks that need no account, and a file of projects with long texts inside. */
export function callAttacks(fill: string, bodyBytes: number): readonly Attack[] {
  const project = { Name: longText(fill, 400_000), Language: 'en', [longText(fill, 1_000)]: 1 };
  const importData = JSON.stringify({ Projects: [project] }).slice(0, 500_000);
  const field: TextField = { type: 'projectImport', name: 'importData', limit: null };
  const json = { 'Content-Type': 'application/json' };
  const text = longText(fill, unitsIn(fill, bodyBytes));
  const common = { method: 'POST', headers: json, isSignedIn: true };
  return [
    {
      ...common,
      name: `a file of projects ${shown(fill)}`,
      path: '/api/project-imports',
      headers: JSON_API,
      body: JSON.stringify({ data: recordOf(field, importData) }),
    },
    {
      ...common,
      name: `engine check ${shown(fill)}`,
      path: `/api/organizations/${NOBODY}/build-engine/check`,
      body: JSON.stringify({ url: text, token: '' }),
    },
    {
      ...common,
      name: `bulk run ${shown(fill)}`,
      path: '/api/product-actions/run',
      body: JSON.stringify({ action: text, products: [text.slice(0, 1_000)] }),
    },
    {
      ...common,
      name: `a body that is no JSON ${shown(fill)}`,
      path: '/api/groups',
      headers: JSON_API,
      body: text,
    },
    {
      ...common,
      name: `handshake ${shown(fill)}`,
      path: '/hubs/data/negotiate',
      headers: { 'Content-Type': 'text/plain' },
      body: text,
    },
  ];
}
