import { objectIn } from './json.ts';

/** What a download page that shows nothing needs to look once more, as whoever is signed in here. */
export interface MemberPage {
  readonly document: Document;
  /** Of the page. */
  readonly address: string;
  readonly accessToken: () => Promise<string | null>;
  readonly fetch: (address: string, request: RequestInit) => Promise<Response>;
  /** An address for bytes that only this page has. */
  readonly addressOf: (bytes: Blob) => string;
  readonly leaveFor: (address: string) => void;
}

/**
 * Asks for the page again with the token of this browser, which links and pictures cannot send, and
 * shows what a member is given. Without one, or when it leads to nothing, the page stays as it is.
 */
export async function showAsMember(page: MemberPage): Promise<void> {
  const { document, address, accessToken } = page;
  const root = document.documentElement;
  root.classList.add('looking');
  try {
    const token = await accessToken();
    const answer = token === null ? null : await asked(page, address, token);
    if (token === null || answer === null) return;
    const given = new DOMParser().parseFromString(await answer.text(), 'text/html');
    await showPictures(page, given, token);
    root.replaceWith(document.adoptNode(given.documentElement));
    leadToFiles(page);
  } catch {
    // No connection: what stands there is true for everyone without one.
  } finally {
    root.classList.remove('looking');
  }
}

async function asked(
  { fetch }: MemberPage,
  address: string,
  token: string,
): Promise<Response | null> {
  const answer = await fetch(address, { headers: { Authorization: `Bearer ${token}` } });
  return answer.ok ? answer : null;
}

async function showPictures(page: MemberPage, given: Document, token: string): Promise<void> {
  for (const picture of given.querySelectorAll<HTMLImageElement>('img[src^="/api/"]')) {
    const answer = await asked(page, picture.getAttribute('src') ?? '', token);
    if (answer === null) picture.remove();
    else picture.src = page.addressOf(await answer.blob());
  }
}

/** A link to a file goes by way of the address that the file's own `/link` gives (wire 12). */
function leadToFiles(page: MemberPage): void {
  const { document } = page;
  const failed = document.querySelector<HTMLElement>('[data-failed]');
  for (const link of document.querySelectorAll('a[data-file]'))
    link.addEventListener('click', (event) => {
      event.preventDefault();
      if (failed !== null) failed.hidden = true;
      follow(page, link.getAttribute('href') ?? '').catch(() => {
        if (failed !== null) failed.hidden = false;
      });
    });
}

async function follow(page: MemberPage, file: string): Promise<void> {
  const token = await page.accessToken();
  const answer = token === null ? null : await asked(page, `${file}/link`, token);
  const url = answer === null ? undefined : objectIn(await answer.text())?.url;
  if (typeof url !== 'string') throw new Error('There is no link');
  page.leaveFor(url);
}
