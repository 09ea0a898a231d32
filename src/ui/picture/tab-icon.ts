/** What is on the tab's icon as a dot: something runs, has failed, or waits for the person. */
export type TabStatus = 'busy' | 'bad' | 'yours';

const SIDE_PX = 64;
/** A tab shows the icon at 16 px: the dot is 7 of them wide, and stands off by one. */
const DOT = { x: 46, y: 46, radius: 14, edge: 4 } as const;

/** The tokens of the colours, in which a status chip is drawn as well. */
const COLORS: Readonly<Record<TabStatus, string>> = {
  busy: '--accent',
  bad: '--bad',
  yours: '--warn',
};

/** The icons that pages came with. */
const plain = new WeakMap<HTMLLinkElement, { readonly href: string; readonly type: string }>();
let calls = 0;

/**
 * Puts a dot for `status` on the tab's icon, in the colours of the page at that moment; null restores
 * the icon. A later call goes before one that still draws. Where the icon cannot be drawn, it stays as
 * it is.
 *
 * @returns once the icon is there
 */
export async function showTabIcon(status: TabStatus | null): Promise<void> {
  const call = (calls += 1);
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (link === null) return;
  const icon = plain.get(link) ?? { href: link.href, type: link.type };
  plain.set(link, icon);
  const next = status === null ? icon : await drawn(icon.href, status).catch(() => null);
  if (next !== null && call === calls) Object.assign(link, next);
}

/** Draws the icon at `href` with a dot; rejects where the picture cannot be had. */
async function drawn(href: string, status: TabStatus) {
  const picture = new Image(SIDE_PX, SIDE_PX);
  picture.src = href;
  await picture.decode();
  const canvas = document.createElement('canvas');
  canvas.width = SIDE_PX;
  canvas.height = SIDE_PX;
  const pen = canvas.getContext('2d');
  if (pen === null) return null;
  pen.drawImage(picture, 0, 0, SIDE_PX, SIDE_PX);
  const disc = (radius: number, token: string) => {
    pen.fillStyle = colorOf(token);
    pen.beginPath();
    pen.arc(DOT.x, DOT.y, radius, 0, 2 * Math.PI);
    pen.fill();
  };
  // The edge keeps the dot apart from the mark, and visible on a bar of tabs of whatever colour.
  disc(DOT.radius + DOT.edge, '--surface');
  disc(DOT.radius, COLORS[status]);
  return { href: canvas.toDataURL('image/png'), type: 'image/png' };
}

/** The colour of a token, which may be said by others and by the scheme: a canvas knows neither. */
function colorOf(token: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${token})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
