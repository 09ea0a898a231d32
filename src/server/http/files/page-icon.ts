import sharp from 'sharp';

/** A page has 40 kB up to its button (screens 15), of which the icon may take this much. */
const PAGE_ICON_MOST_BYTES = 10_000;
/** The page shows it with 96 pixels a side, of which most phones have two for one. */
const SIDES_PX = [192, 96, 48];
const QUALITIES = [80, 50, 20];
const LARGEST_SIDE_PX = 4_096;

/**
 * Returns the icon at `path` as a WebP picture of at most `PAGE_ICON_MOST_BYTES`: as sharp as that
 * allows, whole and in the middle of a square.
 *
 * @throws Error where no picture can be read there
 */
export async function pageIconAt(path: string): Promise<Buffer> {
  const limitInputPixels = LARGEST_SIDE_PX * LARGEST_SIDE_PX;
  for (const side of SIDES_PX) {
    const pixels = sharp(path, { limitInputPixels }).resize({
      width: side,
      height: side,
      fit: 'contain',
      background: '#00000000',
    });
    for (const quality of QUALITIES) {
      const picture = await pixels.clone().webp({ quality }).toBuffer();
      if (picture.length <= PAGE_ICON_MOST_BYTES) return picture;
    }
  }
  throw new Error('The icon cannot be made small enough');
}
