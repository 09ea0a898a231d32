import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { ActivityKind } from '#protocol/activity.ts';

/** A line as its source has it. */
export interface ActivityRow {
  readonly id: string;
  readonly kind: ActivityKind;
  readonly at: string;
  readonly actor: string | null;
  readonly product: string | null;
  readonly subject_type: string | null;
  readonly subject_id: string | null;
  readonly subject_name: string | null;
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
  readonly text: string | null;
  readonly details: Readonly<Record<string, unknown>> | null;
}

/** A moment and the id of a line: what is told next is before it. */
export interface ActivityCursor {
  readonly at: string;
  readonly id: string;
}

/** The lines that are looked for. */
interface ActivityWanted {
  readonly project: string;
  /** Null: of all products, and of the project itself. */
  readonly product: string | null;
  readonly kinds: ReadonlySet<ActivityKind>;
  readonly before: ActivityCursor | null;
  readonly most: number;
  /** True if the reader works on the project, and so may know of its reviewers. */
  readonly isOfTeam: boolean;
}

type Statement = RawBuilder<ActivityRow>;

interface ActivitySource {
  readonly kinds: readonly ActivityKind[];
  /** True if it tells of the project alone, and nothing of a product. */
  readonly isOfProjectAlone: boolean;
  /** The newest `most` lines that are wanted, newest first. */
  readonly read: (wanted: ActivityWanted) => Statement;
}

/** A text is enough to know it by; the record has the whole. */
const LONGEST_TEXT = 500;
/** The beginning of a mention at the end of what was cut, which would show a part of an id. */
const HALF_MENTION = '@(\\[[0-9a-f-]*)?$';

const cut = (column: RawBuilder<unknown>) => sql`case
  when char_length(${column}) > ${LONGEST_TEXT}::integer
  then regexp_replace(left(${column}, ${LONGEST_TEXT}::integer), ${HALF_MENTION}::text, '') || '…'
  else ${column} end`;

interface Columns {
  readonly id: RawBuilder<unknown>;
  readonly kind: RawBuilder<unknown>;
  readonly at: RawBuilder<unknown>;
  readonly actor?: RawBuilder<unknown>;
  readonly product?: RawBuilder<unknown>;
  readonly subjectType?: RawBuilder<unknown>;
  readonly subjectId?: RawBuilder<unknown>;
  readonly subjectName?: RawBuilder<unknown>;
  readonly before?: RawBuilder<unknown>;
  readonly after?: RawBuilder<unknown>;
  readonly text?: RawBuilder<unknown>;
  readonly details?: RawBuilder<unknown>;
}

const NONE = sql`null`;
const NOTHING = {
  ...{ actor: NONE, product: NONE, subjectType: NONE, subjectId: NONE, subjectName: NONE },
  ...{ before: NONE, after: NONE, text: NONE, details: NONE },
};

/** The newest lines of `from`, of those that are wanted. */
function newest(
  { before, most, kinds }: ActivityWanted,
  stated: Columns,
  from: RawBuilder<unknown>,
): Statement {
  const columns = { ...NOTHING, ...stated };
  const { at } = columns;
  const id = sql`(${columns.id})::text collate "C"`;
  const isBefore =
    before === null
      ? sql`true`
      : sql`${at} <= ${before.at}::timestamptz
          and (${at} < ${before.at}::timestamptz or ${id} < ${before.id})`;
  return sql<ActivityRow>`select ${id} as id, ${columns.kind} as kind, ${at} as at,
      ${columns.actor}::uuid as actor, ${columns.product}::uuid as product,
      ${columns.subjectType}::text as subject_type,
      ${columns.subjectId}::uuid as subject_id,
      ${columns.subjectName}::text as subject_name,
      ${columns.before}::jsonb as before, ${columns.after}::jsonb as after,
      ${columns.text}::text as text, ${columns.details}::jsonb as details
    ${from} and ${isBefore} and ${columns.kind} = any(${[...kinds]}::text[])
    order by ${at} desc, ${id} desc limit ${most}`;
}

/** The newest lines of each product of the project, by an index of the product's. */
function ofEachProduct(
  wanted: ActivityWanted,
  columns: Columns,
  from: RawBuilder<unknown>,
): Statement {
  const { project, product, most } = wanted;
  const isWanted = product === null ? sql`true` : sql`products.id = ${product}::uuid`;
  return sql<ActivityRow>`select line.* from products cross join lateral (
      ${newest(wanted, { ...columns, product: sql`products.id` }, from)}) as line
    where products.project_id = ${project}::uuid and ${isWanted}
    order by line.at desc, line.id desc limit ${most}`;
}

const constant = (kind: ActivityKind) => sql`${kind}::text`;

/** Without an event of it, as before such events were kept, a project tells when it was made. */
const creation = (wanted: ActivityWanted): Statement =>
  newest(
    wanted,
    {
      id: sql`project.id`,
      kind: constant('project-created'),
      at: sql`project.date_created`,
      subjectType: sql`'projects'`,
      subjectId: sql`project.id`,
    },
    sql`from projects project where project.id = ${wanted.project}::uuid and not exists (
      select from audit_events where subject_id = project.id and kind = 'project-created')`,
  );

const EVENT: Columns = {
  id: sql`event.id`,
  kind: sql`event.kind`,
  at: sql`event.at`,
  actor: sql`event.actor_id`,
  subjectType: sql`event.subject_type`,
  subjectId: sql`event.subject_id`,
  before: sql`event.before`,
  after: sql`event.after`,
};

