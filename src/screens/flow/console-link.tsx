import { useText } from '#ui/text/text.ts';
import { useFetchFile } from '../app/page/files/use-fetch-file.ts';

interface Props {
  /** The address of the record that names the console. */
  readonly address: string;
  /** A link that leads nowhere without a connection is tied to what says so. */
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

/** A table's cell: dashes stand there where there is nothing to open yet. */
export function ConsoleOrNone({
  address,
  needsConnection,
}: Omit<Props, 'address'> & { readonly address: string | null }) {
  if (address === null) return <span className="soft">--</span>;
  return <ConsoleLink address={address} needsConnection={needsConnection} />;
}
