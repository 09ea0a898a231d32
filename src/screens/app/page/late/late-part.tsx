import { useEffect, useState } from 'react';
import type { ComponentType, ReactNode } from 'react';
import { ErrorBox } from '#ui/status/boxes.tsx';
import { speakLate } from '#ui/text/late-texts.ts';
import { useText } from '#ui/text/text.ts';
import { isMissingScript } from './missing-script.ts';
import { ReloadButton } from './reload-button.tsx';

interface Props<P> {
  /** The same function at every render. */
  readonly load: () => Promise<ComponentType<P>>;
  readonly props: P;
  /** Around what says that it could not be loaded: a part that floats needs its own frame. */
  readonly frame?: (trouble: ReactNode) => ReactNode;
}

type Part<P> =
  | { readonly is: 'coming' | 'missing' }
  | { readonly is: 'here'; readonly Part: ComponentType<P> }
  | { readonly is: 'broken'; readonly error: unknown };

/** A part of a page whose script comes when it is wanted; says so when it cannot be had. */
export function LatePart<P extends object>({ load, props, frame = (it) => it }: Props<P>) {
  const [part, setPart] = useState<Part<P>>({ is: 'coming' });
  const [tries, setTries] = useState(0);
  useEffect(() => {
    let isOver = false;
    const show = (next: Part<P>) => {
      if (!isOver) setPart(next);
    };
    load().then(
      (found) => {
        show({ is: 'here', Part: found });
      },
      (error: unknown) => {
        show(isMissingScript(error) ? { is: 'missing' } : { is: 'broken', error });
      },
    );
    return () => {
      isOver = true;
    };
  }, [load, tries]);

  if (part.is === 'broken') throw part.error;
  if (part.is === 'here') return <part.Part {...props} />;
  if (part.is === 'coming') return null;
  return frame(
    <PartMissing
      onTryAgain={() => {
        setPart({ is: 'coming' });
        setTries(tries + 1);
      }}
    />,
  );
}

interface MissingProps {
  readonly onTryAgain?: () => void;
}

/** A script that could not be had: what was typed is kept, and a reload brings the new version. */
export function PartMissing({ onTryAgain }: MissingProps) {
  const t = useText();
  return (
    <ErrorBox
      title={t('errors.partMissing')}
      {...(onTryAgain === undefined ? {} : { onTryAgain })}
      actions={<ReloadButton>{t('errors.reload')}</ReloadButton>}
    >
      {t('errors.partMissingText')}
    </ErrorBox>
  );
}

/**
 * The screen that `load` brings, for a route. The router shows nothing in place of a route that could
 * not be loaded, so this never rejects: what stands in for the screen says what is the matter.
 */
export async function lateScreen(load: () => Promise<ComponentType>): Promise<ComponentType> {
  const loadAll = loadWithTexts(load);
  try {
    return await loadAll();
  } catch (error) {
    // fault 40
    if (isMissingScript(error)) return () => <LatePart load={loadAll} props={{}} />;
    return () => {
      throw error;
    };
  }
}

/** The part that `load` brings, once what only late parts say is here. */
export function loadWithTexts<P>(load: () => Promise<ComponentType<P>>) {
  return async (): Promise<ComponentType<P>> => {
    const [Part] = await Promise.all([load(), speakLate()]);
    return Part;
  };
}
