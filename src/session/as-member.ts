import { objectIn } from './json.ts';

/**
 * The environment of a download page that shows nothing, to load it again as the person signed in
 * here.
 */
export interface MemberPage {
  readonly document: Document;
  /** The address of the page. */
  readonly address: string;
  readonly accessToken: () => Promise<string | null>;
  readonly fetch: (address: string, request: RequestInit) => Promise<Response>;
  /** An address for bytes that only this page has. */
  readonly addressOf: (bytes: Blob) => string;
  readonly leaveFor: (address: string) => void;
}

/** Where a page says how the reader gets to the project, which only members do. */
const TO_PROJECT = '[data-to-project]';

/**
 * Loads the page again with the token of this browser, which links and pictures cannot send, and
 * shows what a member gets; a page that everybody sees gains the way to the project alone. Without
 * a token, or when the server refuses it, the page stays as it is.
 */
export async function showAsMember(page: MemberPage): Promise<void> {
  const { document, address, accessToken } = page;
  const root = document.documentElement;
  root.classList.add('looking');
  try {
    const token = await accessToken();
    const answer = token === null ? null : await fetchWithToken(page, address, token);
    if (token === null || answer === null) return;
    const memberPage = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const place = document.querySelector(TO_PROJECT);
    if (place !== null) {
      place.replaceChildren(...(memberPage.querySelector(TO_PROJECT)?.childNodes ?? []));
      return;
    }
    await showPictures(page, memberPage, token);
    root.replaceWith(document.adoptNode(memberPage.documentElement));
    leadToFiles(page);
  } catch {
    // There is no connection: the page as it is holds for everyone without one.
  } finally {
    root.classList.remove('looking');
  }
}

async function fetchWithToken(
  { fetch }: MemberPage,
  address: string,
  token: string,
): Promise<Response | null> {
  const answer = await fetch(address, { headers: { Authorization: `Bearer ${token}` } });
  return answer.ok ? answer : null;
}

async function showPictures(page: MemberPage, memberPage: Document, token: string): Promise<void> {
  for (const picture of memberPage.querySelectorAll<HTMLImageElement>('img[src^="/api/"]')) {
    const answer = await fetchWithToken(page, picture.getAttribute('src') ?? '', token);
    if (answer === null) picture.remove();
    else picture.src = page.addressOf(await answer.blob());
  }
}

/** A link to a file leads to the address that the file's own `/link` gives (wire 12). */
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
  const answer = token === null ? null : await fetchWithToken(page, `${file}/link`, token);
  const url = answer === null ? undefined : objectIn(await answer.text())?.url;
  if (typeof url !== 'string') throw new Error('There is no link');
  page.leaveFor(url);
}
