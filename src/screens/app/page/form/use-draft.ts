import { useEffect, useState } from 'react';
import { useBlocker } from 'react-router-dom';
import { useViewer } from '#data/react/hooks.ts';
import { writeSetting, readSetting, useUiEnvironment } from '#ui/ui-environment.tsx';

export type FormValues = Readonly<Record<string, string | boolean>>;

/** The values that a person typed into a form, and those that stood there when they began. */
interface Typed<T> {
  readonly touched: Partial<T>;
  readonly seen: Partial<T>;
}

export interface FormDraft<T> {
  readonly fields: T;
  readonly isChanged: boolean;
  /** A touched field's value that came from elsewhere meanwhile; null: none did. */
  readonly meanwhile: (field: keyof T) => string | boolean | null;
  readonly set: (change: Partial<T>) => void;
  readonly forget: () => void;
}

/**
 * Keeps what is typed into `form`, over `initial`; it survives a reload until it is saved or
 * discarded, and is for the person who typed it. Fields that were not touched follow `initial`, but
 * those of `refused`: what was typed before and not accepted counts as typed, also when that is
 * learned while the form is open.
 */
export function useDraft<T extends FormValues>(
  form: string,
  initial: T,
  refused: Partial<T> = {},
): FormDraft<T> {
  const { drafts } = useUiEnvironment();
  const key = `slipway.draft.${useViewer().id}.${form}`;
  const [typed, setTyped] = useState<Typed<T>>(
    () => read(readSetting(drafts, key), initial) ?? { touched: {}, seen: {} },
  );
  const [isForgotten, setForgotten] = useState(false);
  const { touched, seen } = typed;
  // A value that is refused from here on was typed since: a form that stays open shows it again.
  if (isForgotten && Object.keys(refused).length === 0) setForgotten(false);
  const late = Object.keys(isForgotten ? {} : refused).filter((name) => !(name in touched));
  if (late.length > 0)
    setTyped({
      touched: { ...only(refused, late), ...touched },
      seen: { ...only(initial, late), ...seen },
    });
  const set = (change: Partial<T>): void => {
    setTyped((before) => {
      const began = Object.fromEntries(
        Object.keys(change).map((name) => [name, before.seen[name] ?? initial[name]]),
      );
      const next = {
        touched: { ...before.touched, ...change },
        seen: { ...before.seen, ...began },
      };
      writeSetting(drafts, key, next);
      return next;
    });
  };
  const forget = (): void => {
    writeSetting(drafts, key, null);
    setForgotten(true);
    setTyped({ touched: {}, seen: {} });
  };

  const fields = { ...initial, ...touched };
  const isChanged = Object.entries(touched).some(([name, value]) => value !== initial[name]);
  const meanwhile = (field: keyof T): string | boolean | null => {
    const now = initial[field] ?? null;
    const isOther = touched[field] !== undefined && seen[field] !== undefined;
    return isOther && seen[field] !== now && touched[field] !== now ? now : null;
  };
  return { fields, isChanged, meanwhile, set, forget };
}

const only = <T extends FormValues>(fields: Partial<T>, names: readonly string[]): Partial<T> =>
  Object.fromEntries(names.map((name) => [name, fields[name]])) as Partial<T>;

function read<T extends FormValues>(stored: unknown, initial: T): Typed<T> | null {
  if (typeof stored !== 'object' || stored === null) return null;
  if (!('touched' in stored)) return { touched: partOf(stored, initial), seen: {} };
  const seen = 'seen' in stored ? stored.seen : {};
  return { touched: partOf(stored.touched, initial), seen: partOf(seen, initial) };
}

function partOf<T extends FormValues>(stored: unknown, initial: T): Partial<T> {
  if (typeof stored !== 'object' || stored === null) return {};
  const entries = Object.entries(stored).filter(
    ([name, value]) => typeof value === typeof initial[name],
  );
  return Object.fromEntries(entries) as Partial<T>;
}

/** Asks before a changed form is left by a link or Back. */
export function useLeaveGuard(isChanged: boolean) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      isChanged && currentLocation.pathname !== nextLocation.pathname,
  );
  useEffect(() => {
    if (!isChanged && blocker.state === 'blocked') blocker.proceed();
  }, [isChanged, blocker]);
  return blocker;
}
