import { useCallback } from 'react';
import { useText, useTextOf } from '#ui/text/text.ts';
import { useFetchFile } from '../app/page/files/use-fetch-file.ts';
import { useFind, useRecord } from '#data/react/hooks.ts';
import { RecordBadge } from '../app/page/changes/record-badge.tsx';
import { useSentCommand } from './command/use-command.ts';
import { kebab } from '#base/kebab.ts';
import { displayNameOf } from '#rules/record/display.ts';
import type { Find } from '#rules/find.ts';
import type { Of } from '#schema/index.ts';

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

interface ConsoleLinkProps {
  /** The address of the record that names the console. */
  readonly address: string;
  /** A link that leads nowhere without a connection is tied to what says so. */
  readonly needsConnection?: string | undefined;
}

/** Opens what an engine said, in a tab of its own; one of our addresses by its link. */
export function ConsoleLink({ address, needsConnection }: ConsoleLinkProps) {
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
}: Omit<ConsoleLinkProps, 'address'> & { readonly address: string | null }) {
  if (address === null) return <span className="soft">--</span>;
  return <ConsoleLink address={address} needsConnection={needsConnection} />;
}

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

/** A command as its button calls it; one that has no text as it was sent. */
export function useCommandName(): (command: string) => string {
  const textOf = useTextOf();
  return useCallback((command) => textOf(`commands.${kebab(command)}`, command), [textOf]);
}

/** Names whoever took a step; what happened by itself is the product's own doing. */
export function useNameOf(): (user: string | null) => string {
  const t = useText();
  const find = useFind();
  return useCallback(
    (id) => {
      if (id === null) return t('common.brand');
      const user = find.one('user', id);
      return user === null ? t('flow.unknownUser') : (displayNameOf(user) ?? t('users.noName'));
    },
    [t, find],
  );
}

/** A state as people call it; one that has no text as it was sent. */
export function useStateName(): (state: string) => string {
  const textOf = useTextOf();
  return useCallback((state) => textOf(`states.${kebab(state)}`, state), [textOf]);
}

/** The flow of the workflow that `product` runs, or began with; null when that is not known here. */
export function flowOf(product: Of<'product'>, find: Find): string | null {
  const definition = find.one('productDefinition', product.productDefinition);
  const id = product.productWorkflow ?? definition?.workflow ?? null;
  return id === null ? null : (find.one('workflowDefinition', id)?.workflowBusinessFlow ?? null);
}

/** The address of the task form of `product`. */
export function flowPathOf(product: Of<'product'>, find: Find): string {
  return `/flow/${encodeURIComponent(flowOf(product, find) ?? 'unknown')}/${product.id}`;
}
