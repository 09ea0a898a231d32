import { wireTypeOf } from '#protocol/names.ts';
import { typeNames } from '#schema/index.ts';
import type { Attack } from './texts.ts';
import { FILLS, longText } from './texts.ts';

/** Requests that no client of ours makes, the same for the same seed. */

type Chance = () => number;

/** Numbers from 0 up to 1 that follow from `seed` alone (mulberry32). */
function chanceOf(seed: number): Chance {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const oneOf = <T>(chance: Chance, all: readonly T[]): T =>
  all[Math.floor(chance() * all.length)] as T;
const wholeBelow = (chance: Chance, end: number): number => Math.floor(chance() * end);

const ID = '0197c1de-7a4e-7c10-9d0c-2f6f1b0c9a11';
const VALUES: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1e308,
  9_007_199_254_740_993,
  '',
  ' ',
  '\0',
  '\ud800',
  '\u202e',
  'e\u0301\u0323'.repeat(40),
  '<script>',
  "'; drop table users; --",
  '%00',
  '../../etc/passwd',
  '__proto__',
  'constructor',
  '{"a":"\u0000"}',
  '{"a":"\\u0000"}',
  '["\\ud800"]',
  '2026-02-30T25:61:61Z',
  '+275760-09-13T00:00:00.001Z',
  'https://[::1',
  'https://a b/',
  'a@b.c',
  ID,
  ID.toUpperCase(),
  [],
  {},
  [[]],
  [null],
  ['\0'],
  { data: null },
  { data: [] },
  { data: { type: 'users' } },
  { data: { type: 'users', id: ID } },
  { data: [{ type: 'groups', id: 7 }] },
];
const KEYS = [
  'data',
  'type',
  'id',
  'attributes',
  'relationships',
  'meta',
  'op',
  'ref',
  'href',
  'operations',
  'base',
  'name',
  'owner',
  'owner-id',
  'organization',
  'email',
  'properties',
  'import-data',
  'role-names',
  'group-ids',
  'expires-at',
  'locale',
  'timezone',
  'date-archived',
  'message-values',
  '__proto__',
  'constructor',
  'toString',
  '',
  '\0',
  'a/b~c',
];

/** Any value, with others inside of it to the depth `left`. */
function anything(chance: Chance, left: number): unknown {
  const kind = chance();
  if (left === 0 || kind < 0.5) return oneOf(chance, VALUES);
  const count = wholeBelow(chance, 5);
  if (kind < 0.6) return Array.from({ length: count }, () => anything(chance, left - 1));
  if (kind < 0.65) return longText(oneOf(chance, FILLS), wholeBelow(chance, 20_000) + 2);
  return Object.fromEntries(
    Array.from({ length: count }, () => [oneOf(chance, KEYS), anything(chance, left - 1)]),
  );
}

/** A document as it should be, as far as chance lets it. */
function almostDocument(chance: Chance): unknown {
  const type = wireTypeOf(oneOf(chance, typeNames));
  const maybe = (value: unknown) => (chance() < 0.85 ? value : oneOf(chance, VALUES));
  const members = () =>
    Object.fromEntries(
      Array.from({ length: wholeBelow(chance, 5) }, () => [
        oneOf(chance, KEYS),
        anything(chance, 3),
      ]),
    );
  const data = {
    type: maybe(type),
    ...(chance() < 0.5 ? { id: maybe(ID) } : {}),
    attributes: maybe(members()),
    relationships: maybe(members()),
  };
  if (chance() < 0.5) return { data: maybe(data) };
  const op = oneOf(chance, ['add', 'update', 'remove', 'get', 'ADD', '', 7]);
  const ref = {
    type: maybe(type),
    id: maybe(ID),
    relationship: oneOf(chance, [...KEYS, undefined]),
  };
  const meta = { id: maybe(ID), base: maybe({ attributes: members() }) };
  const operation = {
    op,
    ...(chance() < 0.5 ? { ref } : {}),
    data: maybe(data),
    meta: maybe(meta),
  };
  return { operations: Array.from({ length: 1 + wholeBelow(chance, 4) }, () => maybe(operation)) };
}

function bodyOf(chance: Chance): string {
  const kind = chance();
  if (kind < 0.05) return '['.repeat(wholeBelow(chance, 100_000));
  if (kind < 0.1) {
    const depth = wholeBelow(chance, 20_000);
    const nested = '['.repeat(depth) + ']'.repeat(depth);
    return `{"data":{"type":"groups","attributes":{"name":${nested}}},"operations":[{"ref":${nested}}]}`;
  }
  const document = JSON.stringify(kind < 0.75 ? almostDocument(chance) : anything(chance, 6));
  if (kind < 0.9) return document;
  // Cut off, or with a sign that does not belong there.
  const at = wholeBelow(chance, document.length + 1);
  return chance() < 0.5
    ? document.slice(0, at)
    : `${document.slice(0, at)}\\\u0000}${document.slice(at)}`;
}

