import { isDay, nextDay, startOfDay } from '#base/day.ts';
import { isUuid } from '#base/id.ts';
import { limits } from '#protocol/limits.ts';
import { paths } from '#protocol/paths.ts';
import { allAuditKinds, auditKinds } from '#rules/audit/audit-kinds.ts';
import type { AuditGroup, AuditKind } from '#rules/audit/audit-kinds.ts';
import { useAddressQuery } from '../app/page/list-state.ts';

/** The kinds of records that people look for in the log, by their names on the wire. */
export const AUDITED_TYPES = [
  'users',
  'organizations',
  'projects',
  'products',
  'organization-membership-invites',
  'organization-invites',
  'product-definitions',
  'workflow-definitions',
  'stores',
  'store-types',
] as const;
export type AuditedType = (typeof AUDITED_TYPES)[number];

/** What is looked for in the log; null: everything. */
export interface AuditFilters {
  /** The id of the person who did it. */
  readonly person: string | null;
  readonly kind: AuditKind | AuditGroup | null;
  readonly type: AuditedType | null;
  /** The id of the record that it was done to. */
  readonly record: string | null;
  /** The first day and the last one. */
  readonly from: string | null;
  readonly to: string | null;
}

/** The filters with the page, as the address of the page has them. */
export interface AuditAddress {
  readonly filters: AuditFilters;
  /** The page, counted from 1. */
  readonly page: number;
  readonly set: (changed: Partial<AuditFilters>) => void;
  readonly setPage: (page: number) => void;
  readonly clear: () => void;
}

const NAMES = ['person', 'kind', 'type', 'record', 'from', 'to'] as const;
const LAST_PAGE = Math.ceil(limits.auditEventsCounted / limits.pageSize);

/** Reads the filters from the address, and changes them there; what means nothing is no filter. */
export function useAuditAddress(): AuditAddress {
  const [query, changeQuery] = useAddressQuery();
  const change = (changed: Readonly<Record<string, string | null>>) => {
    changeQuery((next) => {
      next.delete('page');
      for (const [name, value] of Object.entries(changed)) {
        if (value === null || value === '') next.delete(name);
        else next.set(name, value);
      }
    });
  };
  return {
    filters: filtersIn(query),
    page: pageIn(query),
    set: change,
    setPage: (page) => {
      change({ page: page === 1 ? null : String(page) });
      document.querySelector('main')?.scrollIntoView();
    },
    clear: () => {
      change(Object.fromEntries(NAMES.map((name) => [name, null])));
    },
  };
}

/** The filters that a query says; what is no value of theirs counts as not said. */
function filtersIn(query: URLSearchParams): AuditFilters {
  const [person, record] = [query.get('person'), query.get('record')];
  const day = (name: string) => {
    const value = query.get(name) ?? '';
    return isDay(value) ? value : null;
  };
  return {
    person: isUuid(person) ? person.toLowerCase() : null,
    record: isUuid(record) ? record.toLowerCase() : null,
    kind: kindIn(query.get('kind')),
    type: AUDITED_TYPES.find((type) => type === query.get('type')) ?? null,
    from: day('from'),
    to: day('to'),
  };
}

function pageIn(query: URLSearchParams): number {
  const page = Number(query.get('page'));
  return Number.isInteger(page) && page > 0 ? Math.min(page, LAST_PAGE) : 1;
}

function kindIn(value: string | null): AuditFilters['kind'] {
  const groups = Object.keys(auditKinds) as AuditGroup[];
  return [...groups, ...allAuditKinds].find((kind) => kind === value) ?? null;
}

interface AuditRequest {
  readonly filters: AuditFilters;
  /** The organization whose events are wanted; null: all. */
  readonly organization: string | null;
  /** The zone in which the days are meant; null: that of this device. */
  readonly timeZone: string | null;
  readonly page: number;
  readonly pageSize: number;
  /** The latest moment, in ISO 8601; null: now. */
  readonly until?: string | null;
}

/** The address that answers with a page of events (wire 11.10). */
export function auditAddressOf(request: AuditRequest): string {
  const { filters, organization, timeZone, page, pageSize, until = null } = request;
  const { person, kind, type, record, from, to } = filters;
  const query = new URLSearchParams();
  const add = (field: string, value: string | null) => {
    if (value !== null) query.append(`filter[${field}]`, value);
  };
  const equal = (value: string | null) => (value === null ? null : `eq:${value}`);
  const at = (ms: number) => new Date(ms).toISOString();
  add('organization-id', equal(organization));
  add('actor-id', equal(person));
  add('kind', kind === null ? null : `in:${kindsOf(kind).join(',')}`);
  add('subject-type', equal(type));
  add('subject-id', equal(record));
  add('at', from === null ? null : `ge:${at(startOfDay(from, timeZone))}`);
  add('at', to === null ? null : `le:${at(startOfDay(nextDay(to), timeZone) - 1)}`);
  add('at', until === null ? null : `le:${until}`);
  query.set('page[offset]', String(page));
  query.set('page[limit]', String(pageSize));
  return `${paths.auditEvents}?${query.toString()}`;
}

function kindsOf(kind: AuditKind | AuditGroup): readonly AuditKind[] {
  return isGroup(kind) ? auditKinds[kind] : [kind];
}

function isGroup(kind: AuditKind | AuditGroup): kind is AuditGroup {
  return Object.hasOwn(auditKinds, kind);
}
