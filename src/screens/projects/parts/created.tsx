import { useText } from '#ui/text/text.ts';
import { RelativeTime } from '#ui/value/values.tsx';

/** Stands in a sentence for what is more than text. */
const BETWEEN = '\0';

/** Says how long ago a project was created; nothing while that is not known. */
export function Created({ at }: { readonly at: string | null }) {
  const t = useText();
  if (at === null) return null;
  const [before, after] = t('project.created', { when: BETWEEN }).split(BETWEEN);
  return (
    <span className="fact">
      {before}
      <RelativeTime at={at} />
      {after}
    </span>
  );
}
