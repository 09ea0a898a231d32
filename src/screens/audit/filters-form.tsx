import { isDay } from '#base/day.ts';
import type { AuditEvent } from '#protocol/audit.ts';
import { auditKinds } from '#rules/audit/audit-kinds.ts';
import type { AuditGroup, AuditKind } from '#rules/audit/audit-kinds.ts';
import { useList } from '#data/react/hooks.ts';
import type { Option } from '#ui/form/combobox.tsx';
import { Button } from '#ui/form/controls.tsx';
import { DayField } from '#ui/form/day-field.tsx';
import { Field } from '#ui/form/field.tsx';
import { Picker } from '#ui/form/picker.tsx';
import { useText } from '#ui/text/text.ts';
import { usePeopleOptions } from '../app/page/use-display-name.ts';
import { AUDITED_TYPES } from './audit-filters.ts';
import type { AuditAddress, AuditedType } from './audit-filters.ts';
import { sayingOf, useAuditWords } from './use-audit-words.ts';

interface Props {
  readonly address: AuditAddress;
  /** The events in view: people and records in them can be chosen too. */
  readonly events: readonly AuditEvent[];
  readonly isDisabled: boolean;
}

const GROUPS = Object.keys(auditKinds) as readonly AuditGroup[];

/** What to look for; every choice acts at once, and stands in the address. */
export function FiltersForm({ address, events, isDisabled }: Props) {
  const t = useText();
  const { typeOf } = useAuditWords();
  const { filters, set, clear } = address;
  const people = usePeople(events, filters.person);
  const isFiltered = Object.values(filters).some((value) => value !== null);
  return (
    <div className="ui form audit-filters" role="search" aria-label={t('admin.audit.filters')}>
      <Field label={t('admin.audit.person')}>
        {(tied) => (
          <Picker
            tied={tied}
            options={people}
            chosen={filters.person ?? EVERYONE}
            isDisabled={isDisabled}
            onChoose={(id) => {
              set({ person: id === EVERYONE ? null : id });
            }}
          />
        )}
      </Field>
      <Field label={t('admin.audit.kind')}>
        {(tied) => (
          <select
            {...tied}
            value={filters.kind ?? ''}
            disabled={isDisabled}
            onChange={({ target: { value } }) => {
              set({ kind: value === '' ? null : (value as AuditGroup | AuditKind) });
            }}
          >
            <option value="">{t('admin.audit.everything')}</option>
            {GROUPS.map((group) => (
              <optgroup key={group} label={t(`admin.audit.groups.${group}`)}>
                <option value={group}>
                  {t('admin.audit.allOf', { group: t(`admin.audit.groups.${group}`) })}
                </option>
                {auditKinds[group].map((kind) => (
                  <option key={kind} value={kind}>
                    {t(sayingOf(kind))}
                  </option>
                ))}
              </optgroup>
            ))}
          </select>
        )}
      </Field>
      <Field label={t('admin.audit.record')}>
        {(tied) => (
          <select
            {...tied}
            value={filters.record ?? filters.type ?? ''}
            disabled={isDisabled}
            onChange={({ target: { value } }) => {
              if (value !== filters.record)
                set({ record: null, type: value === '' ? null : (value as AuditedType) });
            }}
          >
            <option value="">{t('admin.audit.everyRecord')}</option>
            {filters.record !== null && (
              <option value={filters.record}>{nameOfRecord(events, filters.record)}</option>
            )}
            {AUDITED_TYPES.map((type) => (
              <option key={type} value={type}>
                {typeOf(type)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Day name="from" {...{ address, isDisabled }} />
      <Day name="to" {...{ address, isDisabled }} />
      <Button disabled={isDisabled || !isFiltered} onClick={clear}>
        {t('admin.audit.clear')}
      </Button>
    </div>
  );
}

interface DayProps extends Omit<Props, 'events'> {
  readonly name: 'from' | 'to';
}

function Day({ name, address: { filters, set }, isDisabled }: DayProps) {
  const t = useText();
  const isBackwards = filters.from !== null && filters.to !== null && filters.from > filters.to;
  return (
    <DayField
      label={t(name === 'from' ? 'admin.audit.from' : 'admin.audit.to')}
      value={filters[name] ?? ''}
      errorOf={() => (isBackwards && name === 'to' ? t('admin.audit.backwards') : null)}
      isDisabled={isDisabled}
      onType={(typed) => {
        set({ [name]: isDay(typed) ? typed : null });
      }}
    />
  );
}

const EVERYONE = 'everyone';

/** The people on this device and those of the events, by their names. */
function usePeople(events: readonly AuditEvent[], chosen: string | null): readonly Option[] {
  const t = useText();
  const optionsOf = usePeopleOptions();
  const { rows } = useList('user', {});
  const here = optionsOf(rows);
  const others = new Map(
    events.flatMap(({ actorId, actorName }) =>
      actorId === null ? [] : [[actorId, actorName ?? t('users.noName')] as const],
    ),
  );
  for (const { id } of here) others.delete(id);
  const found = [...here, ...[...others].map(([id, label]) => ({ id, label }))];
  const isKnown = chosen === null || found.some(({ id }) => id === chosen);
  return [
    { id: EVERYONE, label: t('admin.audit.everyone') },
    ...(isKnown ? [] : [{ id: chosen, label: chosen }]),
    ...found,
  ];
}

/** The name of the record that is looked for; its id where no event in view tells it. */
function nameOfRecord(events: readonly AuditEvent[], id: string): string {
  return events.find(({ subjectId }) => subjectId === id)?.subjectName ?? id;
}
