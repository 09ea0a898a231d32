import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';
import { createBrowserRouter } from 'react-router-dom';
import { SessionProvider } from '#session/sign-in.tsx';
import { UpdatesContext } from '#screens/shell/update-toast.tsx';
import type { Updates } from '#screens/shell/update-toast.tsx';
import { LANGUAGE_KEY } from '#screens/shell/language-menu.tsx';
import { routes } from '#screens/routes.tsx';
import { readKept, SurroundingsContext } from '#ui/surroundings.tsx';
import type { Surroundings } from '#ui/surroundings.tsx';
import { isLanguage, languageFor, speak } from '#ui/text.ts';
import '#ui/theme/theme.css';

const surroundings: Surroundings = {
  clock: () => Date.now(),
  kept: localStorage,
  drafts: sessionStorage,
  later: (run, afterMs) => {
    const timer = setTimeout(run, afterMs);
    return () => {
      clearTimeout(timer);
    };
  },
  load: async (path) => {
    const answer = await fetch(path);
    if (!answer.ok) throw new Error(`${path} answered ${String(answer.status)}`);
    return answer.json();
  },
};

/** A new service worker that has installed beside the one in charge waits to be let in. */
const updates: Updates = {
  subscribe: (listener) => {
    let isOver = false;
    const offer = (worker: ServiceWorker) => {
      if (isOver) return;
      listener(() => {
        navigator.serviceWorker.addEventListener('controllerchange', () => {
          location.reload();
        });
        worker.postMessage('take-over');
      });
    };
    void registration?.then((found) => {
      const { serviceWorker } = navigator;
      if (found.waiting !== null && serviceWorker.controller !== null) offer(found.waiting);
      found.addEventListener('updatefound', () => {
        const coming = found.installing;
        coming?.addEventListener('statechange', () => {
          if (coming.state === 'installed' && serviceWorker.controller !== null) offer(coming);
        });
      });
    });
    return () => {
      isOver = true;
    };
  },
};

const registration =
  'serviceWorker' in navigator ? navigator.serviceWorker.register('/service-worker.js') : null;

/** Draws the app once the texts of the person's language are here. */
async function start(): Promise<void> {
  const kept = readKept(localStorage, LANGUAGE_KEY);
  await speak(isLanguage(kept) ? kept : languageFor(navigator.languages));
  const root = document.getElementById('app');
  if (root === null) throw new Error('The page has no place for the app');
  createRoot(root).render(
    <SurroundingsContext.Provider value={surroundings}>
      <SessionProvider>
        <UpdatesContext.Provider value={updates}>
          <RouterProvider router={createBrowserRouter(routes)} />
        </UpdatesContext.Provider>
      </SessionProvider>
    </SurroundingsContext.Provider>,
  );
}

void start();
