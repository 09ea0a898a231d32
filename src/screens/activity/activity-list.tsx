import { useCallback, useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { ActivityEvent } from '#protocol/activity.ts';
import type { Of } from '#schema/index.ts';
import { useFind, useList } from '#data/react/hooks.ts';
import { Avatar } from '#ui/picture/avatar.tsx';
import { useText } from '#ui/text/text.ts';
import { RelativeTime } from '#ui/value/values.tsx';
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
  /** The products of which this device has every comment: one that is not here was removed. */
  readonly settled: ReadonlySet<string>;
}

/** The lines of a timeline: who did what to which product, and when. */
export function ActivityList({ project, events, comments, since, settled }: Props) {
  const t = useText();
  const find = useFind();
  const known = new Map(comments.map((comment) => [comment.id, comment]));
  const told = new Set(events.map(({ id }) => id));
  const untold = comments.filter(
    ({ id, dateCreated }) => !told.has(id) && (since === null || (dateCreated ?? '') >= since),
  );
  const isGone = ({ id, kind, productId }: ActivityEvent) =>
    kind === 'commented' && !known.has(id) && productId !== null && settled.has(productId);
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
          return event === null ? null : <EventLine key={event.id} event={event} />;
        const name = productName(comment.product);
        return (
          <Line
            key={comment.id}
            id={`comment-${comment.id}`}
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

function EventLine({ event }: { readonly event: ActivityEvent }) {
  const { sentenceOf, factsOf } = useActivityWords();
  const { id, kind, text } = event;
  return (
    <Line
      id={kind === 'commented' ? `comment-${id}` : undefined}
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

interface LineProps {
  readonly id: string | undefined;
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
  const { actor, product, productName, children } = props;
  const nameOf = useNameOf();
  return (
    <li id={props.id} className="activity-line">
      <Avatar of={actor ?? 'slipway'} sidePx={28} />
      <div className="activity-what">
        <p>
          <strong>
            <bdi>{props.actorName ?? nameOf(actor)}</bdi>
          </strong>{' '}
          {props.sentence}
          {product !== null && productName !== null && (
            <>
              {' · '}
              <Link to={`/products/${product}/files`}>
                <bdi>{productName}</bdi>
              </Link>
            </>
          )}{' '}
          <span className="soft">
            · <RelativeTime at={props.at} />
          </span>
        </p>
        {props.facts.map((fact) => (
          <p key={fact} className="caption">
            <bdi>{fact}</bdi>
          </p>
        ))}
        {children}
      </div>
    </li>
  );
}

interface CommentsOfProps {
  readonly products: readonly string[];
  readonly children: (
    comments: readonly Of<'productComment'>[],
    settled: ReadonlySet<string>,
  ) => ReactNode;
}

/** The comments on `products` that are on this device; those of each product are asked for. */
export function CommentsOf({ products, children }: CommentsOfProps) {
  const find = useFind();
  const [settled, setSettled] = useState<ReadonlySet<string>>(new Set());
  const settle = useCallback((product: string) => {
    setSettled((all) => new Set([...all, product]));
  }, []);
  const comments = products.flatMap((product) => find.all('productComment', { product }));
  return (
    <>
      {products.map((product) => (
        <Asked key={product} product={product} onAll={settle} />
      ))}
      {children(comments, settled)}
    </>
  );
}

interface AskedProps {
  readonly product: string;
  readonly onAll: (product: string) => void;
}

/** Keeps the comments of a product up to date while it is in view. */
function Asked({ product, onAll }: AskedProps) {
  const { state } = useList('productComment', { product });
  useEffect(() => {
    if (state === 'ready') onAll(product);
  }, [state, product, onAll]);
  return null;
}
