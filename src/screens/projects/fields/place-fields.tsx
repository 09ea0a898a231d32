import { useViewer } from '#data/react/hooks.ts';
import { Field } from '#ui/form/field.tsx';
import { useText } from '#ui/text/text.ts';
import type { ProjectPlace } from './use-place.ts';

interface Props {
  readonly place: ProjectPlace;
  readonly onChange: (change: { readonly group: string } | { readonly type: string }) => void;
}

/** Group and type of new projects. */
export function PlaceFields({ place, onChange }: Props) {
  const { groups, types, group, type } = place;
  const t = useText();
  const viewer = useViewer();
  const isFixed = groups.length < 2 && !viewer.isSuperAdmin;
  return (
    <>
      <Field
        label={t('project.group')}
        isRequired
        help={isFixed && groups.length === 1 ? t('project.onlyGroup') : undefined}
      >
        {(tied) => (
          <select
            {...tied}
            value={group?.id ?? ''}
            disabled={isFixed}
            onChange={(event) => {
              onChange({ group: event.target.value });
            }}
          >
            {groups.length === 0 && <option>{t('project.noAvailableGroups')}</option>}
            {groups.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label={t('project.type')} isRequired>
        {(tied) => (
          <select
            {...tied}
            value={type?.id ?? ''}
            onChange={(event) => {
              onChange({ type: event.target.value });
            }}
          >
            {types.map(({ id, name, description }) => (
              <option key={id} value={id}>
                {description ?? name}
              </option>
            ))}
          </select>
        )}
      </Field>
    </>
  );
}
