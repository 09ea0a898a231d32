import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router-dom';
import type { ActivityEvent } from '#protocol/activity.ts';
import type { Of } from '#schema/index.ts';
import { useChanges, useFind, useList } from '#data/react/hooks.ts';
import { Avatar } from '#ui/picture/avatar.tsx';
import { useText } from '#ui/text/text.ts';
import { Dot, RelativeTime } from '#ui/value/values.tsx';
import { useNameOf } from '../flow/task.tsx';
import { useActivityWords } from './activity-words.tsx';
import { CommentLine, CommentText } from './comment-line.tsx';
import './activity.css';

interface Props {
  readonly project: Of<'project'>;
  readonly events: readonly ActivityEvent[];
  /** The comments of the device that are in view. */
  readonly comments: readonly Of<'productComment'>[];
  /**
   * Comments that no event tells, those that only this device has, are shown from this moment on;
   * null: all of them.
   */
  readonly since: string | null;
}

/** The lines of a timeline: who did what to which product, and when. */
export function ActivityList({ project, events, comments, since }: Props) {
  const t = useText();
  const find = useFind();
  const changes = useChanges().rows;
  const { hash } = useLocation();
  const sought = hash.startsWith(ANCHOR) ? hash.slice(ANCHOR.length) : null;
  const known = new Map(comments.map((comment) => [comment.id, comment]));
  const told = new Set(events.map(({ id }) => id));
  const changed = new Set(
    changes.flatMap(({ about }) => (about.type === 'productComment' ? about.id : [])),
  );
  // What only this device has is shown whenever it was written: nobody else shows it.
  const untold = comments.filter(
    ({ id, dateCreated, version }) =>
      !told.has(id) &&
      (since === null || (dateCreated ?? '') >= since || version === 0 || id === sought),
  );
  // The server tells of a comment until the removal is sent.
  const isGone = ({ id, kind }: ActivityEvent) =>
    kind === 'commented' && !known.has(id) && changed.has(id);
  const lines = [
    ...events
      .filter((event) => !isGone(event))
      .map((event) => ({ at: event.at, event, comment: known.get(event.id) ?? null })),
    ...untold.map((comment) => ({ at: comment.dateCreated ?? '', event: null, comment })),
  ].sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0));
  return (
    <ol className="activity-list" aria-label={t('activity.title')}>
      {lines.map(({ event, comment }) => {
        if (comment === null)
          return event === null ? null : (
            <EventLine key={event.id} event={event} isSought={event.id === sought} />
          );
        const name = productName(comment.product);
        return (
          <Line
            key={comment.id}
            id={`comment-${comment.id}`}
            isSought={comment.id === sought}
            actor={comment.user}
            actorName={null}
            sentence={t('activity.kinds.commented')}
            facts={[]}
            product={comment.product}
            productName={name}
            at={comment.dateCreated}
          >
            <CommentLine comment={comment} project={project} product={name} />
          </Line>
        );
      })}
    </ol>
  );

  function productName(id: string): string {
    const definition = find.one('product', id)?.productDefinition;
    return definition === undefined ? '' : (find.one('productDefinition', definition)?.name ?? '');
  }
}

interface EventLineProps {
  readonly event: ActivityEvent;
  readonly isSought: boolean;
}

function EventLine({ event, isSought }: EventLineProps) {
  const { sentenceOf, factsOf } = useActivityWords();
  const { id, kind, text } = event;
  return (
    <Line
      id={kind === 'commented' ? `comment-${id}` : undefined}
      isSought={isSought}
      actor={event.actorId}
      actorName={event.actorName}
      sentence={sentenceOf(event)}
      facts={factsOf(event)}
      product={event.productId}
      productName={event.productName}
      at={event.at}
    >
      {text !== null && text !== '' && <CommentText text={text} />}
    </Line>
  );
}

/** What the hash of an address begins with that leads to a comment. */
const ANCHOR = '#comment-';

interface LineProps {
  readonly id: string | undefined;
  /** Whether the address leads to it. */
  readonly isSought: boolean;
  readonly actor: string | null;
  /** Null: as the device knows the person. */
  readonly actorName: string | null;
  readonly sentence: string;
  readonly facts: readonly string[];
  readonly product: string | null;
  readonly productName: string | null;
  readonly at: string | null;
  readonly children: ReactNode;
}

function Line(props: LineProps) {
  const { actor, product, productName, isSought, children } = props;
  const nameOf = useNameOf();
  const line = useRef<HTMLLIElement>(null);
  useEffect(() => {
    // The line came after the page: the browser has looked for it before.
    if (isSought) line.current?.focus();
  }, [isSought]);
  return (
    <li
      ref={line}
      id={props.id}
      className={`activity-line ${isSought ? 'is-sought' : ''}`}
      tabIndex={isSought ? -1 : undefined}
    >
      <Avatar of={actor ?? 'slipway'} sidePx={28} />
      <div className="activity-what">
        <p>
          <strong>
            <bdi>{props.actorName ?? nameOf(actor)}</bdi>
          </strong>{' '}
          {props.sentence}
          {product !== null && productName !== null && (
            <>
              <Dot />
              <Link to={`/products/${product}/files`}>
                <bdi>{productName}</bdi>
              </Link>
            </>
          )}
          <Dot />
          <span className="soft">
            <RelativeTime at={props.at} />
          </span>
        </p>
        {props.facts.length > 0 && (
          <p className="activity-facts caption">
            {props.facts.map((fact) => (
              <bdi key={fact}>{fact}</bdi>
            ))}
          </p>
        )}
        {children}
      </div>
    </li>
  );
}

interface CommentsOfProps {
  readonly products: readonly string[];
  /** Those of `products` whose comments are asked for, where they are not here. */
  readonly asked: readonly string[];
  readonly children: (comments: readonly Of<'productComment'>[]) => ReactNode;
}

/** The comments on `products` that are on this device. */
export function CommentsOf({ products, asked, children }: CommentsOfProps) {
  const find = useFind();
  const comments = products.flatMap((product) => find.all('productComment', { product }));
  return (
    <>
      {asked.map((product) => (
        <Asked key={product} product={product} />
      ))}
      {children(comments)}
    </>
  );
}

/** Keeps the comments of a product up to date while it is in view. */
function Asked({ product }: { readonly product: string }) {
  useList('productComment', { product });
  return null;
}
