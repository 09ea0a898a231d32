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

/** The tile of a kind of product, by its definition's name. */
export function ProductIcon({ name }: { readonly name: string }) {
  const lower = name.toLowerCase();
  const [, ground, ink, shape] = TILES.find(([kind]) => lower.includes(kind)) ?? TILES[3];
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
