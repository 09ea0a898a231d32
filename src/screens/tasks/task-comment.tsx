import { useText } from '#ui/text.ts';
import { ConsoleLink } from '../products/console-link.tsx';

const ADDRESS = /(https?:\/\/[^\s<>"]+)/;

/** One of our own, or on the web: nothing that would run. */
const CONSOLE = /^(\/api\/|https?:\/\/)/;

/** A comment as typed, its addresses as links; the system's own in the reader's language. */
export function TaskComment({ comment }: { readonly comment: string }) {
  const t = useText();
  if (comment.startsWith('system.')) {
    const [key = '', address = ''] = comment.split(',').map((part) => part.trim());
    const says = key === 'system.publish-failed' ? key : 'system.build-failed';
    return (
      <>
        {t(says)}
        {CONSOLE.test(address) && (
          <>
            {' · '}
            <ConsoleLink address={address} />
          </>
        )}
      </>
    );
  }
  return (
    <bdi>
      {comment.split(ADDRESS).map((part, index) =>
        index % 2 === 1 ? (
          <a key={index} href={part} target="_blank" rel="noopener noreferrer">
            {part}
          </a>
        ) : (
          part
        ),
      )}
    </bdi>
  );
}
