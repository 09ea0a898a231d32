import { parseJson } from '#base/json.ts';
import { isObject } from '#base/is-object.ts';
import type { Of } from '#schema/index.ts';
import { WORKFLOW_TYPES } from '#schema/workflow-definition.ts';
import type { CatalogueType } from '#data/actions/catalogue.ts';
import { useFind, useList } from '#data/react/hooks.ts';
import type { Option } from '#ui/form/combobox.tsx';
import { useText } from '#ui/text/text.ts';
import type { TextKey } from '#ui/text/text.ts';
import type { FormField, FormFieldOf } from '../../app/page/form/record-fields.tsx';

interface Area {
  readonly type: CatalogueType;
  /** The area's texts stand below this. */
  readonly texts: string;
  /** The titles of what `useRelationsOf` says. */
  readonly relations: readonly TextKey[];
}

/** The parts of the settings that go by the schema, by the ends of their addresses. */
export const AREAS = {
  'workflow-definitions': {
    type: 'workflowDefinition',
    texts: 'admin.settings.workflowDefinitions',
    relations: ['fields.type', 'fields.store-type', 'fields.enabled'],
  },
  'product-definitions': {
    type: 'productDefinition',
    texts: 'admin.settings.productDefinitions',
    relations: [
      'fields.type',
      'fields.workflow',
      'fields.rebuild-workflow',
      'fields.republish-workflow',
    ],
  },
  stores: { type: 'store', texts: 'admin.settings.stores', relations: ['fields.store-type'] },
  'store-types': { type: 'storeType', texts: 'admin.settings.storeTypes', relations: [] },
} as const satisfies Readonly<Record<string, Area>>;

export type AreaName = keyof typeof AREAS;

export const areaPath = (area: string, part = ''): string => `/admin/settings/${area}${part}`;

/** The fields of an area's form, in their order; `record` is the one that is edited. */
export function useFieldsOf(area: AreaName, record: object | null): readonly FormField[] {
  const t = useText();
  const storeTypes = useOptions('storeType');
  const applicationTypes = useOptions('applicationType');
  const workflowsOf = useWorkflows(record);
  const known = useKnownTexts();
  const warningOf = (typed: string) =>
    typed.trim() === '' || isJsonObject(typed) ? null : t('admin.settings.noJsonObject');
  const none = t('admin.settings.productDefinitions.noWorkflow');
  const all: { readonly [A in AreaName]: readonly FormFieldOf<(typeof AREAS)[A]['type']>[] } = {
    'workflow-definitions': [
      { name: 'name', help: t('admin.settings.workflowDefinitions.help.name') },
      {
        name: 'storeType',
        isRequired: true,
        options: storeTypes,
        help: t('admin.settings.workflowDefinitions.help.storeType'),
        missing: t('admin.settings.workflowDefinitions.emptyStoreType'),
      },
      {
        name: 'type',
        isRequired: true,
        options: WORKFLOW_TYPES.map((type) => ({
          id: `${type}`,
          label: t(`admin.settings.workflowDefinitions.types.${type}`),
        })),
        help: t('admin.settings.workflowDefinitions.help.type'),
        missing: t('admin.settings.workflowDefinitions.emptyWorkflowType'),
      },
      { name: 'description', help: t('admin.settings.help.description') },
      {
        name: 'workflowScheme',
        suggestions: known.schemes,
        help: t('admin.settings.workflowDefinitions.help.workflowScheme'),
      },
      {
        name: 'workflowBusinessFlow',
        suggestions: known.flows,
        help: t('admin.settings.workflowDefinitions.help.workflowBusinessFlow'),
      },
      {
        name: 'properties',
        help: t('admin.settings.workflowDefinitions.help.properties'),
        warningOf,
      },
      {
        name: 'enabled',
        help: t('admin.settings.workflowDefinitions.help.enabled'),
      },
    ],
    'product-definitions': [
      {
        name: 'name',
        help: t('admin.settings.productDefinitions.help.name'),
        missing: t('admin.settings.productDefinitions.emptyName'),
      },
      {
        name: 'type',
        isRequired: true,
        options: applicationTypes,
        help: t('admin.settings.productDefinitions.help.type'),
        missing: t('admin.settings.productDefinitions.emptyType'),
      },
      {
        name: 'workflow',
        isRequired: true,
        options: workflowsOf(1),
        help: t('admin.settings.productDefinitions.help.workflow'),
        missing: t('admin.settings.productDefinitions.emptyWorkflow'),
      },
      {
        name: 'rebuildWorkflow',
        options: workflowsOf(2),
        none,
        help: t('admin.settings.productDefinitions.help.rebuildWorkflow'),
      },
      {
        name: 'republishWorkflow',
        options: workflowsOf(3),
        none,
        help: t('admin.settings.productDefinitions.help.republishWorkflow'),
      },
      { name: 'description', help: t('admin.settings.help.description') },
      {
        name: 'properties',
        help: t('admin.settings.productDefinitions.help.properties'),
        warningOf,
      },
    ],
    stores: [
      { name: 'name', help: t('admin.settings.stores.help.name') },
      { name: 'description', help: t('admin.settings.stores.help.description') },
      {
        name: 'storeType',
        options: storeTypes,
        none: t('admin.settings.stores.noStoreType'),
        help: t('admin.settings.stores.help.storeType'),
      },
    ],
    'store-types': [
      {
        name: 'name',
        help: t('admin.settings.storeTypes.help.name'),
        missing: t('admin.settings.storeTypes.emptyName'),
      },
      { name: 'description', help: t('admin.settings.help.description') },
    ],
  };
  return all[area];
}

