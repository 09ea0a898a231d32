/** Put into every page of an app: starts its service worker, from whatever folder the app is in. */
const script = document.currentScript as HTMLScriptElement | null;
if (script !== null && 'serviceWorker' in navigator) {
  const home = new URL('.', script.src).href;
  navigator.serviceWorker.register(new URL('app-worker.js', home), { scope: home }).catch(() => {
    // Opened from a file, or forbidden by the host: the site works as any site does.
  });
}

export {};
