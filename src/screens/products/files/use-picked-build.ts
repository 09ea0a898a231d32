import { useState } from 'react';
import { limits } from '#protocol/limits.ts';
import type { Of } from '#schema/index.ts';
import { useRecordAnywhere } from '#data/react/hooks.ts';
import type { ListView } from '#data/model/views.ts';
import { BUILDS_AT_ONCE } from '../build-picker.tsx';
import { newestFirst } from '../builds.ts';
import { NO_BUILD_FILTERS, useBuilds } from '../builds/use-builds.ts';

type Build = Of<'productBuild'>;

interface PickedBuild extends Pick<ListView<'productBuild'>, 'state' | 'serverError'> {
  /** Those that can be chosen, newest first. */
  readonly builds: readonly Build[];
  /** Null: there is none, or the one that is wanted is on its way. */
  readonly chosen: Build | null;
  /** The server gives no answer, so that these are those of this device. */
  readonly isPart: boolean;
  /** Brings older ones; null: there are none. */
  readonly onShowOlder: (() => void) | null;
}

/**
 * The builds of a product that can be chosen, and the one that is: `wanted` wherever it is, else the
 * newest. The server tells them, as in the list of builds; while it is away, the device does.
 *
 * @param wanted the id of a build; null: none is named
 */
export function usePickedBuild(product: string, wanted: string | null): PickedBuild {
  const [count, setCount] = useState(BUILDS_AT_ONCE);
  const page = { page: 1, pageSize: count };
  const list = useBuilds({ of: 'product', id: product }, NO_BUILD_FILTERS, page);
  const { rows, total, isPart, serverError } = list;
  const older = useOlderBuild(product, wanted, list);
  const builds = newestFirst(older.build === null ? rows : [...rows, older.build]);
  const chosen = builds.find(({ id }) => id === wanted) ?? builds[0] ?? null;
  const hasMore = rows.length < total && count < limits.pageSizeMost;
  const showOlder = () => {
    setCount(Math.min(count + BUILDS_AT_ONCE, limits.pageSizeMost));
  };
  return {
    ...(older.isComing
      ? { state: 'loading', chosen: null }
      : { state: isPart && rows.length === 0 ? 'not-here' : list.state, chosen }),
    ...{ builds, serverError, isPart },
    onShowOlder: hasMore ? showOlder : null,
  };
}

interface OlderBuild {
  readonly build: Build | null;
  readonly isComing: boolean;
}

/** Finds the build that is wanted where the list has not come to it: it is asked for by itself. */
function useOlderBuild(
  product: string,
  wanted: string | null,
  { rows, state, isTold, isPart }: ReturnType<typeof useBuilds>,
): OlderBuild {
  const isMissing = wanted !== null && rows.every(({ id }) => id !== wanted);
  const isAsked = isMissing && isTold && state === 'ready';
  const asked = useRecordAnywhere('productBuild', wanted ?? '', isAsked);
  if (!isMissing) return { build: null, isComing: false };
  if (asked.record?.product === product) return { build: asked.record, isComing: false };
  const isUnanswered = state === 'loading' || (!isTold && !isPart);
  return { build: null, isComing: isAsked ? asked.state === 'loading' : isUnanswered };
}
