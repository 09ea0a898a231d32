import type { ComponentType } from 'react';
import { AREAS } from './areas.ts';
import type { AreaName } from './areas.ts';
import { BuildEngines } from './build-engines.tsx';
import { CatalogueList, EditInCatalogue, NewInCatalogue } from './catalogue.tsx';
import {
  EditOrganization,
  NewOrganization,
  Organizations,
  StoresOfOrganization,
} from './organizations.tsx';

const catalogue = Object.fromEntries(
  (Object.keys(AREAS) as AreaName[]).flatMap((area) => [
    [area, () => <CatalogueList key={area} area={area} />],
    [`${area}/new`, () => <NewInCatalogue key={area} area={area} />],
    [`${area}/:recordId/edit`, () => <EditInCatalogue key={area} area={area} />],
  ]),
) as Readonly<Record<string, ComponentType>>;

const pages: Readonly<Record<string, ComponentType>> = {
  organizations: Organizations,
  'organizations/new': NewOrganization,
  'organizations/:recordId/edit': EditOrganization,
  'organizations/:recordId/stores': StoresOfOrganization,
  ...catalogue,
  'build-engines': BuildEngines,
};

/** The page below `/admin/settings` whose address ends so. */
export function settingsPage(part: string): ComponentType {
  const page = pages[part];
  if (page === undefined) throw new Error(`There are no settings at ${part}`);
  return page;
}
