import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import sharp from 'sharp';

/** What somebody at the screen would have seen of a test: whose page is in use, at each moment. */
export interface Film {
  /** From now on the film shows `page`. */
  show(page: Page): Promise<void>;
  /** Saves a picture of the page that it shows. */
  picture(name: string): Promise<void>;
  /** Saves the film, as an animated picture. */
  end(): Promise<void>;
}

interface Frame {
  /** In seconds. */
  readonly at: number;
  readonly jpeg: Buffer;
}

const SIZE = { width: 1_280, height: 800 };
const SHORTEST_MS = 150;
const LONGEST_MS = 1_500;

/** Films into `folder`; null: there is nothing to be seen, and nothing is made. */
export function openFilm(folder: string | null): Film {
  if (folder === null) {
    const nothing = () => Promise.resolve();
    return { show: nothing, picture: nothing, end: nothing };
  }
  mkdirSync(folder, { recursive: true });
  const filmed = new Set<Page>();
  const frames: Frame[] = [];
  let shown: Page | null = null;
  let pictures = 0;

  async function follow(page: Page): Promise<void> {
    const session = await page.context().newCDPSession(page);
    session.on('Page.screencastFrame', ({ data, sessionId, metadata }) => {
      void session.send('Page.screencastFrameAck', { sessionId }).catch(() => undefined);
      if (page === shown)
        frames.push({ at: metadata.timestamp ?? 0, jpeg: Buffer.from(data, 'base64') });
    });
    await session.send('Page.startScreencast', { format: 'jpeg', quality: 80 });
  }

  return {
    show: async (page) => {
      shown = page;
      if (filmed.has(page)) return;
      filmed.add(page);
      await follow(page);
    },
    picture: async (name) => {
      pictures += 1;
      const number = String(pictures).padStart(2, '0');
      await shown?.screenshot({ path: join(folder, `${number} ${name}.png`) });
    },
    end: async () => {
      const kept = thinned(frames);
      const drawn = await Promise.all(
        kept.map(({ jpeg }) =>
          sharp(jpeg)
            .resize({ ...SIZE, fit: 'contain', background: '#888' })
            .png()
            .toBuffer(),
        ),
      );
      const delay = kept.map(({ at }, i) =>
        Math.min(LONGEST_MS, Math.round(((kept[i + 1]?.at ?? at + 2) - at) * 1_000)),
      );
      const film = await sharp(drawn, { join: { animated: true } })
        .webp({ quality: 60, delay, loop: 1 })
        .toBuffer();
      writeFileSync(join(folder, 'film.webp'), film);
    },
  };
}

/** The frames that somebody could tell from the one before. */
function thinned(frames: readonly Frame[]): readonly Frame[] {
  const kept: Frame[] = [];
  for (const frame of frames) {
    const last = kept.at(-1);
    if (last === undefined || (frame.at - last.at) * 1_000 >= SHORTEST_MS) kept.push(frame);
  }
  return kept;
}
