-- Builds say what made them, and products what state they are in (decision 57). What can still be
-- found out is filled in; `version` and `date_updated` stay, for devices load such records anew anyway.

alter table product_builds
  add column triggered_by text
    check (triggered_by in ('person', 'upload', 'rebuild', 'retry')),
  add column started_by_id uuid references users (id),
  add column date_started timestamptz,
  add column date_finished timestamptz,
  add column file_size bigint;

alter table products
  add column waiting_for text check (waiting_for in ('owner', 'authors', 'admins')),
  add column assigned_id uuid references users (id),
  add column failure text check (failure in ('build', 'release', 'rejected')),
  add column failure_reason text,
  add column version_published text,
  add column version_published_key text collate "C";

-- When the bundled engine took the build up.
alter table engine_builds add column started timestamptz;

-- The result is the last that is written of a build, so its date is the end. A build and the step
-- that led to it were written in one transaction: of a workflow that begins with a build, history
-- has the start alone, and of an upload a row beside that.
update product_builds build set
  date_finished = case when build.success is not null then build.date_updated end,
  file_size = (
    select sum(file_size) from product_artifacts
    where product_build_id = build.id and artifact_type not in ('consoleText', 'cloudWatch')
  ),
  triggered_by = cause.word,
  started_by_id = (select id from users where users.id = cause.person)
from (
  select made.id,
    case step.transition_type
      when 2 then case when upload.workflow_user_id is null then 'rebuild' else 'upload' end
      when 1 then case when (
        select success from product_builds older
        where older.product_id = made.product_id
          and (older.date_created, older.id) < (made.date_created, made.id)
        order by older.date_created desc, older.id desc limit 1
      ) is false then 'retry' else 'person' end
    end as word,
    case step.transition_type
      when 2 then coalesce(upload.workflow_user_id, step.workflow_user_id)
      else step.workflow_user_id
    end as person
  from product_builds made
  left join lateral (
    select transition_type, workflow_user_id from product_transitions
    where product_id = made.product_id
      and date_transition >= made.date_created
      and date_transition < made.date_created + interval '1 second'
      and (transition_type = 2 or transition_type = 1
        and destination_state in ('Product Build', 'Product Rebuild', 'Product Republish'))
    order by transition_type, date_transition limit 1
  ) step on true
  left join lateral (
    select workflow_user_id from product_transitions
    where product_id = made.product_id
      and date_transition >= made.date_created
      and date_transition < made.date_created + interval '1 second'
      and transition_type = 5 and initial_state = 'Project Upload'
    order by date_transition limit 1
  ) upload on step.transition_type = 2
) cause
where cause.id = build.id;

update products set
  version_published = known.build_version,
  version_published_key = known.build_version_key,
  waiting_for = known.waiting_for,
  assigned_id = known.assigned_id,
  failure = known.failure,
  -- As short as the code makes it.
  failure_reason = case
    when char_length(known.reason) > 250 then left(known.reason, 249) || '…'
    else known.reason
  end
from (
  select product.id, released.build_version, released.build_version_key, wait.waiting_for,
    case when wait.waiting_for is not null then (
      select assigned_id from user_tasks task
      where task.product_id = product.id and assigned_id is not null limit 1
    ) end as assigned_id,
    last.failure,
    -- The first line that says something.
    rtrim((regexp_match(
      case last.failure
        when 'build' then (
          select error from product_builds build where build.product_id = product.id
          order by date_created desc, id desc limit 1
        )
        when 'release' then (
          select error from product_publications publication
          where publication.product_id = product.id
          order by date_created desc, id desc limit 1
        )
        when 'rejected' then last.comment
      end, '\S[^\r\n]*'
    ))[1]) as reason
  from products product
  left join lateral (
    select build.build_version, build.build_version_key
    from product_publications publication
    left join product_builds build on build.id = publication.product_build_id
    where publication.product_id = product.id and publication.success
      -- A result that came too late moved no workflow; one that moved it was written with the step.
      and exists (
        select from product_transitions
        where product_id = product.id and transition_type = 1
          and initial_state = 'Product Publish' and date_transition = publication.date_updated
      )
      -- A republish, which is of type 3, releases what the store says of the app, and no app.
      and (
        select workflow_type from product_transitions
        where product_id = product.id and transition_type = 2
          and date_transition <= publication.date_created
        order by date_transition desc limit 1
      ) is distinct from 3
    order by publication.date_created desc, publication.id desc limit 1
  ) released on true
  left join lateral (
    select case
      when product.workflow_state in ('Readiness Check', 'App Builder Configuration',
        'Synchronize Data', 'Verify and Publish') then 'owner'
      when product.workflow_state in ('Author Configuration', 'Author Download', 'Author Upload')
        then 'authors'
      when product.workflow_state in ('Approval', 'Approval Pending', 'App Store Preview')
        then 'admins'
      when product.workflow_state in ('Create App Store Entry', 'Make It Live') then
        case running.scheme
          when 'AppBuilders_OwnerAdmin_Android_GooglePlay' then 'owner' else 'admins'
        end
    end as waiting_for
    from running_workflows running join projects project on project.id = product.project_id
    where running.product_id = product.id and project.date_archived is null
  ) wait on true
  left join lateral (
    select comment,
      case
        when transition_type <> 1 then null
        when product.workflow_state is null and destination_state = 'Terminated' then 'rejected'
        when product.workflow_state is distinct from 'Synchronize Data'
          or destination_state is distinct from 'Synchronize Data' then null
        when comment ~ '^system\.build-failed(,|$)' then 'build'
        when comment ~ '^system\.publish-failed(,|$)' then 'release'
      end as failure
    from product_transitions
    -- Its end is noted after the step that led to it, so the newest row may not be the last step.
    where product_id = product.id and date_transition is not null
      and transition_type in (1, 2, 4)
    order by date_transition desc limit 1
  ) last on true
) known
where known.id = products.id
  and coalesce(known.build_version, known.waiting_for, known.failure) is not null;

create index on product_builds (date_created desc, id);
create index on product_builds (product_id) where success is null;
create index on product_builds (started_by_id);
create index on products (assigned_id);
create index on products (project_id) where workflow_state is not null;
create index on products (project_id) where waiting_for is not null;
create index on products (project_id) where failure is not null;
