import { splitAtElement } from '#ui/text/split-at-element.ts';
import { useText } from '#ui/text/text.ts';
import { RelativeTime } from '#ui/value/values.tsx';

/** Says how long ago a project was created; nothing while that is not known. */
export function Created({ at }: { readonly at: string | null }) {
  const t = useText();
  if (at === null) return null;
  const [before, after] = splitAtElement((when) => t('project.created', { when }));
  return (
    <span className="fact">
      {before}
      <RelativeTime at={at} isSpan />
      {after}
    </span>
  );
}
