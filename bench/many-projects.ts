import pg from 'pg';

/**
 * An installation with very many projects of many organizations, on PostgreSQL: filled by SQL and
 * without news, as if they had been there before every device's first load.
 */

export const ORGANIZATIONS = 50;
const GROUPS_OF_EACH = 4;
const PEOPLE_OF_EACH = 12;

/** One project in a thousand has this word in its name. */
export const RARE = 'quillwort';
/** One in five has this one. */
export const COMMON = 'stories';
/** One in a hundred is in it. */
export const RARE_LANGUAGE = 'quz-PE';

const MADE = `1, moment, moment`;
const COLUMNS = 'id, version, date_created, date_updated';

/** Fills the migrated database at `databaseUrl` with `projects` projects, half of them public. */
export async function fillInstallation(databaseUrl: string, projects: number): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('begin');
    for (const statement of STATEMENTS) await client.query(statement);
    await client.query(PROJECTS, [projects]);
    for (const statement of PRODUCTS) await client.query(statement);
    await client.query('commit');
    // As the database does by itself once so much was inserted.
    await client.query('vacuum (analyze)');
  } finally {
    await client.end();
  }
}

const STATEMENTS = [
  `insert into users (${COLUMNS}, name, name_key, display_name_key, email, email_key,
      profile_visibility, email_notification, is_locked, auth_id, auth_id_key)
    select md5('user ' || n)::uuid, ${MADE}, name, lower(name), lower(name), email, email,
      1, true, false, email, email
    from generate_series(1, ${ORGANIZATIONS * PEOPLE_OF_EACH}) as n,
      lateral (select timestamptz '2024-01-01' + n * interval '1 hour' as moment,
        (array['Amina', 'Bjørn', 'Chiara', 'Diego', 'Esi', 'Farid', 'Grace', 'Hiroko'])[n * 7 % 8 + 1]
          || ' ' || (array['Okoro', 'Lindqvist', 'Moreau', 'Quispe', 'Tanaka'])[n % 5 + 1]
          || ' ' || n as name,
        'person' || n || '@many.test' as email) as made`,
  `insert into organizations (${COLUMNS}, name, name_key, public_by_default,
      use_default_build_engine, owner_id)
    select md5('organization ' || n)::uuid, ${MADE}, name, lower(name), true, true,
      md5('user ' || n * ${PEOPLE_OF_EACH})::uuid
    from generate_series(1, ${ORGANIZATIONS}) as n,
      lateral (select timestamptz '2024-03-01' + n * interval '1 hour' as moment,
        (array['North', 'River', 'Mountain', 'Island', 'Desert'])[n % 5 + 1]
          || ' Translators ' || n as name) as made`,
  `insert into organization_memberships (${COLUMNS}, user_id, organization_id, date_accepted)
    select md5('membership ' || n)::uuid, ${MADE}, md5('user ' || n)::uuid,
      md5('organization ' || (n - 1) / ${PEOPLE_OF_EACH} + 1)::uuid, moment
    from generate_series(1, ${ORGANIZATIONS * PEOPLE_OF_EACH}) as n,
      lateral (select timestamptz '2024-04-01' + n * interval '1 hour' as moment) as made`,
  `insert into groups (${COLUMNS}, name, name_key, abbreviation, abbreviation_key, owner_id)
    select md5('group ' || n)::uuid, ${MADE}, name, lower(name), 'G' || n, 'g' || n,
      md5('organization ' || (n - 1) / ${GROUPS_OF_EACH} + 1)::uuid
    from generate_series(1, ${ORGANIZATIONS * GROUPS_OF_EACH}) as n,
      lateral (select timestamptz '2024-05-01' + n * interval '1 hour' as moment,
        (array['Highlands', 'Coast', 'Valley', 'Cities'])[n % 4 + 1] || ' ' || n as name) as made`,
  `insert into group_memberships (${COLUMNS}, user_id, group_id)
    select md5('in group ' || n)::uuid, ${MADE}, md5('user ' || n)::uuid,
      md5('group ' || (n - 1) / ${PEOPLE_OF_EACH} * ${GROUPS_OF_EACH} + n % ${GROUPS_OF_EACH} + 1)::uuid
    from generate_series(1, ${ORGANIZATIONS * PEOPLE_OF_EACH}) as n,
      lateral (select timestamptz '2024-05-01' + n * interval '1 hour' as moment) as made`,
];

/** Large organizations have more: half of all projects are in a tenth of them. */
const PROJECTS = `
  insert into projects (${COLUMNS}, name, name_key, language, language_key, description, is_public,
      allow_downloads, automatic_builds, date_archived, date_active, organization_id, group_id,
      type_id, owner_id)
    select md5('project ' || n)::uuid, 1, moment, moment + n % 97 * interval '1 day', name,
      lower(name), language, lower(language),
      repeat('Stories for reading aloud, with pictures. ', n % 11), n % 2 = 0, true, false,
      case when n % 10 = 3 then moment end, case when n % 3 = 0 then moment + interval '3 hours' end,
      md5('organization ' || organization)::uuid,
      md5('group ' || (organization - 1) * ${GROUPS_OF_EACH} + hash % ${GROUPS_OF_EACH} + 1)::uuid,
      (select id from application_types order by name limit 1),
      md5('user ' || (organization - 1) * ${PEOPLE_OF_EACH} + hash % ${PEOPLE_OF_EACH} + 1)::uuid
    from generate_series(1, $1::integer) as n,
      lateral (select abs(hashint4(n)) as hash) as hashed,
      lateral (select timestamptz '2025-01-01' + n * interval '5 minutes' as moment,
        case when hash % 2 = 0 then hash / 2 % (${ORGANIZATIONS} / 10) else hash / 2 % ${ORGANIZATIONS}
          end + 1 as organization,
        case when n % 100 = 4 then '${RARE_LANGUAGE}' else
          (array['en-US', 'es-419', 'fr-FR', 'sw', 'hi', 'am-ET', 'qu', 'pt-BR', 'id', 'tpi'])[hash / 7 % 10 + 1]
          end as language,
        (array['Harbor', 'Lantern', 'Orchard', 'Psalms', 'River', 'Songs', 'Valley', 'Winter'])[hash / 11 % 8 + 1]
          || case when n % 1000 = 8 then ' ${RARE}' else '' end
          || case when hash / 13 % 5 = 0 then ' stories ' else ' reader ' end
          || substr(md5(n::text), 1, 6) as name) as made`;

/** Each project has a product, one in three a second one; most were built. */
const PRODUCTS = ['first', 'second'].map(
  (which, index) => `
  insert into products (${COLUMNS}, project_id, product_definition_id, date_built, version_built,
      version_built_key)
    select md5('${which} product ' || projects.id)::uuid, 1, date_created, date_updated, id,
      (select id from product_definitions order by name, id limit 1 offset ${index}),
      case when is_built then date_updated end, case when is_built then '1.0.' || number end,
      case when is_built then '1.0.' || number end
    from projects, lateral (select abs(hashtext(id::text)) as number) as hashed,
      lateral (select number % 5 > 0 as is_built) as built
    where organization_id in
        (select md5('organization ' || n)::uuid from generate_series(1, ${ORGANIZATIONS}) as n)
      ${index === 0 ? '' : 'and number % 3 = 0'}`,
);
