import { useRef, useState } from 'react';
import type { FormEvent, KeyboardEvent } from 'react';
import { COMPUTE_TYPES, DEFAULT_PROPERTIES } from '#rules/valid/product-properties.ts';
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
import { changedPart, faultIn, partOf, spread, valuesIn } from './properties-text.ts';

interface Props {
  readonly id: string;
  readonly onClose: () => void;
}

const CHARACTERS_AT_MOST = 65_536;
const FORM = 'product-properties';

/** Edits what an engine is given when it builds and publishes the product. */
export function PublishingProperties({ id, onClose }: Props) {
  const { record: product } = useRecord('product', id);
  return product === null ? null : <Form product={product} onClose={onClose} />;
}

interface FormProps extends Omit<Props, 'id'> {
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
