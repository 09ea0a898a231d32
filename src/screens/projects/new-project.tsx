import { useNavigate } from 'react-router-dom';
import { Segment } from 'semantic-ui-react';
import { fold } from '#base/fold.ts';
import { makesProjectsHere } from '#rules/project.ts';
import { useOrganization } from '#session/organization.ts';
import { createProject } from '#data/actions/projects.ts';
import { useData, useList, useRecord, useViewer } from '#data/react/hooks.ts';
import { Note } from '#ui/status/boxes.tsx';
import { PageHead } from '#ui/page/page-head.tsx';
import { Switch } from '#ui/form/switch.tsx';
import { useText } from '#ui/text/text.ts';
import { useSaved } from '../app/page/changes/use-saved.ts';
import { usePageTitle } from '../app/page/page-title.ts';
import { LanguagePicker } from './fields/language-picker.tsx';
import { DescriptionField, NameField } from './fields/project-fields.tsx';
import { PlaceFields } from './fields/place-fields.tsx';
import { ProjectForm } from '../app/page/form/form.tsx';
import { useBack } from './fields/use-back.ts';
import { usePlace } from './fields/use-place.ts';
import { useProjectForm } from '../app/page/form/use-form.ts';

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
  const go = useNavigate();
  const back = useBack();
  const data = useData();
  const viewer = useViewer();
  const { record: of } = useRecord('organization', organization);
  const saved = useSaved();
  const form = useProjectForm('new-project', {
    name: '',
    language: '',
    description: '',
    group: '',
    type: '',
    isPublic: of?.publicByDefault ?? true,
  });
  const { fields, set, forget, trouble } = form;
  const place = usePlace(organization, fields);
  const { group, type } = place;
  const mayBuild = makesProjectsHere(viewer, organization);
  const namesake = useNamesake(organization, fields.name);
  usePageTitle(t('project.newProject'));

  const isBlank = fields.name.trim() === '' || fields.language.trim() === '';
  const whyNot = !mayBuild
    ? t('project.needsAppBuilder')
    : group === undefined || type === undefined
      ? t('project.noAvailableGroups')
      : isBlank
        ? t('project.needsNameAndLanguage')
        : null;

  const save = async () => {
    if (group === undefined || type === undefined) return;
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
    forget();
    saved({ success: null });
    void go(`/projects/${id}`);
  };
  const errorOf = (field: string) => (trouble?.field === field ? trouble.reason : null);

  return (
    <>
      <PageHead title={t('project.newProject')} context={<bdi>{of?.name}</bdi>} />
      {!mayBuild && <Note tone="warning">{t('project.needsAppBuilder')}</Note>}
      <Segment>
        <ProjectForm
          form={form}
          className="two-field-columns"
          whyNot={whyNot}
          speaking={SPEAKING}
          onSave={() => void form.save(save)}
          onCancel={back}
        >
          <div>
            <NameField
              takesFocus
              value={fields.name}
              error={errorOf('name')}
              hint={namesake ? t('project.sameName') : undefined}
              onChange={(name) => {
                set({ name });
              }}
            />
            <LanguagePicker
              value={fields.language}
              error={errorOf('language')}
              onChange={(language) => {
                set({ language });
              }}
            />
            <DescriptionField
              value={fields.description}
              error={errorOf('description')}
              onChange={(description) => {
                set({ description });
              }}
            />
          </div>
          <div>
            <PlaceFields
              place={place}
              onChange={(change) => {
                set(change);
              }}
            />
            <Switch
              label={t('project.public')}
              help={fields.isPublic ? t('project.publicMeans') : t('project.privateMeans')}
              isOn={fields.isPublic}
              onChange={(isPublic) => {
                set({ isPublic });
              }}
            />
          </div>
        </ProjectForm>
      </Segment>
    </>
  );
}

/** Says whether the organization has a project of that name: a hint, not an error. */
function useNamesake(organization: string, name: string): boolean {
  const { rows } = useList('project', { organization });
  const wanted = fold(name.trim());
  return wanted !== '' && rows.some((project) => fold(project.name) === wanted);
}
