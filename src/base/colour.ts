type Channels = readonly [red: number, green: number, blue: number];

/** The contrast that WCAG asks of text. */
const READABLE = 4.5;
const PAPER = '#ffffff';
/** The darkest background of a site in the dark. */
const NIGHT = '#16181c';

const channelsOf = (color: string): Channels => [
  parseInt(color.slice(1, 3), 16),
  parseInt(color.slice(3, 5), 16),
  parseInt(color.slice(5, 7), 16),
];

/** Black or white, whichever is easier to read on `color`. */
export function onColor(color: string): string {
  return contrast(color, '#ffffff') >= contrast(color, '#000000') ? '#ffffff' : '#000000';
}

/** `color`, made darker until it can be read on paper, and lighter until it can be at night. */
export function linkColors(color: string): { readonly day: string; readonly night: string } {
  return { day: towards(color, '#000000', PAPER), night: towards(color, '#ffffff', NIGHT) };
}

function towards(color: string, end: string, background: string): string {
  for (let step = 0; step < 20; step += 1) {
    const mixed = mix(color, end, step / 20);
    if (contrast(mixed, background) >= READABLE) return mixed;
  }
  return end;
}

function mix(color: string, end: string, share: number): string {
  const other = channelsOf(end);
  const channels = channelsOf(color).map((channel, i) =>
    Math.round(channel * (1 - share) + (other[i] ?? 0) * share),
  );
  return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}

function contrast(a: string, b: string): number {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(color).map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
