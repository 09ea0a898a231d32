import { useState } from 'react';

interface Props {
  /** The same text, the same picture. */
  readonly of: string;
  readonly sidePx: number;
  /** The address of a portrait, shown instead where it can be had. */
  readonly picture?: string | null;
}

const CELLS = 5;

/** FNV-1a with a seed; draws, guards nothing. */
function digest(text: string, seed: number): number {
  let hash = 0x811c9dc5 ^ seed;
  for (const character of text)
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return hash >>> 0;
}

/** A person's portrait, or a picture made on the device: five by five, mirrored, in one colour. */
export function Avatar({ of, sidePx, picture = null }: Props) {
  const [missing, setMissing] = useState<string | null>(null);
  if (picture !== null && picture !== missing && picture.startsWith('https:'))
    return (
      <img
        className="avatar"
        src={picture}
        alt=""
        width={sidePx}
        height={sidePx}
        referrerPolicy="no-referrer"
        onError={() => {
          setMissing(picture);
        }}
      />
    );
  const hue = digest(of, 1) % 360;
  const bits = digest(of, 2);
  const cells = Array.from({ length: CELLS * CELLS }, (_, index) => index).filter((index) => {
    const column = index % CELLS;
    const mirrored = Math.min(column, CELLS - 1 - column);
    return ((bits >>> (Math.floor(index / CELLS) * 3 + mirrored)) & 1) === 1;
  });
  return (
    <svg className="avatar" viewBox="-1 -1 7 7" width={sidePx} height={sidePx} aria-hidden>
      <rect x="-1" y="-1" width="7" height="7" fill={`hsl(${hue} 45% 90%)`} />
      {cells.map((index) => (
        <rect
          key={index}
          x={index % CELLS}
          y={Math.floor(index / CELLS)}
          width="1.02"
          height="1.02"
          fill={`hsl(${hue} 55% 38%)`}
        />
      ))}
    </svg>
  );
}
