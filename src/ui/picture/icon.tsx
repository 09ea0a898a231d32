/** One family, drawn on 16 × 16 with a line of 1.5. */
const SHAPES = {
  add: 'M8 3v10M3 8h10',
  archive: 'M2 3h12v3H2zM3 6v7h10V6M6.5 9h3',
  arrowDown: 'M8 3v10M4 9l4 4 4-4',
  arrowUp: 'M8 13V3M4 7l4-4 4 4',
  back: 'M10 3 5 8l5 5',
  bell: 'M8 2a4 4 0 0 1 4 4v3l1.5 2.5h-11L4 9V6a4 4 0 0 1 4-4zM6.5 13.5h3',
  bin: 'M3 4.5h10M6.5 4.5V2.5h3v2M4.3 4.5l.6 9h6.2l.6-9M6.7 7v4M9.3 7v4',
  building: 'M3 14V2h7v12M10 6h3v8M1.5 14h13M5.5 5h2M5.5 8h2M5.5 11h2',
  check: 'm3 8.5 3.5 3.5L13 5',
  clock: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM8 5v3.2l2.2 1.3',
  close: 'm4 4 8 8m0-8-8 8',
  cloudOff:
    'M5 5a3.5 3.5 0 0 0-.6 6.9H11M6.6 3.6a3.6 3.6 0 0 1 4.6 3.2 2.6 2.6 0 0 1 2 4.2M2 2l12 12',
  conflict: 'M2 5.5h10M9.5 3 12 5.5 9.5 8M14 10.5H4M6.5 8 4 10.5 6.5 13',
  down: 'm4 6 4 4 4-4',
  edit: 'm3 13 .7-2.8L10.8 3 13 5.2l-7.2 7.1zM9.5 4.4l2.1 2.1',
  error: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM8 5v3.8M8 11v.2',
  filter: 'M2 4h12M4.5 8h7M7 12h2',
  first: 'M11.5 3l-5 5 5 5M4.5 3v10',
  folder: 'M2 4h4l1.5 1.5H14V13H2z',
  gear: 'M6.8 3.5l.1-1.9 2.2 0 .1 1.9 1.2.4 1.4-1.2 1.5 1.5-1.2 1.4.4 1.2 1.9.1 0 2.2-1.9.1-.4 1.2 1.2 1.4-1.5 1.5-1.4-1.2-1.2.4-.1 1.9-2.2 0-.1-1.9-1.2-.4-1.4 1.2-1.5-1.5 1.2-1.4-.4-1.2-1.9-.1 0-2.2 1.9-.1.4-1.2-1.2-1.4 1.5-1.5 1.4 1.2zM8 6a2 2 0 1 0 0 4 2 2 0 0 0 0-4z',
  globe:
    'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM2 8h12M8 2c2 1.7 2.6 3.7 2.6 6S10 12.3 8 14C6 12.3 5.4 10.3 5.4 8S6 3.7 8 2z',
  hammer: 'm7 3.5 2-2 5 5-2 2zM9.5 6l-7.5 7.5',
  info: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM8 7.5V11M8 5v.2',
  last: 'm4.5 3 5 5-5 5M11.5 3v10',
  link: 'M6.5 9.5l3-3M7 4.5l1.3-1.3a2.7 2.7 0 0 1 4 3.8L11 8.3M9 11.5l-1.3 1.3a2.7 2.7 0 0 1-4-3.8L5 7.7',
  lock: 'M4 7.5h8V14H4zM5.5 7.5V5a2.5 2.5 0 0 1 5 0v2.5',
  menu: 'M2 4h12M2 8h12M2 12h12',
  more: 'M8 2.6a.6.6 0 1 0 0 1.2.6.6 0 0 0 0-1.2zM8 7.4a.6.6 0 1 0 0 1.2.6.6 0 0 0 0-1.2zM8 12.2a.6.6 0 1 0 0 1.2.6.6 0 0 0 0-1.2z',
  next: 'm6 3 5 5-5 5',
  people:
    'M6 7.5a2.4 2.4 0 1 0 0-4.8A2.4 2.4 0 0 0 6 7.5zM1.5 13.5c.3-2.6 2-3.9 4.5-3.9s4.2 1.3 4.5 3.9M10.5 3a2.3 2.3 0 0 1 0 4.4M12 9.9c1.5.5 2.4 1.7 2.6 3.6',
  person:
    'M8 8a2.8 2.8 0 1 0 0-5.6A2.8 2.8 0 0 0 8 8zM2.8 14c.4-2.9 2.4-4.3 5.2-4.3s4.8 1.4 5.2 4.3',
  plug: 'M6 2v3M10 2v3M4 5h8v2.5a4 4 0 0 1-8 0zM8 11.5V14',
  question:
    'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM6.3 6.4c.1-1 .8-1.6 1.8-1.6s1.7.6 1.7 1.5c0 1.2-1.8 1.3-1.8 2.7M8 11.2v.1',
  restore: 'M3 5v4h4M3.4 9A5 5 0 1 0 5 4.3L3 6.3',
  search: 'M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM10.3 10.3 14 14',
  star: 'm8 2 1.8 3.9 4.2.5-3.1 2.9.8 4.2L8 11.4l-3.7 2.1.8-4.2L2 6.4l4.2-.5z',
  sync: 'M13 6.5A5.2 5.2 0 0 0 3.6 5.1L2.5 6.5M2.5 3v3.5H6M3 9.5a5.2 5.2 0 0 0 9.4 1.4l1.1-1.4M13.5 13V9.5H10',
  tasks: 'M2.5 4 3.7 5.2 6 2.9M8 4h6M2.5 11l1.2 1.2L6 9.9M8 11.5h6',
  undo: 'M3 6.5h6.5a3.5 3.5 0 0 1 0 7H6M5.8 3.7 3 6.5l2.8 2.8',
  warning: 'M8 2.5 14.5 13.5h-13zM8 6.5v3.5M8 11.8v.1',
} as const;