function isJsonObject(text: string): boolean {
  try {
    return isObject(parseJson(text));
  } catch {
    return false;
  }
}

/** Records of a type as choices, by name. */
function useOptions(type: 'applicationType' | 'storeType'): readonly Option[] {
  const { rows } = useList(type, {}, { sort: 'name' });
  return rows.map(({ id, name }) => ({ id, label: name ?? '' }));
}

/** The workflows that can be chosen of a type: those that are enabled, and the one that is chosen. */
function useWorkflows(record: object | null): (type: number) => readonly Option[] {
  const { rows } = useList('workflowDefinition', {}, { sort: 'name' });
  const chosen = new Set<unknown>(record === null ? [] : Object.values(record));
  return (type) =>
    rows
      .filter((one) => one.type === type && (one.enabled || chosen.has(one.id)))
      .map(({ id, name }) => ({ id, label: name ?? '' }));
}

/** The schemes and flows that workflows have. */
function useKnownTexts() {
  const { rows } = useList('workflowDefinition', {});
  const textsIn = (texts: readonly (string | null)[]) =>
    [...new Set(texts.flatMap((text) => text ?? []))].sort();
  return {
    schemes: textsIn(rows.map(({ workflowScheme }) => workflowScheme)),
    flows: textsIn(rows.map(({ workflowBusinessFlow }) => workflowBusinessFlow)),
  };
}

/** What a row says of a record besides its name and description. */
export function useRelationsOf(area: AreaName): (record: Of<CatalogueType>) => readonly string[] {
  const t = useText();
  const find = useFind();
  return (record) => {
    switch (area) {
      case 'workflow-definitions': {
        const { type, storeType, enabled } = record as Of<'workflowDefinition'>;
        return [
          t(`admin.settings.workflowDefinitions.types.${type}`),
          find.one('storeType', storeType ?? '')?.name ?? '--',
          t(enabled ? 'admin.settings.enabled' : 'admin.settings.disabled'),
        ];
      }
      case 'product-definitions': {
        const { type, ...definition } = record as Of<'productDefinition'>;
        const { workflow, rebuildWorkflow, republishWorkflow } = definition;
        const nameOf = (id: string | null) =>
          find.one('workflowDefinition', id ?? '')?.name ?? '--';
        return [
          find.one('applicationType', type)?.name ?? '--',
          nameOf(workflow),
          nameOf(rebuildWorkflow),
          nameOf(republishWorkflow),
        ];
      }
      case 'stores':
        return [find.one('storeType', (record as Of<'store'>).storeType ?? '')?.name ?? '--'];
      case 'store-types':
        return [];
    }
  };
}
