import { Fragment, useCallback } from 'react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { useText, useTextOf } from '#ui/text/text.ts';
import type { TextKey } from '#ui/text/text.ts';
import { useFetchFile } from '../app/page/files/use-fetch-file.ts';
import { useFind, useList, useRecord } from '#data/react/hooks.ts';
import { RecordBadge } from '../app/page/changes/record-badge.tsx';
import { useSentCommand } from './command/use-command.ts';
import { kebab } from '#base/kebab.ts';
import { displayNameOf } from '#rules/record/display.ts';
import { lastWordOf } from '#rules/record/transitions.ts';
import { Dot, RelativeTime } from '#ui/value/values.tsx';
import type { Find } from '#rules/find.ts';
import type { Of } from '#schema/index.ts';

const ADDRESS = /(https?:\/\/[^\s<>"]+)/;

/** One of our own, or on the web: nothing that would run. */
const CONSOLE = /^(\/api\/|https?:\/\/)/;

/** The texts that the system itself says, before a comma and the address of the console. */
const OF_THE_SYSTEM = [
  'system.build-failed',
  'system.publish-failed',
  'system.rolled-back',
] as const;

/** A comment of the system: its text, and the address of the console where it names one. */
interface SystemComment {
  readonly says: (typeof OF_THE_SYSTEM)[number];
  readonly console: string | null;
}

/** Reads a comment of the system; null where a person typed it. */
export function systemCommentIn(comment: string): SystemComment | null {
  const [first = '', address = ''] = comment.split(',').map((part) => part.trim());
  const says = OF_THE_SYSTEM.find((known) => known === first);
  if (says === undefined) return null;
  return { says, console: CONSOLE.test(address) ? address : null };
}

interface TaskCommentProps {
  readonly comment: string;
  /** Why it came to that, where the system says that something failed and the device knows why. */
  readonly reason?: string | null;
  /** Id of the product that it is about, by which the log has a page. */
  readonly product?: string | null;
}

/** A comment as typed, its addresses as links; the system's own in the reader's language. */
export function TaskComment({ comment, reason = null, product = null }: TaskCommentProps) {
  const t = useText();
  const system = systemCommentIn(comment);
  if (system !== null) {
    return (
      <>
        {t(system.says)}
        {reason !== null && (
          <>
            <Dot />
            <bdi>{reason}</bdi>
          </>
        )}
        {system.console !== null && (
          <>
            <Dot />
            <ConsoleLink address={system.console} page={logPageAt(system.console, product)} />
          </>
        )}
      </>
    );
  }
  return (
    <bdi>
      <LinkedText text={comment}>{(part) => part}</LinkedText>
    </bdi>
  );
}

interface LinkedTextProps {
  readonly text: string;
  /** Shows a part that is no address. */
  readonly children: (part: string) => ReactNode;
}

/** A text that somebody else wrote, its addresses on the web as links. */
export function LinkedText({ text, children }: LinkedTextProps) {
  return text.split(ADDRESS).map((part, index) =>
    index % 2 === 1 ? (
      <a key={index} href={part} target="_blank" rel="noopener noreferrer">
        {part}
      </a>
    ) : (
      <Fragment key={index}>{children(part)}</Fragment>
    ),
  );
}

/** Says who wrote the comment of a task and when, once the product's history is on this device. */
export function SaidBy({
  product,
  comment,
}: {
  readonly product: string;
  readonly comment: string;
}) {
  const word = lastWordOf(useList('productTransition', { product }).rows);
  if (word?.comment !== comment) return null;
  return (
    <span className="caption">
      <WordBy word={word} />
    </span>
  );
}

interface WordByProps {
  readonly word: Pick<Of<'productTransition'>, 'workflowUserId' | 'dateTransition'>;
}

/** Says who said a word, and how long ago. */
export function WordBy({ word }: WordByProps) {
  const nameOf = useNameOf();
  return (
    <>
      <bdi>{nameOf(word.workflowUserId)}</bdi>
      <Dot />
      <RelativeTime at={word.dateTransition} />
    </>
  );
}

/** Returns the newest build of a product that is on this device; null: none is. */
export function useNewestBuild(product: string | null): Of<'productBuild'> | null {
  const { rows } = useList('productBuild', { product: product ?? '' }, { sort: '-dateCreated' });
  return rows[0] ?? null;
}

/** Returns the address of the page that shows the log of a build. */
export const logPageOf = (product: string, build: string): string =>
  `/products/${product}/builds/${build}/log`;

/**
 * Returns the page that shows what is at one of our addresses of consoles; null: none does.
 *
 * @param build the build that was published, where the address may be of a publication
 */
export function logPageAt(
  address: string | null,
  product: string | null,
  build: string | null = null,
): string | null {
  const [, type, id = ''] =
    /^\/api\/product-(builds|publications)\/([\w-]+)\/console$/.exec(address ?? '') ?? [];
  if (product === null || type === undefined) return null;
  if (type === 'builds') return logPageOf(product, id);
  return build === null ? null : `${logPageOf(product, build)}?publication=${id}`;
}

interface ConsoleLinkProps {
  /** The address of the record that names the console. */
  readonly address: string;
  /** The page that shows it, where there is one: it needs no connection to be opened. */
  readonly page?: string | null;
  /** A link that leads nowhere without a connection is tied to what says so. */
  readonly needsConnection?: string | undefined;
  /** What it is called; the console text unless said otherwise. */
  readonly label?: TextKey;
}

/** Opens what an engine said: on our page, or in a tab of its own, one of our addresses by its link. */
export function ConsoleLink({
  address,
  page = null,
  needsConnection,
  label = 'tasks.consoleText',
}: ConsoleLinkProps) {
  const t = useText();
  const open = useFetchFile('show');
  if (page !== null) return <Link to={page}>{t(label)}</Link>;
  if (!address.startsWith('/api/'))
    return /^https?:\/\//.test(address) ? (
      <a href={address} target="_blank" rel="noopener noreferrer">
        {t(label)}
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
      {t(label)}
    </button>
  );
}

/** A table's cell: dashes stand there where there is nothing to open yet. */
export function ConsoleOrNone({
  address,
  ...rest
}: Omit<ConsoleLinkProps, 'address'> & { readonly address: string | null }) {
  if (address === null) return <span className="soft">--</span>;
  return <ConsoleLink address={address} {...rest} />;
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

/** Says that a command was carried out; of one that has no text, by its name. */
export function useCommandDone(): (command: string) => string {
  const t = useText();
  const textOf = useTextOf();
  return useCallback(
    (command) => textOf(`flow.given.${kebab(command)}`, t('flow.done', { command })),
    [textOf, t],
  );
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