const projectSettings = (wanted: ActivityWanted): Statement =>
  newest(
    wanted,
    EVENT,
    sql`from audit_events event
      where event.subject_id = ${wanted.project}::uuid and event.subject_type = 'projects'`,
  );

const productSettings = (wanted: ActivityWanted): Statement =>
  ofEachProduct(
    wanted,
    EVENT,
    sql`from audit_events event
      where event.subject_id = products.id and event.subject_type = 'products'`,
  );

/** Of the person who is the subject, the log has the name as it was: that is not read. */
const authors = (wanted: ActivityWanted): Statement =>
  newest(
    wanted,
    { ...EVENT, before: sql`null`, after: sql`null` },
    sql`from audit_events event where event.kind in ('author-added', 'author-removed')
      and (coalesce(event.before, event.after) ->> 'project') = ${wanted.project}::text`,
  );

const uploads = (wanted: ActivityWanted): Statement =>
  newest(
    wanted,
    {
      id: sql`'upload-' || lpad(upload.number::text, 12, '0')`,
      kind: constant('uploaded'),
      at: sql`upload.uploaded_at`,
      actor: sql`upload.uploaded_by`,
      details: sql`jsonb_build_object('number', upload.number, 'filename', upload.filename,
        'is-sample', upload.is_sample, 'restored', upload.restored_number)`,
    },
    sql`from repository_uploads upload where upload.project_id = ${wanted.project}::uuid`,
  );

const steps = (wanted: ActivityWanted): Statement =>
  ofEachProduct(
    wanted,
    {
      id: sql`step.id`,
      kind: sql`case when step.transition_type = 1 then 'step'
        when step.transition_type = 4 then 'cancelled'
        when step.workflow_type = 1 then 'product-added' else 'republish-started' end`,
      at: sql`step.date_transition`,
      actor: sql`step.workflow_user_id`,
      text: cut(sql`step.comment`),
      details: sql`jsonb_build_object('state', step.initial_state, 'command', step.command)`,
    },
    sql`from product_transitions step
      where step.product_id = products.id and step.date_transition is not null
        and (step.transition_type = 1 and step.workflow_user_id is not null
          or step.transition_type = 4
          or step.transition_type = 2 and step.workflow_type in (1, 3))`,
  );

const builds = (wanted: ActivityWanted): Statement =>
  ofEachProduct(
    wanted,
    {
      id: sql`build.id`,
      kind: constant('built'),
      at: sql`build.date_created`,
      actor: sql`build.started_by_id`,
      details: sql`jsonb_build_object('version', build.build_version, 'success', build.success,
        'phase', build.phase)`,
    },
    sql`from product_builds build where build.product_id = products.id`,
  );

const publications = (wanted: ActivityWanted): Statement =>
  ofEachProduct(
    wanted,
    {
      id: sql`publication.id`,
      kind: constant('published'),
      at: sql`publication.date_created`,
      details: sql`jsonb_build_object('success', publication.success,
        'channel', publication.channel, 'version', coalesce(publication.release_version,
          (select build_version from product_builds
            where product_builds.id = publication.product_build_id)))`,
    },
    sql`from product_publications publication where publication.product_id = products.id`,
  );

const comments = (wanted: ActivityWanted): Statement =>
  ofEachProduct(
    wanted,
    {
      id: sql`comment.id`,
      kind: constant('commented'),
      at: sql`comment.date_created`,
      actor: sql`comment.user_id`,
      text: cut(sql`comment.text`),
      details: sql`jsonb_build_object('is-edited', comment.date_updated > comment.date_created)`,
    },
    sql`from product_comments comment where comment.product_id = products.id`,
  );

const removals = (wanted: ActivityWanted): Statement => {
  const { project, product, isOfTeam } = wanted;
  return newest(
    wanted,
    {
      id: sql`stone.id`,
      kind: constant('removed'),
      at: sql`stone.at`,
      actor: sql`stone.by`,
      product: sql`stone.product_id`,
      subjectType: sql`stone.type`,
      subjectId: sql`stone.id`,
      subjectName: sql`stone.name`,
    },
    sql`from tombstones stone where stone.project_id = ${project}::uuid
      and (${isOfTeam}::boolean or stone.type <> 'reviewer')
      and (${product}::uuid is null or stone.product_id = ${product}::uuid)`,
  );
};

/** Every place from which a timeline is told, each with the kinds that it has. */
export const activitySources: readonly ActivitySource[] = [
  { kinds: ['project-created'], isOfProjectAlone: true, read: creation },
  {
    kinds: ['project-created', 'settings-changed', 'owner-changed'],
    isOfProjectAlone: true,
    read: projectSettings,
  },
  { kinds: ['settings-changed'], isOfProjectAlone: false, read: productSettings },
  { kinds: ['author-added', 'author-removed'], isOfProjectAlone: true, read: authors },
  { kinds: ['uploaded'], isOfProjectAlone: false, read: uploads },
  {
    kinds: ['product-added', 'republish-started', 'step', 'cancelled'],
    isOfProjectAlone: false,
    read: steps,
  },
  { kinds: ['built'], isOfProjectAlone: false, read: builds },
  { kinds: ['published'], isOfProjectAlone: false, read: publications },
  { kinds: ['commented'], isOfProjectAlone: false, read: comments },
  { kinds: ['removed'], isOfProjectAlone: false, read: removals },
];
