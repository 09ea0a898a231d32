import { useCallback, useState } from 'react';
import { isUuid } from '#base/id.ts';
import { ACTIVITY_MOST, activityFrom, activityGroups, activityPath } from '#protocol/activity.ts';
import type { ActivityEvent, ActivityGroup, ActivityPage } from '#protocol/activity.ts';
import { useData } from '#data/react/hooks.ts';
import { useOnlineQuery } from '../app/page/device/use-online-query.ts';
import type { OnlineQuery } from '../app/page/device/use-online-query.ts';
import { useRefreshing } from '../app/page/device/use-refreshing.ts';
import { useAddressQuery } from '../app/page/list-state.ts';

export const groupNames = Object.keys(activityGroups) as ActivityGroup[];

/** What a timeline is looked at for. */
export interface ActivityFilters {
  readonly product: string | null;
  /** Empty: everything. */
  readonly groups: readonly ActivityGroup[];
}

/** The filters, as the address of the page has them. */
export interface ActivityAddress {
  readonly filters: ActivityFilters;
  readonly set: (changed: Partial<ActivityFilters>) => void;
}

/** Reads the filters from the address, and changes them there; what means nothing is no filter. */
export function useActivityAddress(): ActivityAddress {
  const [query, change] = useAddressQuery();
  const product = query.get('product');
  const named = query.getAll('kind');
  return {
    filters: {
      product: isUuid(product) ? product.toLowerCase() : null,
      groups: groupNames.filter((group) => named.includes(group)),
    },
    set: (changed) => {
      change((next) => {
        if (changed.product === null) next.delete('product');
        else if (changed.product !== undefined) next.set('product', changed.product);
        if (changed.groups === undefined) return;
        next.delete('kind');
        for (const group of changed.groups) next.append('kind', group);
      });
    },
  };
}

interface UseActivityResult {
  readonly query: OnlineQuery<ActivityPage>;
  /** Every line that was told, the newest first. */
  readonly events: readonly ActivityEvent[];
  /** Fetches what is below; null: that was all, or nothing was told. */
  readonly more: (() => Promise<void>) | null;
}

/**
 * The timeline of a project, asked of the server and again while it is in view; what is below the
 * first page comes when it is wanted. Nothing of it is stored. To begin anew for other filters, its
 * component is given them as its key.
 */
export function useActivity(
  project: string,
  { product, groups }: ActivityFilters,
  limit: number,
): UseActivityResult {
  const data = useData();
  const kinds = groups.flatMap((group) => [...activityGroups[group]]);
  const question = { kinds, product, limit };
  const query = useOnlineQuery(activityPath(project, { ...question, before: null }), activityFrom);
  const { known, isOffline } = query;
  useRefreshing(query);
  const [older, setOlder] = useState<ActivityPage | null>(null);
  const first = known.is === 'told' ? known.value : null;
  // Where so much has come that the first page no longer reaches what was read below it, what is
  // between could not be had: it begins anew.
  const isJoined =
    first === null ||
    older === null ||
    older.events.some(({ id }) => first.events.some((one) => one.id === id));
  const held = isJoined ? older : null;
  const below = held ?? first;
  const fetchMore = useCallback(
    async (from: ActivityPage, address: string) => {
      const result = await data.online.query(address);
      const page = result.is === 'told' ? activityFrom(result.value) : null;
      if (page !== null)
        setOlder({ events: merged(from.events, page.events), before: page.before });
    },
    [data],
  );
  const before = below?.before ?? null;
  return {
    query,
    events: merged(first?.events ?? [], held?.events ?? []),
    more:
      below === null || before === null || isOffline
        ? null
        : () =>
            fetchMore(
              { ...below, events: merged(first?.events ?? [], below.events) },
              activityPath(project, { ...question, limit: ACTIVITY_MOST, before }),
            ),
  };
}

/** Lines of both, each once and as `newer` has it, in their order. */
function merged(
  newer: readonly ActivityEvent[],
  older: readonly ActivityEvent[],
): readonly ActivityEvent[] {
  const known = new Set(newer.map(({ id }) => id));
  return [...newer, ...older.filter(({ id }) => !known.has(id))];
}
