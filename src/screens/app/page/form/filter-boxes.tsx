import { useText } from '#ui/text/text.ts';
import type { TextKey } from '#ui/text/text.ts';
import './filter-boxes.css';

interface Props<W extends string> {
  readonly label: string;
  readonly words: readonly W[];
  readonly chosen: readonly W[];
  readonly textOf: (word: W) => TextKey;
  readonly onChoose: (word: W, isChosen: boolean) => void;
}

/** A filter with few values, each with its box: every tick acts at once. */
export function FilterBoxes<W extends string>(props: Props<W>) {
  const { label, words, chosen, textOf, onChoose } = props;
  const t = useText();
  return (
    <fieldset className="filter-boxes">
      <legend className="caption">{label}</legend>
      {words.map((word) => (
        <label key={word}>
          <input
            type="checkbox"
            checked={chosen.includes(word)}
            onChange={({ target }) => {
              onChoose(word, target.checked);
            }}
          />
          {t(textOf(word))}
        </label>
      ))}
    </fieldset>
  );
}
