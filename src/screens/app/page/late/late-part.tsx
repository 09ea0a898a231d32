import { useEffect, useState } from 'react';
import type { ComponentType, ReactNode } from 'react';
import { ErrorBox } from '#ui/status/boxes.tsx';
import { speakLate } from '#ui/text/late-texts.ts';
import { useText } from '#ui/text/text.ts';
import { Dialog } from '#ui/overlay/dialog.tsx';
import { Button } from '#ui/form/controls.tsx';

interface LatePartProps<P> {
  /** The same function at every render. */
  readonly load: () => Promise<ComponentType<P>>;
  readonly props: P;
  /** Around what says that it could not be loaded: a part that floats needs its own frame. */
  readonly frame?: (trouble: ReactNode) => ReactNode;
  /** Stands in its place until its script is here; left out: nothing does. */
  readonly meanwhile?: ReactNode;
}

type Part<P> =
  | { readonly is: 'coming' | 'missing' }
  | { readonly is: 'here'; readonly Part: ComponentType<P> }
  | { readonly is: 'broken'; readonly error: unknown };

/** A part of a page whose script comes when it is wanted; says so when it cannot be had. */
export function LatePart<P extends object>({
  load,
  props,
  frame = (it) => it,
  meanwhile = null,
}: LatePartProps<P>) {
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
  if (part.is === 'coming') return meanwhile;
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

interface LateDialogProps<P> {
  /** The same function at every render. */
  readonly load: () => Promise<ComponentType<P>>;
  readonly props: P;
  /** The title above the text that it could not be loaded. */
  readonly title: string;
  readonly size?: 'small' | 'right';
}

/** A dialog, or a drawer, whose script comes when it is wanted. */
export function LateDialog<P extends { readonly onClose: () => void }>(late: LateDialogProps<P>) {
  const { load, props, title, size = 'small' } = late;
  return (
    <LatePart
      load={load}
      props={props}
      frame={(trouble) => (
        <Dialog title={title} size={size} onClose={props.onClose}>
          {trouble}
        </Dialog>
      )}
    />
  );
}

/** Loads the page anew: what leads on where nothing in it can. */
export function ReloadButton({ children }: { readonly children: ReactNode }) {
  return (
    <Button
      primary
      onClick={() => {
        location.reload();
      }}
    >
      {children}
    </Button>
  );
}

/**
 * Says whether `error` is a script or style file that could not be had: a newer release has removed
 * it, or there is no connection. A reload helps; the page itself is not broken.
 */
export function isMissingScript(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const isStyle = 'code' in error && error.code === 'CSS_CHUNK_LOAD_FAILED';
  return error.name === 'ChunkLoadError' || isStyle;
}
