import { useCallback, useEffect, useState } from 'react';
import type { ServerError } from '#protocol/server-error.ts';
import type { OnlineResult } from '#data/model/views.ts';
import { useChanges, useData } from '#data/react/hooks.ts';

/** What the last answer was, if there is one. */
type Known<T> =
  | { readonly is: 'coming' | 'offline' }
  | Exclude<OnlineResult<T>, { readonly is: 'told' }>
  | {
      readonly is: 'told';
      readonly value: T;
      /** True while the value is that of another address, or of before the connection went. */
      readonly isOld: boolean;
    };

export interface OnlineQuery<T> {
  readonly known: Known<T>;
  readonly isOffline: boolean;
  /** True while an answer is under way. */
  readonly isAsking: boolean;
  /** Forgets a failure and asks once more. */
  readonly tryAgain: () => void;
  /** Asks once more; what is known stays until there is an answer. */
  readonly refresh: () => void;
  /** Takes over what the answer to a command told. */
  readonly take: (value: T) => void;
}

interface Answer<T> {
  readonly address: string;
  /** How often it had been asked anew. */
  readonly round: number;
  readonly result: OnlineResult<T>;
}

/**
 * Asks the server at `address` for what this device does not keep: at once, whenever the address
 * becomes another one, and as soon as there is a connection again. What is shown of another
 * address stays until the answer is there. Nothing of it is stored.
 *
 * @param from reads the answer, the same function at every render; null: it is of no use, and counts
 *   as none
 */
export function useOnlineQuery<T>(
  address: string,
  from: (value: unknown) => T | null,
): OnlineQuery<T> {
  const data = useData();
  const { status, serverError } = useChanges();
  const isOffline = status === 'offline';
  const [answer, setAnswer] = useState<Answer<T> | null>(null);
  const [round, setRound] = useState(0);

  useEffect(() => {
    if (isOffline) return undefined;
    let isOver = false;
    void data.online.query(address).then((result) => {
      if (!isOver) setAnswer({ address, round, result: readBy(from, result) });
    });
    return () => {
      isOver = true;
    };
  }, [data, address, from, isOffline, round]);

  const refresh = useCallback(() => {
    setRound((present) => present + 1);
  }, []);
  const { sendNow } = data.changes;
  const tryAgain = useCallback(() => {
    setAnswer(null);
    refresh();
    // Away from the server, it is the first to find out that it is back.
    sendNow();
  }, [refresh, sendNow]);
  const take = (value: T) => {
    setAnswer({ address, round, result: { is: 'told', value } });
  };
  return {
    known: knownBy(answer, address, isOffline, serverError),
    isOffline,
    isAsking: !isOffline && (answer?.address !== address || answer.round !== round),
    tryAgain,
    refresh,
    take,
  };
}

function readBy<T>(
  from: (value: unknown) => T | null,
  result: OnlineResult<unknown>,
): OnlineResult<T> {
  if (result.is !== 'told') return result;
  const value = from(result.value);
  return value === null ? { is: 'no-answer' } : { is: 'told', value };
}

function knownBy<T>(
  answer: Answer<T> | null,
  address: string,
  isOffline: boolean,
  serverError: ServerError | undefined,
): Known<T> {
  const isOld = isOffline || answer?.address !== address;
  if (answer?.result.is === 'told') return { is: 'told', value: answer.result.value, isOld };
  if (isOffline)
    return serverError === undefined ? { is: 'offline' } : { is: 'no-answer', serverError };
  return answer === null || isOld ? { is: 'coming' } : answer.result;
}
