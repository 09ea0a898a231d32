const two = (number: number): string => String(number).padStart(2, '0');

/** Writes how long something took as a clock does: "0:42", "12:05", "1:02:09"; less than none is none. */
export function durationOf(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  const minutes = Math.floor(seconds / 60);
  const rest = two(seconds % 60);
  if (minutes < 60) return `${minutes}:${rest}`;
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${rest}`;
}
