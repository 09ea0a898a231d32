import { useState } from 'react';
import { wireFieldOf } from '#protocol/names.ts';
import { resourceOf } from '#schema/index.ts';
import type { Of, TypeName } from '#schema/index.ts';
import type { Field as SchemaField } from '#schema/define.ts';
import type { ChangeState } from '#data/model/change.ts';
import type { Option } from '#ui/form/combobox.tsx';
import { Field } from '#ui/form/field.tsx';
import { Picker } from '#ui/form/picker.tsx';
import { Switch } from '#ui/form/switch.tsx';
import { TextField } from '#ui/form/text-field.tsx';
import { useTextOf } from '#ui/text/text.ts';
import type { FormValues } from './use-draft.ts';
import { useRecordForm } from './use-record-form.tsx';
import { useValueCheck } from './use-value-check.ts';

type Values = Readonly<Record<string, string | boolean>>;

/** A field of a form as its page states it; of what kind it is, the schema says. */
export interface FormField {
  readonly name: string;
  readonly help?: string;
  /** Of what is switched: what it means that it is off, where `help` is about its being on. */
  readonly offHelp?: string;
  /** It must have a value, also where the schema would let it have none. */
  readonly isRequired?: boolean;
  /** Said where it must have a value and has none. */
  readonly missing?: string;
  /** What a relationship or a choice can be. */
  readonly options?: readonly Option[];
  /** The first of its choices, by which a relationship is none. */
  readonly none?: string;
  /** Texts that are offered while one types. */
  readonly suggestions?: readonly string[];
  /** Other fields that go along with what is typed. */
  readonly alsoSets?: (typed: string) => Values;
  /** Tells what is unusual about a value that can be saved nonetheless. */
  readonly warningOf?: (typed: string) => string | null;
}

/** A field of a resource that is known. */
export type FormFieldOf<T extends TypeName> = FormField & { readonly name: keyof Of<T> };

/** Stands for no choice where people choose. */
const NONE = '-';

/** A form over some fields of a record, whose rules are those of its resource. */
export interface RecordFieldsForm<T extends TypeName> extends ReturnType<
  typeof useRecordForm<Values, string>
> {
  /** Checks every field; from then on each says what is wrong with it. */
  readonly isValid: () => boolean;
  /** What was typed, as the record has it. */
  readonly stated: () => Partial<Of<T>>;
  /** What is wrong with a field; null: nothing. */
  readonly errorOf: (field: FormField) => string | null;
  /** The fields by their names on the wire: they say by themselves what is wrong with them. */
  readonly speaking: readonly string[];
}

/**
 * Keeps what is typed into `fields` of `record`, or of a new one (null), of which it survives a reload
 * under the name `draft`. It is silent until it is checked.
 */
export function useRecordFields<T extends TypeName>(
  type: T,
  record: Of<T> | null,
  change: ChangeState | null,
  fields: readonly FormField[],
  draft = `new.${type}`,
): RecordFieldsForm<T> {
  const check = useValueCheck(type);
  const [isChecked, setChecked] = useState(false);
  const onWire = (name: string) => wireFieldOf(type, name);
  const names = fields.map(({ name }) => name);
  const first: FormValues = valuesOf(type, { ...defaultsOf(type), ...record }, names);
  const form = useRecordForm<Values, string>(
    record ?? { id: draft, version: 0 },
    change,
    first,
    names,
    onWire,
  );
  const stated = () => statedBy(type, form.fields) as Partial<Of<T>>;

  const wrongWith = (field: FormField): string | null => {
    const { name, missing } = field;
    const value = statedBy(type, form.fields)[name];
    return check({ name, value, isRequired: isRequired(type, field) }, missing);
  };
  return {
    ...form,
    isValid: () => {
      setChecked(true);
      return fields.every((field) => wrongWith(field) === null);
    },
    errorOf: (field) => (isChecked ? wrongWith(field) : null) ?? form.propsOf(field.name).error,
    stated,
    speaking: names.map(onWire),
  };
}

function isRequired(type: TypeName, { name, isRequired }: FormField): boolean {
  const declared = declaredIn(type, name);
  return isRequired ?? (declared.is !== 'many' && declared.mustHave);
}

