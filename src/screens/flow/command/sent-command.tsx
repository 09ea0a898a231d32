import { useRecord } from '#data/react/hooks.ts';
import { useText } from '#ui/text/text.ts';
import { RecordBadge } from '../../app/page/changes/record-badge.tsx';
import { useCommandName } from './use-command-name.ts';
import { useSentCommand } from './use-command.ts';

/** Shows beside a task the command that was sent to its product and has no answer yet. */
export function SentCommand({ product }: { readonly product: string }) {
  const t = useText();
  const nameOf = useCommandName();
  const { change } = useRecord('product', product);
  const [sent] = useSentCommand(product, change !== null);
  if (sent === undefined || sent.state === 'done') return null;
  const isWaiting = sent.state === 'waiting' || sent.state === 'sending';
  return (
    <span className="project-name caption">
      <RecordBadge record={product} change={change} />{' '}
      {isWaiting && `${t('sync.willBeSent')}: ${nameOf(sent.typed.command)}`}
    </span>
  );
}
