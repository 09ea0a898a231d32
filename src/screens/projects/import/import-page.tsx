import { useNavigate } from 'react-router-dom';
import { Segment } from 'semantic-ui-react';
import { useOrganization } from '#session/organization.ts';
import { knownConfig } from '#session/public-config.ts';
import { importProjects } from '#data/actions/imports.ts';
import { useData, useRecord } from '#data/react/hooks.ts';
import { PageHead } from '#ui/page/page-head.tsx';
import { useText } from '#ui/text/text.ts';
import { useSaved } from '../../app/page/changes/use-saved.ts';
import { usePageTitle } from '../../app/page/page-title.ts';
import { PlaceFields } from '../fields/place-fields.tsx';
import { ProjectForm } from '../../app/page/form/form.tsx';
import { useBack } from '../fields/use-back.ts';
import { usePlace } from '../fields/use-place.ts';
import { useProjectForm } from '../../app/page/form/use-form.ts';
import { EarlierImports } from './earlier-imports.tsx';
import { FileField } from './file-field.tsx';
import { Preview } from './preview.tsx';
import { usePreview } from './use-preview.ts';
import '../../products/files/product-files.css';
import './import.css';

/** `/projects/import` */
export function ImportProjects() {
  const organization = useOrganization();
  return organization === null ? null : (
    <ImportInto key={organization} organization={organization} />
  );
}

function ImportInto({ organization }: { readonly organization: string }) {
  const t = useText();
  const go = useNavigate();
  const back = useBack();
  const data = useData();
  const { record: of } = useRecord('organization', organization);
  const saved = useSaved();
  const form = useProjectForm('import-projects', { group: '', type: '', fileName: '', text: '' });
  const { fields, set, forget } = form;
  const place = usePlace(organization, fields);
  const { group, type } = place;
  const hasFile = fields.fileName !== '';
  const preview = usePreview(organization, hasFile ? fields.text : null);
  const count = preview?.rows.filter(({ isNew }) => isNew).length ?? 0;
  usePageTitle(t('projectImport.title'));

  const whyNotFile = () => {
    if (preview === null) return t('projectImport.needsFile');
    if (preview.mistakes.length > 0) return t('projectImport.hasMistakes');
    return count === 0 ? t('projectImport.nothingNew') : null;
  };
  const isPlaced = group !== undefined && type !== undefined;
  const whyNot = isPlaced ? whyNotFile() : t('project.noAvailableGroups');
  const save = async () => {
    if (!isPlaced) return;
    const request = { organization, group: group.id, type: type.id, importData: fields.text };
    await importProjects(data, request, count);
    forget();
    saved({ success: t('projectImport.createSuccess') });
    void go('/');
  };
  const help = knownConfig()?.links.importHelp ?? null;

  return (
    <>
      <PageHead title={t('projectImport.title')} context={<bdi>{of?.name}</bdi>} />
      <Segment>
        <ProjectForm
          form={form}
          className="import-form"
          whyNot={whyNot}
          speaking={[]}
          saveLabel={preview === null ? t('projects.import') : t('projectImport.import', { count })}
          onSave={() => void form.save(save)}
          onCancel={back}
        >
          <div className="import-place">
            <PlaceFields
              place={place}
              onChange={(change) => {
                set(change);
              }}
            />
          </div>
          <FileField
            fileName={hasFile ? fields.fileName : null}
            help={help}
            onFile={(fileName, text) => {
              set({ fileName, text });
            }}
          />
          <div role="status">{preview !== null && <Preview {...preview} />}</div>
        </ProjectForm>
      </Segment>
      <EarlierImports organization={organization} />
    </>
  );
}