function declaredIn(type: TypeName, name: string): SchemaField {
  const field = resourceOf(type).fields[name];
  if (field === undefined) throw new Error(`${type} has no field ${name}`);
  return field;
}

/** What a new record has unless one says otherwise. */
function defaultsOf(type: TypeName): object {
  return Object.fromEntries(
    Object.entries(resourceOf(type).fields).flatMap(([name, field]) =>
      field.is === 'attribute' && field.fallback !== null ? [[name, field.fallback]] : [],
    ),
  );
}

/** The values of a record as its form has them: texts, and what is on or off. */
function valuesOf(type: TypeName, record: object, names: readonly string[]): Values {
  const held = record as Readonly<Record<string, unknown>>;
  return Object.fromEntries<string | boolean>(
    names.map((name) => {
      const declared = declaredIn(type, name);
      const value = held[name] ?? null;
      if (declared.is === 'attribute' && declared.kind === 'bool') return [name, value === true];
      return [name, typeof value === 'string' || typeof value === 'number' ? `${value}` : ''];
    }),
  );
}

/** The values of a form as the record has them. */
function statedBy(type: TypeName, typed: Values): Readonly<Record<string, unknown>> {
  return Object.fromEntries<unknown>(
    Object.entries(typed).map(([name, value]) => {
      if (typeof value === 'boolean') return [name, value];
      const declared = declaredIn(type, name);
      const isNumber = declared.is === 'attribute' && typeof declared.choices?.[0] === 'number';
      if (value.trim() === '') return [name, null];
      return [name, isNumber ? Number(value) : value];
    }),
  );
}

interface RecordFieldProps<T extends TypeName> {
  readonly type: T;
  readonly form: RecordFieldsForm<T>;
  readonly fields: readonly FormField[];
}

/** The fields of a form, each in the control for its kind. */
export function RecordFields<T extends TypeName>({ type, form, fields }: RecordFieldProps<T>) {
  return fields.map((field) => (
    <RecordField key={field.name} type={type} form={form} field={field} />
  ));
}

interface OneFieldProps<T extends TypeName> {
  readonly type: T;
  readonly form: RecordFieldsForm<T>;
  readonly field: FormField;
}

function RecordField<T extends TypeName>({ type, form, field }: OneFieldProps<T>) {
  const textOf = useTextOf();
  const { name, help, options = [], none } = field;
  const declared = declaredIn(type, name);
  const label = textOf(`fields.${wireFieldOf(type, name)}`, name);
  const value = form.fields[name] ?? '';
  const { note } = form.propsOf(name);
  const onChange = (to: string | boolean) => {
    const also = typeof to === 'string' ? field.alsoSets?.(to) : undefined;
    form.set({ ...also, [name]: to });
  };
  if (typeof value === 'boolean')
    return (
      <Switch
        label={label}
        help={value ? help : (field.offHelp ?? help)}
        isOn={value}
        onChange={onChange}
      />
    );
  const shared = {
    label,
    isRequired: isRequired(type, field),
    error: form.errorOf(field),
    note: note ?? field.warningOf?.(value) ?? null,
    ...(help === undefined ? {} : { help }),
  };
  if (declared.is === 'one' || (declared.is === 'attribute' && declared.choices !== null)) {
    const all = none === undefined ? options : [{ id: NONE, label: none }, ...options];
    const chosen = value === '' ? (none === undefined ? null : NONE) : value;
    return (
      <Field {...shared}>
        {(tied) => (
          <Picker
            tied={tied}
            chosen={chosen}
            options={all}
            onChoose={(id) => {
              onChange(id === NONE ? '' : id);
            }}
          />
        )}
      </Field>
    );
  }
  if (declared.is !== 'attribute') return null;
  return (
    <TextField
      {...shared}
      value={value}
      type={declared.kind === 'url' ? 'url' : 'text'}
      isLong={declared.kind === 'text'}
      {...(declared.limit === null ? {} : { atMost: declared.limit })}
      {...(field.suggestions === undefined ? {} : { suggestions: field.suggestions })}
      onChange={onChange}
    />
  );
}
