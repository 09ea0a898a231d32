import { fold } from '#base/fold.ts';

interface Props {
  readonly text: string;
  readonly search: string;
}

/** `text` with the words that were searched for marked, accents and case apart. */
export function Marked({ text, search }: Props) {
  const wanted = fold(search);
  if (wanted === '') return <bdi>{text}</bdi>;
  const hit = find(text, wanted);
  if (hit === null) return <bdi>{text}</bdi>;
  return (
    <bdi>
      {text.slice(0, hit.from)}
      <mark>{text.slice(hit.from, hit.to)}</mark>
      {text.slice(hit.to)}
    </bdi>
  );
}

/**
 * Finds where `wanted`, folded, stands in `text`; folding may change its length, so it goes by
 * characters.
 */
function find(text: string, wanted: string): { from: number; to: number } | null {
  if (!fold(text).includes(wanted)) return null;
  let folded = '';
  const starts: number[] = [];
  let at = 0;
  for (const character of text) {
    const key = fold(character);
    starts.push(...Array.from({ length: key.length }, () => at));
    folded += key;
    at += character.length;
  }
  const index = folded.indexOf(wanted);
  if (index < 0) return null;
  const end = index + wanted.length;
  return { from: starts[index] ?? 0, to: starts[end] ?? text.length };
}