export type IconName = keyof typeof SHAPES;

interface IconProps {
  readonly name: IconName;
  /** Says what it means, where no word beside it does. */
  readonly label?: string;
}

/** A sign of 16 px in the colour of the text around it. */
export function Icon({ name, label }: IconProps) {
  const said = label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label };
  return (
    <svg className="icon-shape" viewBox="0 0 16 16" width="16" height="16" {...said}>
      <path
        d={SHAPES[name]}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}

const TILES = [
  ['android', '#a4c639', '#17212b', 'M5 9.5a3 3 0 0 1 6 0zM5.7 6.9 4.6 5.2M10.3 6.9l1.1-1.7'],
  ['html', '#f5a623', '#17212b', 'M6 5.5 3.5 8 6 10.5M10 5.5 12.5 8 10 10.5'],
  ['pwa', '#0096ff', '#17212b', 'M5.5 3.5h5v9h-5zM7.5 10.8h1'],
  [
    'package',
    '#115293',
    '#ffffff',
    'M3.5 5.5 8 3.5l4.5 2v5L8 12.5l-4.5-2zM3.5 5.5 8 7.5l4.5-2M8 7.5v5',
  ],
] as const;

/** The tile of a kind that is none of these: a plain box. */
const PLAIN_TILE = ['', '#51606f', '#ffffff', 'M4 4h8v8H4z'] as const;

/** A product by the tile of its kind and its name, in a line that `className` may be about. */
export function ProductName({
  name,
  className = '',
}: {
  readonly name: string;
  readonly className?: string;
}) {
  return (
    <span className={`product-name ${className}`}>
      <ProductIcon name={name} />
      <bdi>{name}</bdi>
    </span>
  );
}

/** The tile of a kind of product, by its definition's name. */
export function ProductIcon({ name }: { readonly name: string }) {
  const lower = name.toLowerCase();
  const [, ground, ink, shape] = TILES.find(([kind]) => lower.includes(kind)) ?? PLAIN_TILE;
  return (
    <svg className="product-icon" viewBox="0 0 16 16" width="24" height="24" aria-hidden>
      <rect width="16" height="16" rx="3" fill={ground} />
      <path
        d={shape}
        fill="none"
        stroke={ink}
        strokeWidth="1.2"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
