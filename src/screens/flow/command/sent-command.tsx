import { useRecord } from '#data/react/use-record.ts';
import { useText } from '#ui/text/text.ts';
import { RecordBadge } from '../../app/page/changes/record-badge.tsx';
import { useCommandName } from './use-command-name.ts';
import { useSentCommand } from './use-command.ts';

/** Beside a task: what was given to its product and has no answer yet. */
export function SentCommand({ product }: { readonly product: string }) {
  const t = useText();
  const nameOf = useCommandName();
  const { change } = useRecord('product', product);
  const [given] = useSentCommand(product, change !== null);
  if (given === undefined || given.state === 'done') return null;
  const isWaiting = given.state === 'waiting' || given.state === 'sending';
  return (
    <span className="project-name caption">
      <RecordBadge record={product} change={change} />{' '}
      {isWaiting && `${t('sync.willBeSent')}: ${nameOf(given.typed.command)}`}
    </span>
  );
}
