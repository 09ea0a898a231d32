import type { Counted, Subject } from './subject.ts';

/** The steps that the bench asks of a page, each in a page of its own. */
export type Step = 'load' | 'write' | 'restore' | 'search' | 'hear';

export interface Ask {
  readonly step: Step;
  readonly project: string;
  readonly expected: Counted;
  /** Messages that each rename one project to the name beside. */
  readonly messages: readonly (readonly [text: string, name: string])[];
  readonly words: readonly string[];
}

const WARM_UP = 20;

/** Lets the page run steps of `subject`; gives the ms of the step, or of one in a series. */
export function serve(subject: Subject): void {
  const loaded = async (): Promise<void> => {
    await subject.load(await textOf(), () => undefined);
  };
  const timed = async (work: () => Promise<unknown>): Promise<number> => {
    const from = performance.now();
    await work();
    return performance.now() - from;
  };

  const steps: Record<Step, (ask: Ask) => Promise<number>> = {
    load: async ({ project, expected }) => {
      const text = await textOf();
      const from = performance.now();
      // Asked at once: a copy that is written behind must not count, and one that links later must.
      const counted = new Promise<readonly [Counted, number]>((resolve, reject) => {
        const loaded = async () =>
          [await subject.count(project), performance.now() - from] as const;
        subject
          .load(text, () => {
            loaded().then(resolve, reject);
          })
          .catch(reject);
      });
      const [found, ms] = await counted;
      check(found, expected);
      return ms;
    },
    write: async () => {
      await loaded();
      return timed(async () => subject.write?.());
    },
    restore: ({ project, expected }) =>
      timed(async () => {
        await subject.restore?.();
        check(await subject.count(project), expected);
      }),
    search: async ({ words }) => {
      await loaded();
      await subject.mount();
      for (const word of words.slice(0, WARM_UP)) await subject.search?.(word);
      const measured = words.slice(WARM_UP);
      let found = 0;
      const ms = await timed(async () => {
        for (const word of measured) found += (await subject.search?.(word))?.length ?? 0;
      });
      check([Math.sign(found)], [1]);
      return ms / measured.length;
    },
    hear: async ({ messages }) => {
      await loaded();
      if (subject.settle !== undefined) await subject.write?.();
      await subject.mount();
      // All with the same durability: what is written behind is waited for in the end.
      const hear = async (given: Ask['messages']): Promise<void> => {
        for (const [text] of given) await subject.hear(text);
        await subject.settle?.();
      };
      await hear(messages.slice(0, WARM_UP));
      const measured = messages.slice(WARM_UP);
      const ms = await timed(() => hear(measured));
      check([subject.shows(messages.at(-1)?.[1] ?? '')], [true]);
      return ms / measured.length;
    },
  };

  const ask = async (request: Ask): Promise<number> => {
    if (request.step !== 'restore') await subject.open();
    return steps[request.step](request);
  };
  Object.assign(globalThis, { ask });
}

const textOf = async (): Promise<string> => (await fetch('/records.json')).text();

function check(found: readonly unknown[], expected: readonly unknown[]): void {
  if (String(found) !== String(expected))
    throw new Error(`Found ${String(found)}, not ${String(expected)}`);
}
