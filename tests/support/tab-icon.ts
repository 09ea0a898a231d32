/** A plain grey square, as the icon that a page came with. */
const PLAIN =
  'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><rect width="64" height="64" fill="%23808080"/></svg>';

const TOKENS = {
  '--surface': '#ffffff',
  '--accent': '#0000ff',
  '--bad': '#ff0000',
  '--warn': '#ffff00',
} as const;

type Color = 'white' | 'blue' | 'red' | 'yellow' | 'grey';
const COLORS: Readonly<Record<string, Color>> = {
  '255,255,255': 'white',
  '0,0,255': 'blue',
  '255,0,0': 'red',
  '255,255,0': 'yellow',
  '128,128,128': 'grey',
};

/** Gives the page an icon and the tokens it is drawn in; returns what takes them away. */
export function placeTabIcon(href = PLAIN) {
  const link = document.createElement('link');
  link.rel = 'icon';
  link.type = 'image/svg+xml';
  link.href = href;
  document.head.prepend(link);
  const { style } = document.documentElement;
  for (const [name, value] of Object.entries(TOKENS)) style.setProperty(name, value);
  const remove = () => {
    link.remove();
    for (const name of Object.keys(TOKENS)) style.removeProperty(name);
  };
  return { link, href: link.href, remove };
}

/** Reads the colour of the icon at a point of its 64 × 64. */
export async function colorAt(link: HTMLLinkElement, x: number, y: number): Promise<Color | null> {
  const picture = new Image(64, 64);
  picture.src = link.href;
  await picture.decode();
  const canvas = document.createElement('canvas');
  canvas.width = 64;
  canvas.height = 64;
  const pen = canvas.getContext('2d');
  if (pen === null) throw new Error('This browser has no canvas');
  pen.drawImage(picture, 0, 0, 64, 64);
  return COLORS[[...pen.getImageData(x, y, 1, 1).data].slice(0, 3).join(',')] ?? null;
}

/** The colour in the middle of the dot; that of the plain icon where there is none. */
export const dotOf = (link: HTMLLinkElement): Promise<Color | null> => colorAt(link, 46, 46);
