import { createContext, useContext } from 'react';

export interface BrowserNotification {
  readonly title: string;
  readonly body: string;
  /** One with the same tag takes the place of it, also of another tab's. */
  readonly tag: string;
  /** The address that it is about. */
  readonly to: string;
  /** The person clicked it, and the tab has come to the front; it is to lead to the address. */
  readonly onClick: () => void;
}

/** What the person has allowed; `default` while nobody has asked them. */
export type NotifierPermission = 'default' | 'granted' | 'denied';

/** Shows messages outside of the page: the browser's own, or a test's. */
export interface BrowserNotifier {
  readonly permission: () => NotifierPermission;
  /** Has the browser ask the person; it does so only in answer to a click. */
  readonly requestPermission: () => Promise<NotifierPermission>;
  /** Says whether somebody can see the page. */
  readonly isPageVisible: () => boolean;
  readonly show: (notification: BrowserNotification) => void;
}

/** The browser's own; null where it has none, or where pages may not use it. */
function notifierOfBrowser(): BrowserNotifier | null {
  if (!('Notification' in globalThis)) return null;
  return {
    permission: () => Notification.permission,
    requestPermission: () => Notification.requestPermission(),
    isPageVisible: () => !document.hidden,
    show,
  };
}

function show({ title, body, tag, to, onClick }: BrowserNotification): void {
  const options = { body, tag, icon: '/icons/app.svg', data: { to } };
  try {
    const shown = new Notification(title, options);
    shown.onclick = () => {
      window.focus();
      shown.close();
      onClick();
    };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // Chrome on Android leaves notifications to the service worker, which leads to the address too.
    void navigator.serviceWorker.ready.then((worker) => worker.showNotification(title, options));
  }
}

export const BrowserNotifierContext = createContext(notifierOfBrowser());

/** Null: this browser shows no notifications. */
export function useBrowserNotifier(): BrowserNotifier | null {
  return useContext(BrowserNotifierContext);
}
