import { searchIn } from './site-search.ts';
import type { Entry, SearchMatch } from './site-search.ts';

/** The script of every page of a site made from Markdown. It works from a file system too. */

declare global {
  interface Window {
    /** Put there by the index, which is a script because files cannot be fetched from a file. */
    siteIndex?: readonly Entry[];
  }
}

const form = document.querySelector<HTMLFormElement>('.search');
if (form !== null) offerSearch(form);

const choice = document.querySelector<HTMLElement>('[data-choose]');
if (choice !== null) chooseLanguage(choice);

function offerSearch(search: HTMLFormElement): void {
  const input = search.querySelector('input');
  const found = search.querySelector<HTMLElement>('.found');
  if (input === null || found === null) return;
  let find: ((wanted: string) => readonly SearchMatch[]) | null = null;
  const show = () => {
    const wanted = input.value.trim();
    if (find === null && wanted !== '') loadIndex(search);
    found.hidden = wanted === '' || find === null;
    if (find !== null && wanted !== '') list(search, found, find(wanted));
  };
  search.hidden = false;
  search.addEventListener('submit', (event) => {
    event.preventDefault();
    found.querySelector('a')?.focus();
  });
  search.addEventListener('index', () => {
    find = searchIn(window.siteIndex ?? []);
    show();
  });
  input.addEventListener('input', show);
  document.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' || found.hidden) return;
    found.hidden = true;
    input.focus();
  });
  document.addEventListener('click', ({ target }) => {
    if (!search.contains(target as Node)) found.hidden = true;
  });
}

function loadIndex(search: HTMLFormElement): void {
  if (search.dataset.asked === 'yes') return;
  search.dataset.asked = 'yes';
  const script = document.createElement('script');
  script.src = search.dataset.index ?? '';
  script.addEventListener('load', () => {
    search.dispatchEvent(new Event('index'));
  });
  script.addEventListener('error', () => {
    // The search asks again with the next letter: the connection may be back.
    delete search.dataset.asked;
  });
  document.head.append(script);
}

function list(search: HTMLFormElement, found: HTMLElement, hits: readonly SearchMatch[]): void {
  const { top = './', none = '', some = '' } = search.dataset;
  const status = found.querySelector('p');
  if (status !== null)
    status.textContent = hits.length === 0 ? none : some.replace('#', String(hits.length));
  found.querySelector('ol')?.replaceChildren(
    ...hits.map(({ title, path, excerpt }) => {
      const link = document.createElement('a');
      link.href = top + path.split('/').map(encodeURIComponent).join('/');
      link.textContent = title;
      const words = document.createElement('small');
      words.textContent = excerpt;
      const item = document.createElement('li');
      item.append(link, words);
      return item;
    }),
  );
}

/** Goes on to the language that the reader likes best; without one the list stays. */
function chooseLanguage(from: HTMLElement): void {
  const links = [...from.querySelectorAll<HTMLAnchorElement>('a[lang]')];
  const primary = (tag: string) => tag.toLowerCase().split('-')[0];
  for (const wish of navigator.languages) {
    const link =
      links.find(({ lang }) => lang.toLowerCase() === wish.toLowerCase()) ??
      links.find(({ lang }) => primary(lang) === primary(wish));
    if (link === undefined) continue;
    location.replace(link.href);
    return;
  }
}
