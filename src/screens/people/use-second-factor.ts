import { useEffect, useState } from 'react';
import { isObject } from '#base/is-object.ts';
import { secondFactorPath } from '#protocol/second-factor.ts';
import type { SecondFactorState } from '#protocol/second-factor.ts';
import { useData } from '#data/react/hooks.ts';

/** What is known of a person's second factor, which the device does not keep. */
type KnownSecondFactor =
  | { readonly is: 'coming' }
  | { readonly is: 'told'; readonly state: SecondFactorState }
  /** Nobody answered: offline, or the server does not. */
  | { readonly is: 'unknown' }
  /** There is none to be told of: another issuer signs in, or the person is not seen. */
  | { readonly is: 'refused' };

/** What of it is known, and how to say that it changed. */
type UsedSecondFactor = readonly [
  factor: KnownSecondFactor,
  changed: (state: SecondFactorState) => void,
];

/** Asks for the second factor of `user` as soon as there is a connection. */
export function useSecondFactor(user: string, isOnline: boolean): UsedSecondFactor {
  const { online } = useData();
  const [factor, setFactor] = useState<KnownSecondFactor>({ is: 'coming' });
  useEffect(() => {
    let isOver = false;
    if (!isOnline) return;
    void online.query(secondFactorPath(user)).then((answer) => {
      if (isOver) return;
      const state = answer.is === 'told' ? stateFrom(answer.value) : null;
      if (state !== null) setFactor({ is: 'told', state });
      else setFactor({ is: answer.is === 'refused' ? 'refused' : 'unknown' });
    });
    return () => {
      isOver = true;
    };
  }, [online, user, isOnline]);
  return [
    factor.is === 'coming' && !isOnline ? { is: 'unknown' } : factor,
    (state) => {
      setFactor({ is: 'told', state });
    },
  ];
}

/** What the server told; null: it is of another form. */
function stateFrom(value: unknown): SecondFactorState | null {
  if (!isObject(value)) return null;
  const { on, since, recoveryCodes } = value;
  const isWhole =
    typeof on === 'boolean' &&
    (since === null || typeof since === 'string') &&
    typeof recoveryCodes === 'number';
  return isWhole ? { on, since, recoveryCodes } : null;
}
