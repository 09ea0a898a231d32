import { useRef, useState } from 'react';
import type { FormEvent, KeyboardEvent } from 'react';
import {
  COMPUTE_TYPES,
  DEFAULT_PROPERTIES,
  brokenProperties,
} from '#rules/valid/product-properties.ts';
import type { Of } from '#schema/index.ts';
import { setProperties } from '#data/actions/products.ts';
import { useData, useRecord } from '#data/react/hooks.ts';
import { Button } from '#ui/form/controls.tsx';
import { Dialog } from '#ui/overlay/dialog.tsx';
import { Field } from '#ui/form/field.tsx';
import { useText } from '#ui/text/text.ts';
import { useSaved } from '../../app/page/changes/use-saved.ts';
import { useAttempt } from '../../app/page/use-attempt.ts';
import { useDraft } from '../../app/page/form/use-draft.ts';
import { isObject } from '#base/is-object.ts';
import { jsonMistakeIn, placeIn } from '#base/json-mistake.ts';
import { parsed } from '#rules/valid/value.ts';

interface PublishingPropertiesProps {
  readonly id: string;
  readonly onClose: () => void;
}

const CHARACTERS_AT_MOST = 65_536;
const FORM = 'product-properties';

/** Edits what an engine is given when it builds and publishes the product. */
export function PublishingProperties({ id, onClose }: PublishingPropertiesProps) {
  const { record: product } = useRecord('product', id);
  return product === null ? null : <Form product={product} onClose={onClose} />;
}

interface FormProps extends Omit<PublishingPropertiesProps, 'id'> {
  readonly product: Of<'product'>;
}

