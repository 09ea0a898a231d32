import { useNavigate } from 'react-router-dom';
import { Segment } from 'semantic-ui-react';
import { fold } from '#base/fold.ts';
import { useOrganization } from '#session/organization.ts';
import { createProject } from '#data/actions/projects.ts';
import { useData } from '#data/use-data.ts';
import { useList } from '#data/use-list.ts';
import { useRecord } from '#data/use-record.ts';
import { useViewer } from '#data/use-viewer.ts';
import { Note } from '#ui/boxes.tsx';
import { Field } from '#ui/field.tsx';
import { PageHead } from '#ui/page-head.tsx';
import { Switch } from '#ui/switch.tsx';
import { useText } from '#ui/text.ts';
import { useSaved } from '../changes/use-saved.ts';
import { usePageTitle } from '../shell/page-title.ts';
import { LanguagePicker } from './language-picker.tsx';
import { DescriptionField, NameField } from './project-fields.tsx';
import { ProjectForm } from './project-form.tsx';
import { useProjectForm } from './use-project-form.ts';

/** Fields that show their own mistakes. */
const SPEAKING = ['name', 'language', 'description'];

/** `/projects/new` */
export function NewProject() {
  const organization = useOrganization();
  return organization === null ? null : (
    <NewProjectIn key={organization} organization={organization} />
  );
}

function useGroups(organization: string) {
  const viewer = useViewer();
  const { rows } = useList('group', { owner: organization }, { sort: 'name' });
  return viewer.isSuperAdmin ? rows : rows.filter(({ id }) => viewer.groups.has(id));
}

function NewProjectIn({ organization }: { readonly organization: string }) {
  const t = useText();
  const go = useNavigate();
  const data = useData();
  const viewer = useViewer();
  const groups = useGroups(organization);
  const { rows: types } = useList('applicationType', {}, { sort: 'description' });
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
  const group = groups.find(({ id }) => id === fields.group) ?? groups[0];
  const type = types.find(({ id }) => id === fields.type) ?? types[0];
  const mayBuild = viewer.isSuperAdmin || viewer.builderIn.has(organization);
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
          onCancel={() => void (hasComeFromHere() ? go(-1) : go('/projects/own'))}
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
            <Field label={t('project.group')} isRequired>
              {(tied) => (
                <select
                  {...tied}
                  value={group?.id ?? ''}
                  disabled={groups.length < 2 && !viewer.isSuperAdmin}
                  onChange={(event) => {
                    set({ group: event.target.value });
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
                    set({ type: event.target.value });
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

/** Whether Back leads to another page of ours: the router counts those of this visit. */
function hasComeFromHere(): boolean {
  const state: unknown = history.state;
  const place = typeof state === 'object' && state !== null && 'idx' in state ? state.idx : 0;
  return typeof place === 'number' && place > 0;
}

/** Whether the organization has a project of that name: a hint, not an error. */
function useNamesake(organization: string, name: string): boolean {
  const { rows } = useList('project', { organization });
  const wanted = fold(name.trim());
  return wanted !== '' && rows.some((project) => fold(project.name) === wanted);
}
