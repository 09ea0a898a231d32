import { useText } from '#ui/text/text.ts';
import { ConsoleLink } from './console-link.tsx';

const ADDRESS = /(https?:\/\/[^\s<>"]+)/;

/** One of our own, or on the web: nothing that would run. */
const CONSOLE = /^(\/api\/|https?:\/\/)/;

/** The texts that the system itself says, before a comma and the address of the console. */
const OF_THE_SYSTEM = ['system.build-failed', 'system.publish-failed'] as const;

/** A comment as typed, its addresses as links; the system's own in the reader's language. */
export function TaskComment({ comment }: { readonly comment: string }) {
  const t = useText();
  const [first = '', address = ''] = comment.split(',').map((part) => part.trim());
  const key = OF_THE_SYSTEM.find((known) => known === first);
  if (key !== undefined) {
    return (
      <>
        {t(key)}
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
