import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { ReactNode, RefObject } from 'react';
import { createPortal } from 'react-dom';
import { Icon } from '../picture/icon.tsx';
import { useUiEnvironment } from '../ui-environment.tsx';
import { useText } from '../text/text.ts';

export interface Toast {
  readonly tone: 'success' | 'info' | 'warning' | 'error';
  readonly title: string;
  readonly detail?: string;
  /** Names the subject: toasts about it are closed together once it is opened. */
  readonly about?: string;
  /** Names the setting whose state it tells: the newest toast of a setting stands for the others. */
  readonly setting?: string;
  /** "Undo" or "Show". */
  readonly action?: { readonly label: string; readonly run: () => void };
}

interface Shown extends Toast {
  readonly id: number;
}

const SHOWN_MS = 5_000;
const WITH_ACTION_MS = 8_000;
const SAME_WITHIN_MS = 2_000;
const AT_MOST = 3;
const ICONS = { success: 'check', info: 'info', warning: 'warning', error: 'error' } as const;

const ToastContext = createContext<((toast: Toast) => void) | null>(null);
const ClosingContext = createContext<(about: string) => void>(() => undefined);

/** Closes all toasts about something that the person looks at by now. */
export function useCloseToasts(): (about: string) => void {
  return useContext(ClosingContext);
}

/** Puts an element on top of all others, as the place for toasts; returns what takes it away. */
type Host = (element: HTMLElement) => () => void;

const HostContext = createContext<Host | null>(null);

/** While a modal dialog stands, all outside of it is inert: toasts show inside. */
export function useToastHost(element: RefObject<HTMLElement | null>): void {
  const host = useContext(HostContext);
  useLayoutEffect(() => {
    const { current } = element;
    return current === null ? undefined : host?.(current);
  }, [element, host]);
}

/** Tells the person something for a few seconds, errors and warnings until they close them. */
export function useToast(): (toast: Toast) => void {
  const show = useContext(ToastContext);
  if (show === null) throw new Error('useToast needs Toasts above it');
  return show;
}

/** Lifts the toasts above rows of buttons that they would cover where they stand. */
function useKeepsRowsClear(region: RefObject<HTMLElement>, isShown: boolean): void {
  useLayoutEffect(() => {
    const { current } = region;
    if (current === null || !isShown) return undefined;
    let end = (): void => undefined;
    let isOver = false;
    import('./toast-lift.ts').then(
      ({ keepRowsClear }) => {
        if (!isOver) end = keepRowsClear(current);
      },
      // Without the script they stand where they are.
      () => undefined,
    );
    return () => {
      isOver = true;
      end();
    };
  });
}

/** Everything below may show toasts; at most three stand at a time, the rest wait. */
export function Toasts({ children }: { readonly children: ReactNode }) {
  const t = useText();
  const { clock } = useUiEnvironment();
  const [toasts, setToasts] = useState<readonly Shown[]>([]);
  const [hosts, setHosts] = useState<readonly HTMLElement[]>([]);
  const last = useRef({ id: 0, text: '', at: 0 });

  const show = useCallback(
    (toast: Toast) => {
      const { setting } = toast;
      const text = `${toast.title}\n${toast.detail ?? ''}`;
      const at = clock();
      const { current } = last;
      const isSame = text === current.text && at - current.at < SAME_WITHIN_MS;
      // That of a setting takes the place of the one before, whose way back leads elsewhere.
      if (isSame && setting === undefined) return;
      last.current = { id: current.id + 1, text, at };
      setToasts((all) => [
        ...all.filter((other) => setting === undefined || other.setting !== setting),
        { ...toast, id: current.id + 1 },
      ]);
    },
    [clock],
  );
  const close = useCallback((id: number) => {
    setToasts((all) => all.filter((toast) => toast.id !== id));
  }, []);
  const closeAbout = useCallback((about: string) => {
    setToasts((all) => all.filter((toast) => toast.about !== about));
  }, []);
  const host = useCallback<Host>((element) => {
    setHosts((all) => [...all, element]);
    return () => {
      setHosts((all) => all.filter((other) => other !== element));
    };
  }, []);
  const shown = useMemo(() => toasts.slice(0, AT_MOST), [toasts]);
  const area = useRef<HTMLElement>(null);
  useKeepsRowsClear(area, shown.length > 0);

  const region = (
    <section ref={area} className="toasts" aria-label={t('toasts.region')}>
      <div role="status">
        {shown.filter(isQuiet).map((toast) => (
          <OneToast key={toast.id} toast={toast} onClose={close} />
        ))}
      </div>
      <div role="alert">
        {shown
          .filter((toast) => !isQuiet(toast))
          .map((toast) => (
            <OneToast key={toast.id} toast={toast} onClose={close} />
          ))}
      </div>
    </section>
  );
  const top = hosts.at(-1);
  return (
    <ToastContext.Provider value={show}>
      <ClosingContext.Provider value={closeAbout}>
        <HostContext.Provider value={host}>
          {children}
          {top === undefined ? region : createPortal(region, top)}
        </HostContext.Provider>
      </ClosingContext.Provider>
    </ToastContext.Provider>
  );
}

function isQuiet({ tone }: Toast): boolean {
  return tone !== 'error';
}

interface OneProps {
  readonly toast: Shown;
  readonly onClose: (id: number) => void;
}

function OneToast({ toast, onClose }: OneProps) {
  const t = useText();
  const { later } = useUiEnvironment();
  const [isHeld, setHeld] = useState(false);
  const { id, tone, title, detail, action } = toast;
  const stays = tone === 'warning' || tone === 'error';

  useEffect(() => {
    if (stays || isHeld) return undefined;
    return later(
      () => {
        onClose(id);
      },
      action === undefined ? SHOWN_MS : WITH_ACTION_MS,
    );
  }, [action, id, isHeld, later, onClose, stays]);

  const hold = () => {
    setHeld(true);
  };
  const release = () => {
    setHeld(false);
  };
  return (
    <div
      className={`toast toast-${tone}`}
      onMouseEnter={hold}
      onMouseLeave={release}
      onFocus={hold}
      onBlur={release}
    >
      <Icon name={ICONS[tone]} />
      <div className="toast-text">
        <strong>{title}</strong>
        {detail !== undefined && <div>{detail}</div>}
      </div>
      {action !== undefined && (
        <button
          type="button"
          className="toast-action"
          onClick={() => {
            action.run();
            onClose(id);
          }}
        >
          {action.label}
        </button>
      )}
      <button
        type="button"
        className="icon-button"
        aria-label={t('toasts.close', { title })}
        onClick={() => {
          onClose(id);
        }}
      >
        <Icon name="close" />
      </button>
    </div>
  );
}
