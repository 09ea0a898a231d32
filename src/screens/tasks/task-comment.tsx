import { useText } from '#ui/text.ts';

const ADDRESS = /(https?:\/\/[^\s<>"]+)/;

/** One of our own addresses is opened through its `/link`, which carries the permission. */
function consoleAddress(text: string): string | null {
  if (text.startsWith('/api/')) return `${text}/link`;
  return /^https?:\/\//.test(text) ? text : null;
}

/** A comment as typed, its addresses as links; the system's own in the reader's language. */
export function TaskComment({ comment }: { readonly comment: string }) {
  const t = useText();
  if (comment.startsWith('system.')) {
    const [key = '', address = ''] = comment.split(',').map((part) => part.trim());
    const opens = consoleAddress(address);
    const says = key === 'system.publish-failed' ? key : 'system.build-failed';
    return (
      <>
        {t(says)}
        {opens !== null && (
          <>
            {' · '}
            <a href={opens} target="_blank" rel="noopener noreferrer">
              {t('tasks.consoleText')}
            </a>
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