const MEDIA = [
  'application/vnd.api+json',
  'application/vnd.api+json',
  'application/vnd.api+json',
  'application/json',
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/zip',
  'multipart/form-data; boundary=',
  ';',
  '',
];
const METHODS = [
  'GET',
  'POST',
  'POST',
  'POST',
  'PATCH',
  'PATCH',
  'DELETE',
  'PUT',
  'HEAD',
  'OPTIONS',
];
const PARAMETERS = [
  'filter[name]=',
  'filter[name]=in:',
  'filter[date-created]=ge:+275760-09-13',
  'filter[owner.name]=like:%25_',
  'filter[search-term]=%00',
  'filter[]=x',
  'filter[__proto__]=x',
  'filter[owner.__proto__]=x',
  'sort=-',
  'sort=,,',
  'sort=constructor',
  'include=constructor',
  'include=owner..owner',
  'fields[__proto__]=name',
  'fields[projects]=,',
  'page[offset]=9007199254740993',
  'page[limit]=1e3',
  'page[offset]=99999999999999999999&page[limit]=500',
  'since=',
  'since=%00',
  'since=AAAA.BBBB',
  '%',
  '%zz=%ff',
  '=',
  'token=%00',
];
const PATHS = [
  '/api/operations',
  '/api/changes',
  '/api/users/current-user',
  '/api/product-actions',
  '/api/product-actions/run',
  '/api/organization-invite-requests',
  '/api/organization-membership-invites/redeem/%00',
  '/api/notifications/read',
  `/api/products/${ID}/actions/rebuild`,
  `/api/products/${ID}/files/published/%00`,
  `/api/projects/${ID}/repository`,
  `/api/organizations/${ID}/build-engine/check`,
  '/hubs/data/negotiate',
  '/hubs/data',
  '/hubs/data?id=%00',
  '/files/%00/%00',
  '/files/a/b',
  '/downloads/apk/%00/published',
  `/downloads/products/${ID}/files/published/apk`,
  '/oidc/auth',
  '/oidc/token',
  '/oidc/sign-up',
  '/oidc/forgot',
  '/oidc/reset',
  '/oidc/verify',
  '/oidc/interaction/%00',
  '/oidc/verification',
  '/oidc/session/end',
  '/%zz',
  '/%ff',
  '/%00',
  '//',
  '/..%2f..%2fetc/passwd',
  '/assets/%2e%2e/%2e%2e/package.json',
  `/${'a/'.repeat(1_000)}`,
];
const HEADERS: readonly (readonly [string, string])[] = [
  ['Idempotency-Key', ID],
  ['Idempotency-Key', '"'],
  ['Idempotency-Key', `"${ID}"`],
  ['Organization', ID],
  ['Organization', '\u00ff'],
  ['If-Match', '"1.a.b", *'],
  ['If-None-Match', 'W/"'],
  ['Prefer', 'handling=lenient'],
  ['Prefer', 'handling='],
  ['X-Slipway-Version', '999999.0.0'],
  ['X-Slipway-Version', '1.0'],
  ['Accept', 'application/vnd.api+json; ext="'],
  ['Accept-Language', ';q=..,*;q=9e9'],
  ['Accept-Encoding', 'br;q=0, gzip;q=x'],
  ['Cookie', 'slipway_form=; ;=;'],
  ['Range', 'bytes=9-1,-'],
  ['Content-Encoding', 'gzip'],
  ['Content-Disposition', "attachment; filename*=UTF-8''%"],
  ['X-Forwarded-Host', 'evil.test'],
  ['Host', ''],
  ['Authorization', 'Bearer a.b.c'],
  ['Authorization', 'Basic ='],
];

function pathOf(chance: Chance): string {
  const type = wireTypeOf(oneOf(chance, typeNames));
  const id = oneOf(chance, [ID, ID.toUpperCase(), 'x', '%00', '..', '__proto__']);
  const path = oneOf(chance, [
    `/api/${type}`,
    `/api/${type}`,
    `/api/${type}/${id}`,
    `/api/${type}/${id}/${oneOf(chance, KEYS)}`,
    `/api/${type}/${id}/relationships/${oneOf(chance, KEYS)}`,
    oneOf(chance, PATHS),
    oneOf(chance, PATHS),
  ]).replaceAll('\0', '%00');
  const query = Array.from({ length: wholeBelow(chance, 4) }, () => oneOf(chance, PARAMETERS));
  return query.length === 0 ? path : `${path}${path.includes('?') ? '&' : '?'}${query.join('&')}`;
}

/** `count` requests that follow from `seed`. */
export function malformed(seed: number, count: number): readonly Attack[] {
  const chance = chanceOf(seed);
  return Array.from({ length: count }, (_, n): Attack => {
    const method = oneOf(chance, METHODS);
    const isBodied = method !== 'GET' && method !== 'HEAD' && chance() < 0.95;
    const more = Array.from({ length: wholeBelow(chance, 3) }, () => oneOf(chance, HEADERS));
    const headers = {
      ...(isBodied ? { 'Content-Type': oneOf(chance, MEDIA) } : {}),
      ...Object.fromEntries(more),
    };
    const path = pathOf(chance);
    const body = isBodied ? bodyOf(chance) : null;
    const name = `seed ${seed}, number ${n}: ${method} ${path.slice(0, 120)}`;
    return {
      name,
      method,
      path,
      headers,
      body,
      isSignedIn: !('Authorization' in headers) && chance() < 0.9,
    };
  });
}
