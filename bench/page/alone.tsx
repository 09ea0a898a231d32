import { useLayoutEffect } from 'react';
import { createRoot } from 'react-dom/client';
import type { Data } from '../../src/data/model/data.ts';
import { DataContext, useList } from '#data/react/hooks.ts';
import { hear, loadInto, openCopy, takeChanges } from './copy.ts';
import { allDurable, durable, lastCompleteMs } from './durable.ts';
import { drawn, frame, medianOf } from './pace.ts';

/** Measures of ours alone: how it behaves under a burst, with changes waiting, and over time. */
let data: Data;
let renders = 0;

/** The first of the projects and fields that no change in the queue was the last to touch. */
const FIRST_EDIT = 16 * 1_183 + 600;

function List() {
  const { rows } = useList('project', {}, { sort: 'name', page: { offset: 1, limit: 20 } });
  useLayoutEffect(() => {
    renders += 1;
  });
  return rows.map(({ id, name }) => <p key={id}>{name}</p>);
}

const textOf = async (): Promise<string> => (await fetch('/records.json')).text();

async function loaded(): Promise<void> {
  data = openCopy();
  await data.restored;
  await loadInto(data, await textOf(), () => undefined);
  await durable();
}

async function showList(): Promise<void> {
  await loaded();
  const root = document.getElementById('app');
  if (root === null) throw new Error('The page has no place for the list');
  createRoot(root).render(
    <DataContext.Provider value={data}>
      <List />
    </DataContext.Provider>,
  );
  while (renders === 0) await frame();
  await drawn();
  renders = 0;
}

/** Runs `work` and gives the longest time in ms that nothing else had its turn. */
async function blockedMs(work: () => Promise<unknown>): Promise<number> {
  const { port1, port2 } = new MessageChannel();
  let last = performance.now();
  let longest = 0;
  let isOver = false;
  port2.onmessage = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (!isOver) port1.postMessage(null);
  };
  port1.postMessage(null);
  await work();
  isOver = true;
  return longest;
}

const steps = {
  /** First load with someone listening to every patch, ms. */
  async patched(): Promise<number> {
    data = openCopy();
    await data.restored;
    let patches = 0;
    data.facade.cache.on('patch', () => (patches += 1));
    const text = await textOf();
    const from = performance.now();
    let ms = 0;
    await loadInto(data, text, () => {
      ms = performance.now() - from;
    });
    if (patches < 20_000) throw new Error(`Only ${patches} patches came`);
    return ms;
  },

  /** One message with many operations: renders of the list, ms blocked, ms until durable. */
  async burst(text: string): Promise<readonly [renders: number, blocked: number, durable: number]> {
    await showList();
    const from = performance.now();
    const written = durable();
    const blocked = await blockedMs(async () => {
      hear(text);
      await Promise.all([written, drawn()]);
    });
    return [renders, blocked, lastCompleteMs - from];
  },

  /** Many messages for a second: how often the list was drawn, and the messages taken in. */
  async stream(texts: readonly string[]): Promise<readonly [renders: number, received: number]> {
    await showList();
    const until = performance.now() + 1_000;
    let received = 0;
    while (performance.now() < until && received < texts.length) {
      for (let n = 0; n < 5; n += 1) hear(texts[received++] ?? '');
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
    return [renders, received];
  },

  /** Makes edits until so many wait; returns how many there are. */
  async queue(projects: readonly string[], count: number): Promise<number> {
    data = openCopy();
    await data.restored;
    for (let n = data.changes.view().waiting; n < count; n += 100)
      await Promise.all(
        Array.from({ length: Math.min(100, count - n) }, (_, k) =>
          edit(projects, n + k, `Queued ${n + k}`),
        ),
      );
    return data.changes.view().waiting;
  },

  /** One edit after another: ms until durable, ms from then until the list shows it; medians. */
  async edits(
    projects: readonly string[],
    times: number,
    round: number,
  ): Promise<readonly [durable: number, shown: number]> {
    data = openCopy();
    await data.restored;
    const list = data.lists.open('project', {}, { sort: 'name' });
    let shownMs = 0;
    list.subscribe(() => {
      list.view();
      // A later notification is not the edit.
      if (shownMs === 0) shownMs = performance.now();
    });
    list.view();
    const took: number[] = [];
    const after: number[] = [];
    for (let n = 0; n < times; n += 1) {
      shownMs = 0;
      const from = performance.now();
      await edit(projects, FIRST_EDIT + round * times + n, `Edited ${round}.${n}`);
      took.push(lastCompleteMs - from);
      await drawn();
      after.push(Math.max(0, shownMs - lastCompleteMs));
    }
    return [medianOf(took.slice(5)), medianOf(after.slice(5))];
  },

  loaded,

  /** Cycles of sync: an edit that is sent and accepted, then a message; each durable. */
  async cycles(projects: readonly string[], from: number, texts: readonly string[]): Promise<void> {
    takeChanges();
    for (const [n, text] of texts.entries()) {
      await edit(projects, FIRST_EDIT + from + n, `Edited ${from + n}`);
      await sent();
      hear(text);
      await allDurable();
    }
  },
};

/** Resolves when no change waits. */
function sent(): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (data.changes.view().waiting > 0) return;
      end();
      resolve();
    };
    const end = data.changes.subscribe(look);
    look();
  });
}

function edit(projects: readonly string[], n: number, name: string): Promise<void> {
  // Two edits of one field would be coalesced into one change: every other round is of another
  // field.
  const isEvenRound = Math.floor(n / projects.length) % 2 === 0;
  const fields = isEvenRound ? { name } : { description: name };
  return data.edit('project', projects[n % projects.length] ?? '', fields, [
    'changes.rename',
    { name },
  ]);
}

Object.assign(globalThis, { steps });
