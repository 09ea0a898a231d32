import { useText } from '../text/text.ts';

const LISTED = 5;

/** Lists the first five of `items`, and says how many more there are. */
export function ShortList({ items }: { readonly items: readonly string[] }) {
  const t = useText();
  const more = items.length - LISTED;
  return (
    <ul>
      {items.slice(0, LISTED).map((item, index) => (
        <li key={index}>
          <bdi>{item}</bdi>
        </li>
      ))}
      {more > 0 && <li>{t('values.more', { count: more })}</li>}
    </ul>
  );
}
