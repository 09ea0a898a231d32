/** One family, drawn on 16 × 16 with a line of 1.5. */
const SHAPES = {
  add: 'M8 3v10M3 8h10',
  archive: 'M2 3h12v3H2zM3 6v7h10V6M6.5 9h3',
  arrowDown: 'M8 3v10M4 9l4 4 4-4',
  arrowUp: 'M8 13V3M4 7l4-4 4 4',
  back: 'M10 3 5 8l5 5',
  bell: 'M8 2a4 4 0 0 1 4 4v3l1.500 2.500h-11L4 9V6a4 4 0 0 1 4-4zM6.500 13.500h3',
  bin: 'M3 4.500h10M6.500 4.500V2.500h3v2M4.300 4.500l.600 9h6.200l.600-9M6.700 7v4M9.300 7v4',
  building: 'M3 14V2h7v12M10 6h3v8M1.5 14h13M5.5 5h2M5.5 8h2M5.5 11h2',
  check: 'm3 8.5 3.5 3.5L13 5',
  clock: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM8 5v3.2l2.2 1.3',
  close: 'm4 4 8 8m0-8-8 8',
  cloudOff:
    'M5 5a3.5 3.5 0 0 0-.6 6.9H11M6.6 3.6a3.6 3.6 0 0 1 4.6 3.2 2.6 2.6 0 0 1 2 4.2M2 2l12 12',
  conflict: 'M2 5.5h10M9.5 3 12 5.5 9.5 8M14 10.5H4M6.5 8 4 10.5 6.5 13',
  down: 'm4 6 4 4 4-4',
  edit: 'm3 13 .7-2.8L10.8 3 13 5.2l-7.200 7.100zM9.500 4.400l2.100 2.100',
  error: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM8 5v3.800M8 11v.2',
  first: 'M11.500 3l-5 5 5 5M4.500 3v10',
  folder: 'M2 4h4l1.500 1.500H14V13H2z',
  gear: 'M6.8 3.5L6.9 1.6L9.1 1.6L9.2 3.5L10.4 3.9L11.8 2.7L13.3 4.2L12.1 5.6L12.5 6.8L14.4 6.9L14.4 9.1L12.5 9.2L12.1 10.4L13.3 11.8L11.8 13.3L10.4 12.1L9.2 12.5L9.1 14.4L6.9 14.4L6.8 12.5L5.6 12.1L4.2 13.3L2.7 11.8L3.9 10.4L3.5 9.2L1.6 9.1L1.6 6.9L3.5 6.8L3.9 5.6L2.7 4.2L4.2 2.7L5.6 3.9zM8 6a2 2 0 1 0 0 4 2 2 0 0 0 0-4z',
  globe:
    'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM2 8h12M8 2c2 1.700 2.600 3.700 2.600 6S10 12.300 8 14C6 12.300 5.400 10.300 5.400 8S6 3.700 8 2z',
  info: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM8 7.500V11M8 5v.2',
  last: 'm4.500 3 5 5-5 5M11.500 3v10',
  link: 'M6.500 9.500l3-3M7 4.500l1.300-1.300a2.700 2.700 0 0 1 4 3.800L11 8.300M9 11.500l-1.300 1.300a2.700 2.700 0 0 1-4-3.800L5 7.700',
  lock: 'M4 7.500h8V14H4zM5.500 7.500V5a2.500 2.500 0 0 1 5 0v2.500',
  menu: 'M2 4h12M2 8h12M2 12h12',
  more: 'M8 2.6a.6.6 0 1 0 0 1.2.6.6 0 0 0 0-1.200zM8 7.400a.6.6 0 1 0 0 1.200.6.6 0 0 0 0-1.200zM8 12.200a.6.6 0 1 0 0 1.200.6.6 0 0 0 0-1.200z',
  next: 'm6 3 5 5-5 5',
  people:
    'M6 7.500a2.400 2.400 0 1 0 0-4.800A2.400 2.400 0 0 0 6 7.500zM1.500 13.500c.3-2.600 2-3.900 4.500-3.900s4.200 1.300 4.500 3.900M10.500 3a2.300 2.300 0 0 1 0 4.400M12 9.900c1.500.5 2.400 1.700 2.600 3.600',
  person:
    'M8 8a2.800 2.800 0 1 0 0-5.600A2.800 2.800 0 0 0 8 8zM2.800 14c.4-2.900 2.400-4.300 5.200-4.300s4.800 1.400 5.200 4.300',
  plug: 'M6 2v3M10 2v3M4 5h8v2.500a4 4 0 0 1-8 0zM8 11.500V14',
  question:
    'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM6.300 6.400c.1-1 .8-1.600 1.800-1.600s1.700.6 1.700 1.500c0 1.200-1.800 1.300-1.800 2.700M8 11.200v.1',
  restore: 'M3 5v4h4M3.400 9A5 5 0 1 0 5 4.300L3 6.300',
  search: 'M7 2.500a4.500 4.500 0 1 0 0 9 4.500 4.500 0 0 0 0-9zM10.300 10.300 14 14',
  star: 'm8 2 1.800 3.900 4.200.500-3.100 2.900.800 4.200L8 11.400l-3.700 2.100.800-4.200L2 6.400l4.200-.500z',
  sync: 'M13 6.500A5.200 5.200 0 0 0 3.600 5.100L2.500 6.500M2.500 3v3.500H6M3 9.500a5.200 5.200 0 0 0 9.400 1.400l1.100-1.400M13.500 13V9.500H10',
  tasks: 'M2.500 4 3.700 5.200 6 2.900M8 4h6M2.500 11l1.200 1.200L6 9.900M8 11.500h6',
  undo: 'M3 6.500h6.500a3.500 3.500 0 0 1 0 7H6M5.800 3.700 3 6.500l2.800 2.800',
  warning: 'M8 2.500 14.500 13.500h-13zM8 6.500v3.500M8 11.800v.1',
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
  [
    'android',
    '#a4c639',
    '#17212b',
    'M5 9.500a3 3 0 0 1 6 0zM5.700 6.900 4.600 5.200M10.300 6.900l1.100-1.700',
  ],
  ['html', '#f5a623', '#17212b', 'M6 5.500 3.500 8 6 10.500M10 5.500 12.500 8 10 10.500'],
  ['pwa', '#0096ff', '#17212b', 'M5.500 3.500h5v9h-5zM7.500 10.800h1'],
  [
    'package',
    '#115293',
    '#ffffff',
    'M3.500 5.500 8 3.500l4.500 2v5L8 12.500l-4.500-2zM3.500 5.500 8 7.500l4.500-2M8 7.500v5',
  ],
] as const;

/** The tile of a kind that is none of these: a plain box. */
const PLAIN_TILE = ['', '#51606f', '#ffffff', 'M4 4h8v8H4z'] as const;

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
        strokeWidth="1.200"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
