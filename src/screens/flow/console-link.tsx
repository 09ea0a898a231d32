import { useText } from '#ui/text/text.ts';
import { useFetchFile } from '../app/page/files/use-fetch-file.ts';

interface Props {
  /** Of the record that tells of it. */
  readonly address: string;
  /** What does not lead on without a connection is tied to what says so. */
  readonly needsConnection?: string | undefined;
}

/** Opens what an engine said, in a tab of its own; one of our addresses by its link. */
export function ConsoleLink({ address, needsConnection }: Props) {
  const t = useText();
  const open = useFetchFile('show');
  if (!address.startsWith('/api/'))
    return /^https?:\/\//.test(address) ? (
      <a href={address} target="_blank" rel="noopener noreferrer">
        {t('tasks.consoleText')}
      </a>
    ) : null;

  return (
    <button
      type="button"
      className="link-button"
      disabled={needsConnection !== undefined}
      aria-describedby={needsConnection}
      onClick={() => void open(address)}
    >
      {t('tasks.consoleText')}
    </button>
  );
}

/** In a table: where there is nothing to open yet, that stands there. */
export function ConsoleOrNone({
  address,
  needsConnection,
}: Omit<Props, 'address'> & { readonly address: string | null }) {
  if (address === null) return <span className="soft">--</span>;
  return <ConsoleLink address={address} needsConnection={needsConnection} />;
}
