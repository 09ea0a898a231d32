import { useMemo } from 'react';
import { qrCodeOf } from '#base/qr-code.ts';
import './qr-code.css';

interface Props {
  readonly text: string;
  /** Says what the code holds, for people who cannot see or scan it. */
  readonly label: string;
}

/** `text` as a picture that phones read: black on white, whatever the theme and on paper too. */
export function QrCode({ text, label }: Props) {
  const { sidePx, path } = useMemo(() => qrCodeOf(text), [text]);
  return (
    <svg
      className="qr-code"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${String(sidePx)} ${String(sidePx)}`}
      shapeRendering="crispEdges"
    >
      <rect width="100%" height="100%" fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
