import { fold } from '#base/unicode.ts';
import { makesProjectsHere } from '#rules/organization.ts';
import { useOrganization } from '#session/organization.ts';
import { createProject } from '#data/actions/projects.ts';
import { useData, useList, useRecord, useViewer } from '#data/react/hooks.ts';
import { Note } from '#ui/status/boxes.tsx';
import { Switch } from '#ui/form/switch.tsx';
import { useText } from '#ui/text/text.ts';
import { FormPage } from '../app/page/form-page.tsx';
import { useForm } from '../app/page/form/use-form.ts';
import { LanguagePicker } from './fields/language-picker.tsx';
import { DescriptionField, NameField } from './fields/project-fields.tsx';
import { PlaceFields } from './fields/place-fields.tsx';
import { useBack } from './fields/use-back.ts';
import { usePlace } from './fields/use-place.ts';

/** Fields that show their own mistakes. */
const SPEAKING = ['name', 'language', 'description'];

/** `/projects/new` */
export function NewProject() {
  const organization = useOrganization();
  return organization === null ? null : (
    <NewProjectIn key={organization} organization={organization} />
  );
}

function NewProjectIn({ organization }: { readonly organization: string }) {
  const t = useText();
  const back = useBack();
  const data = useData();
  const viewer = useViewer();
  const { record: of } = useRecord('organization', organization);
  const form = useForm('new-project', {
    name: '',
    language: '',
    description: '',
    group: '',
    type: '',
    isPublic: of?.publicByDefault ?? true,
  });
  const { fields, set, propsOf } = form;
  const place = usePlace(organization, fields);
  const { group, type } = place;
  const mayBuild = makesProjectsHere(viewer, organization);
  const namesake = useNamesake(organization, fields.name);

  const isBlank = fields.name.trim() === '' || fields.language.trim() === '';
  const whyNot = !mayBuild
    ? t('project.needsAppBuilder')
    : group === undefined || type === undefined
      ? t('project.noAvailableGroups')
      : isBlank
        ? t('project.needsNameAndLanguage')
        : null;

  const save = async () => {
    if (group === undefined || type === undefined) return null;
    const id = await createProject(data, {
      name: fields.name.trim(),
      language: fields.language.trim(),
      description: fields.description.trim() === '' ? null : fields.description,
      isPublic: fields.isPublic,
      organization,
      group: group.id,
      type: type.id,
      owner: viewer.id,
    });
    return `/projects/${id}`;
  };

  return (
    <FormPage
      title={t('project.newProject')}
      context={<bdi>{of?.name}</bdi>}
      before={!mayBuild && <Note tone="warning">{t('project.needsAppBuilder')}</Note>}
      form={form}
      className="two-field-columns"
      whyNot={whyNot}
      speaking={SPEAKING}
      success={null}
      onSave={save}
      onCancel={back}
    >
      <div>
        <NameField
          takesFocus
          hint={namesake ? t('project.sameName') : undefined}
          {...propsOf('name')}
        />
        <LanguagePicker {...propsOf('language')} />
        <DescriptionField {...propsOf('description')} />
      </div>
      <div>
        <PlaceFields place={place} onChange={set} />
        <Switch
          label={t('project.public')}
          help={fields.isPublic ? t('project.publicMeans') : t('project.privateMeans')}
          isOn={fields.isPublic}
          onChange={propsOf('isPublic').onChange}
        />
      </div>
    </FormPage>
  );
}

/** Says whether the organization has a project of that name: a hint, not an error. */
function useNamesake(organization: string, name: string): boolean {
  const { rows } = useList('project', { organization });
  const wanted = fold(name.trim());
  return wanted !== '' && rows.some((project) => fold(project.name) === wanted);
}
