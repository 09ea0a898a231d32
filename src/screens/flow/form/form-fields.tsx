import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { isBundled } from '#protocol/file-paths.ts';
import type { TaskField } from '#protocol/task-forms.ts';
import { platformOf } from '#rules/platform.ts';
import { displayNameOf } from '#rules/record/display.ts';
import type { Of } from '#schema/index.ts';
import { useRecord } from '#data/react/hooks.ts';
import { LanguageName } from '#ui/value/values.tsx';
import { useText } from '#ui/text/text.ts';
import { CopyButton } from '#ui/form/copy-button.tsx';

/** Stands where nothing is stated. */
const EMPTY = '--';

interface Props {
  readonly product: Of<'product'>;
  readonly project: Of<'project'>;
  readonly fields: readonly TaskField[];
}

/** Shows what a form says of the product and its project, to be read only. */
export function FormFields({ product, project, fields }: Props) {
  const t = useText();
  const values = useValues(product, project);
  const { record: definition } = useRecord('productDefinition', product.productDefinition);
  // No other store has languages: the field would stay empty for ever.
  const isAndroid = platformOf(definition?.name ?? '') === 'android';
  const shown = fields.filter((field) => field !== 'store-language' || isAndroid);
  return (
    <dl className="facts flow-facts">
      {shown.map((field) => (
        <div className="fact-pair" key={field}>
          <dt>{t(`flow.field.${field}`)}</dt>
          <dd dir="auto">{values[field] ?? EMPTY}</dd>
        </div>
      ))}
    </dl>
  );
}

function useValues(product: Of<'product'>, project: Of<'project'>) {
  const { record: definition } = useRecord('productDefinition', product.productDefinition);
  const { record: type } = useRecord('applicationType', project.type);
  const { record: store } = useRecord('store', product.store);
  const { record: listing } = useRecord('storeLanguage', product.storeLanguage);
  const values: Readonly<Record<TaskField, ReactNode>> = {
    'project-name': (
      <Link to={`/projects/${project.id}`}>
        <bdi>{project.name}</bdi>
      </Link>
    ),
    'project-description': filled(project.description),
    store: calledInFull(store),
    'store-language': listing === null ? null : [calledInFull(listing), listing.name].join(' – '),
    product: filled(definition?.name),
    'application-type': calledInFull(type),
    language: <LanguageName tag={project.language} />,
    ...useOwner(project),
    'repository-url': project.location === null ? null : <Repository project={project} />,
  };
  return values;
}

function useOwner({ owner }: Of<'project'>) {
  const t = useText();
  const { record: user } = useRecord('user', owner);
  const email = filled(user?.email);
  return {
    'user-name': user === null ? null : (displayNameOf(user) ?? t('users.noName')),
    'user-email':
      email === null ? null : <Address text={email} what={t('flow.field.user-email')} />,
  };
}

interface Described {
  readonly name: string | null;
  readonly description: string | null;
}

const calledInFull = (one: Described | null): string | null =>
  filled(one?.description) ?? filled(one?.name);

function filled(text: string | null | undefined): string | null {
  return text === null || text === undefined || text.trim() === '' ? null : text;
}

function Address({ text, what }: { readonly text: string; readonly what: string }) {
  return (
    <>
      <bdi>{text}</bdi> <CopyButton text={text} what={what} />
    </>
  );
}

/**
 * Its address, and the page where content goes in and out. That of the bundled engine is no address
 * for people.
 */
function Repository({ project }: { readonly project: Of<'project'> }) {
  const t = useText();
  const address = project.location ?? '';
  return (
    <>
      {!isBundled(address) && <Address text={address} what={t('flow.field.repository-url')} />}
      <div>
        <Link to={`/projects/${project.id}`}>{t('flow.toProject')}</Link>
      </div>
    </>
  );
}
