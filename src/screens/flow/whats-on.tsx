import { durationOf } from '#base/duration.ts';
import { isPublishedAt, whyNotReachable } from '#rules/product.ts';
import type { Of } from '#schema/index.ts';
import { useList, useRecord } from '#data/react/hooks.ts';
import { Note } from '#ui/status/boxes.tsx';
import { NotifyWhenBuilt } from './notify-when-built.tsx';
import { Icon } from '#ui/picture/icon.tsx';
import { Dot, RelativeTime } from '#ui/value/values.tsx';
import { useText, useTextOf } from '#ui/text/text.ts';
import { CopyButton } from '#ui/form/copy-button.tsx';

/** So many of the newest builds say how long the next one takes. */
const NEWEST = 5;

interface StepProps {
  /** The step that is waited for; null when that is not known here. */
  readonly ahead: Of<'productTransition'> | null;
  readonly isAutomatic: boolean;
}

/** Says whom or what the step is waiting for, to those who have nothing to do. */
export function WaitsFor({ ahead, isAutomatic }: StepProps) {
  const t = useText();
  const names = ahead?.allowedUserNames ?? '';
  if (isAutomatic) return <Note tone="info">{t('flow.works')}</Note>;
  return (
    <Note tone="info">
      {names === '' ? t('flow.waitsForOthers') : t('flow.waitsFor', { names })}
    </Note>
  );
}

/** The build and the publication that run now, with what the engine says of them. */
export function Running({ product }: { readonly product: string }) {
  const t = useText();
  const builds = useList('productBuild', { product, success: { isNull: true } });
  const publications = useList('productPublication', { product, success: { isNull: true } });
  return (
    <>
      {builds.rows.map((build) => (
        <section key={build.id} aria-label={t('flow.running')}>
          <h2>{t('flow.building')}</h2>
          <Phase phase={build.phase} ahead={build.queuePosition} />
          {build.dateStarted !== null && <SoFar product={product} since={build.dateStarted} />}
          <NotifyWhenBuilt build={build} />
          {build.logTail !== null && (
            <pre className="log-tail" role="region" tabIndex={0} aria-label={t('files.log')}>
              {build.logTail}
            </pre>
          )}
        </section>
      ))}
      {publications.rows.map(({ id, phase }) => (
        <section key={id} aria-label={t('flow.running')}>
          <h2>{t('flow.publishing')}</h2>
          <Phase phase={phase} ahead={null} />
        </section>
      ))}
    </>
  );
}

interface SoFarProps {
  readonly product: string;
  readonly since: string;
}

/** Says how long a build has taken so far, and how long those before it took. */
function SoFar({ product, since }: SoFarProps) {
  const t = useText();
  const { rows } = useList('productBuild', { product, success: true }, { sort: '-dateCreated' });
  const usualMs = usualMsOf(rows);
  return (
    <p className="soft">
      {t('builds.soFar')} <RelativeTime at={since} isSpan />
      {usualMs !== null && (
        <>
          <Dot />
          {t('flow.usually', { duration: durationOf(usualMs) })}
        </>
      )}
    </p>
  );
}

/** The median of how long the first builds took, in ms; null: none says. */
function usualMsOf(builds: readonly Of<'productBuild'>[]): number | null {
  const took = builds
    .flatMap(({ dateStarted, dateFinished }) =>
      dateStarted === null || dateFinished === null
        ? []
        : [Date.parse(dateFinished) - Date.parse(dateStarted)],
    )
    .slice(0, NEWEST)
    .sort((a, b) => a - b);
  return took[Math.floor(took.length / 2)] ?? null;
}

interface PhaseProps {
  readonly phase: string | null;
  readonly ahead: number | null;
}

/** Says how far the engine is. */
export function Phase({ phase, ahead }: PhaseProps) {
  const t = useText();
  const textOf = useTextOf();
  const known = phase ?? 'initialized';
  return (
    <p role="status">
      <Icon name="gear" /> {textOf(`flow.phase.${known}`, known)}
      {ahead !== null && ahead > 0 && (
        <>
          <Dot />
          {t('flow.queue', { count: ahead })}
        </>
      )}
    </p>
  );
}

/** Says when and where the product came out. */
export function Outcome({ product }: { readonly product: Of<'product'> }) {
  const t = useText();
  const { record: project } = useRecord('project', product.project);
  const { datePublished, publishLink, versionBuilt, versionPublished } = product;
  // What was published before products said so has the version of the newest build alone.
  const version = versionPublished ?? versionBuilt;
  const isHere = isPublishedAt(location.origin, product);
  const whyNot = project !== null && isHere ? whyNotReachable(project) : null;
  return (
    <dl className="facts">
      <dt>{t('flow.publishedAt')}</dt>
      <dd>
        <RelativeTime at={datePublished} />
      </dd>
      {version !== null && (
        <>
          <dt>{t('flow.version')}</dt>
          <dd dir="auto">{version}</dd>
        </>
      )}
      {whyNot !== null && (
        <>
          <dt>{t('flow.address')}</dt>
          <dd>{t(`products.notReachable.${whyNot}`)}</dd>
        </>
      )}
      {whyNot === null && publishLink !== null && /^https?:\/\//.test(publishLink) && (
        <>
          <dt>{t('flow.address')}</dt>
          <dd>
            <a href={publishLink} target="_blank" rel="noopener noreferrer">
              {publishLink}
            </a>{' '}
            <CopyButton text={publishLink} what={t('flow.address')} />
          </dd>
        </>
      )}
    </dl>
  );
}