function Form({ product, onClose }: FormProps) {
  const t = useText();
  const { fields, set, forget, save, isChecked, isBusy, area } = useProperties(product, onClose);
  const { text } = fields;
  const fault = faultIn(text);
  // While the text is broken, its parts stay as they were when it last was not.
  const [last, setLast] = useState<ReturnType<typeof valuesIn>>(null);
  const values = valuesIn(text) ?? last ?? {};

  const type = (next: string) => {
    setLast(values);
    set({ text: next });
  };
  const compute = COMPUTE_TYPES.find((known) => known === partOf(values, 'compute')) ?? '';
  return (
    <Dialog
      title={t('products.properties')}
      size="medium"
      isBusy={isBusy}
      onClose={onClose}
      actions={
        <>
          <Button
            disabled={isBusy}
            onClick={() => {
              type(spread(DEFAULT_PROPERTIES));
            }}
          >
            {t('products.properties.default')}
          </Button>
          <Button
            disabled={isBusy}
            onClick={() => {
              forget();
              onClose();
            }}
          >
            {t('common.cancel')}
          </Button>
          <Button
            primary
            form={FORM}
            type="submit"
            loading={isBusy}
            disabled={isBusy || (isChecked && fault !== null)}
          >
            {t('common.save')}
          </Button>
        </>
      }
    >
      <form
        id={FORM}
        className="ui form"
        noValidate
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          void save();
        }}
        onKeyDown={(event: KeyboardEvent) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void save();
        }}
      >
        <Field label={t('products.properties.compute')} isRequired>
          {(tied) => (
            <select
              {...tied}
              value={compute}
              onChange={(event) => {
                type(changedPart(values, 'compute', event.target.value));
              }}
            >
              {compute === '' && <option value="">--</option>}
              {COMPUTE_TYPES.map((known) => (
                <option key={known} value={known}>
                  {t(`products.properties.compute.${known}`)}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label={t('products.properties.tag')} isRequired>
          {(tied) => (
            <input
              {...tied}
              value={partOf(values, 'tag')}
              onChange={(event) => {
                type(changedPart(values, 'tag', event.target.value));
              }}
            />
          )}
        </Field>
        <Field
          label={t('products.properties.json')}
          error={
            isChecked && fault !== null
              ? t('products.properties.faultAt', {
                  fault: t(`products.properties.fault.${fault.is}`),
                  line: fault.line,
                  column: fault.column,
                })
              : null
          }
        >
          {(tied) => (
            <textarea
              {...tied}
              ref={area}
              className="properties-text"
              rows={10}
              spellCheck={false}
              maxLength={CHARACTERS_AT_MOST}
              value={text}
              onChange={(event) => {
                type(event.target.value);
              }}
            />
          )}
        </Field>
      </form>
    </Dialog>
  );
}

/** Keeps what is typed, and saves it once it can be. */
function useProperties(product: Of<'product'>, onClose: () => void) {
  const t = useText();
  const data = useData();
  const attempt = useAttempt();
  const saved = useSaved();
  const { find } = data;
  const stored = spread(product.properties ?? DEFAULT_PROPERTIES);
  const { fields, isChanged, set, forget } = useDraft(`properties.${product.id}`, { text: stored });
  const [isChecked, setChecked] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const area = useRef<HTMLTextAreaElement>(null);

  const names = {
    product: find.one('productDefinition', product.productDefinition)?.name ?? '',
    project: find.one('project', product.project)?.name ?? '',
  };
  const save = async () => {
    setChecked(true);
    if (faultIn(fields.text) !== null) {
      area.current?.focus();
      return;
    }
    setBusy(true);
    const isDone =
      !isChanged ||
      (await attempt(t('errors.generic'), () => setProperties(data, product, fields.text, names)));
    setBusy(false);
    if (!isDone) return;
    if (isChanged) saved({ success: t('products.properties.saved') });
    forget();
    onClose();
  };
  return { fields, set, forget, save, isChecked, isBusy, area };
}

type Values = Readonly<Record<string, unknown>>;

const KEYS = {
  environment: 'environment',
  compute: 'BUILD_COMPUTE_TYPE',
  tag: 'BUILD_IMAGE_TAG',
} as const;

/** The parts of the whole that fields of their own show. */
type Part = Exclude<keyof typeof KEYS, 'environment'>;

/** A mistake in properties, and its place in their text. */
interface Fault {
  /** Says which part is missing or wrong, or that it is not JSON or no object. */
  readonly is: 'json' | 'object' | keyof typeof KEYS;
  /** Line and column begin with 1. */
  readonly line: number;
  readonly column: number;
}

/** The first fault; null: they can be saved. */
function faultIn(text: string): Fault | null {
  if (brokenProperties(text) === null) return null;
  const is = kindOf(parsed(text));
  const at = is === 'json' ? (jsonMistakeIn(text) ?? 0) : startOf(text, is);
  return { is, ...placeIn(text, at) };
}

/** Finds the part that the rule says no to. */
function kindOf(properties: unknown): Fault['is'] {
  if (properties === undefined) return 'json';
  if (!isObject(properties)) return 'object';
  if (!isObject(properties.environment)) return 'environment';
  const compute = partOf(properties, 'compute');
  return COMPUTE_TYPES.some((type) => type === compute) ? 'tag' : 'compute';
}

/** Finds where the wrong part begins; where it is missing, the part that it should be in. */
function startOf(text: string, fault: 'object' | keyof typeof KEYS): number {
  const found = fault === 'object' ? -1 : text.lastIndexOf(`"${KEYS[fault]}"`);
  if (found >= 0) return found;
  const around = text.indexOf(`"${KEYS.environment}"`);
  return around >= 0 ? around : Math.max(text.search(/\S/), 0);
}

/** Writes properties over several lines, for people. Text that is no JSON stays as it is. */
function spread(text: string): string {
  const value = parsed(text);
  return value === undefined ? text : JSON.stringify(value, null, 2);
}

/** The object that `text` says; null: it says none. */
export function valuesIn(text: string): Values | null {
  const value = parsed(text);
  return isObject(value) ? value : null;
}

/** The value of a part in `values`; '': nothing that could be shown. */
export function partOf(values: Values, part: Part): string {
  const { environment } = values;
  const value = isObject(environment) ? environment[KEYS[part]] : null;
  return typeof value === 'string' ? value : '';
}

/** The text of `values` with another part. */
function changedPart(values: Values, part: Part, value: string): string {
  const environment = isObject(values.environment) ? values.environment : {};
  return JSON.stringify(
    { ...values, environment: { ...environment, [KEYS[part]]: value } },
    null,
    2,
  );
}
