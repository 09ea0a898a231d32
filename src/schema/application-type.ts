import { line, many, resource, text } from './define.ts';
import type { RecordOf } from './define.ts';

/** A kind of app that a project's content makes; seeded. */
export const applicationType = resource(
  'applicationType',
  'LG',
  {
    name: line().by('server'),
    description: text().by('server'),
    projects: many('project', 'type', { materialised: false }),
    projectImports: many('projectImport', 'type', { materialised: false }),
    productDefinitions: many('productDefinition', 'type', { materialised: false }),
  },
  { load: 'first' },
);

export type ApplicationType = RecordOf<typeof applicationType>;
