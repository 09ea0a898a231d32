-- Rows of the feed and tombstones say who could see a record, as rules/scope.ts writes it, and no
-- longer what the tables of that time decided it from. Those that exist are carried over, so that
-- devices which were away hear of removals.

create function those_with(name text, ids jsonb) returns jsonb language sql as $$
  select coalesce(jsonb_agg(jsonb_build_object('set', name, 'id', id)), '[]')
  from jsonb_array_elements(ids) as id where id <> 'null'
$$;

create function any_of(audiences jsonb) returns jsonb language sql as $$
  select jsonb_build_object('is', 'anyOf', 'of', audiences)
$$;

create function audience_of(type text, facts jsonb) returns jsonb language sql as $$
  select case
    when type in ('userTask', 'notification') then
      any_of(those_with('self', jsonb_build_array(facts -> 'user')))
    when type in ('organizationInvite', 'systemStatus') then '"superAdmin"'
    when type = 'organizationMembershipInvite' then
      any_of('["superAdmin"]' || those_with('adminOf', facts -> 'organizations'))
    when type = 'projectImport' then
      any_of('["superAdmin"]' || those_with('adminOf', facts -> 'organizations')
        || those_with('self', jsonb_build_array(facts -> 'user')))
    when type = 'reviewer' then
      any_of('["superAdmin"]' || those_with('adminOf', facts -> 'organizations')
        || those_with('groups', jsonb_build_array(facts -> 'team' -> 'group'))
        || jsonb_build_object('is', 'allOf', 'of', jsonb_build_array(
          any_of(those_with('memberOf', facts -> 'organizations')),
          any_of(those_with('self', jsonb_build_array(facts -> 'team' -> 'owner')))))
        || jsonb_build_object('is', 'allOf', 'of', jsonb_build_array(
          any_of(those_with('authorIn', facts -> 'organizations')),
          any_of(those_with('self', facts -> 'team' -> 'authors')))))
    when type in ('role', 'applicationType', 'storeType', 'storeLanguage', 'store',
      'workflowDefinition', 'productDefinition') or facts -> 'isPublic' = 'true' then 'true'
    when type in ('user', 'userRole', 'organizationMembership', 'groupMembership') then
      any_of('["superAdmin"]' || those_with('memberOf', facts -> 'organizations')
        || those_with('self', jsonb_build_array(facts -> 'user')))
    else any_of('["superAdmin"]' || those_with('memberOf', facts -> 'organizations'))
  end
$$;

create function new_facts(type text, facts jsonb) returns jsonb language sql as $$
  select case when facts is not null then jsonb_build_object(
    'organizations', facts -> 'organizations',
    'user', case when type in ('user', 'userRole', 'organizationMembership', 'groupMembership',
      'userTask', 'notification') then facts -> 'user' else 'null' end,
    'audience', audience_of(type, facts))
  end
$$;

update feed set before = new_facts(type, before), after = new_facts(type, after),
  -- More of people was seen with such a row: which fields, nobody noted.
  fields = case when kind = 'sight' and type = 'user' then '["email"]' else fields end
where kind <> 'viewer';

alter table tombstones rename column scope to audience;
update tombstones set audience = audience_of(type, audience);

drop function new_facts;
drop function audience_of;
drop function any_of;
drop function those_with;
