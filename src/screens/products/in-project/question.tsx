import type { Of } from '#schema/index.ts';
import { Button } from '#ui/form/controls.tsx';
import { Dialog } from '#ui/overlay/dialog.tsx';
import { useText } from '#ui/text/text.ts';

interface Props {
  readonly title: string;
  readonly lines: readonly string[];
  readonly verb: string;
  readonly keep: string;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
}

/** Asks before something ends or goes. */
export function Question({ title, lines, verb, keep, onClose, onConfirm }: Props) {
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{keep}</Button>
          <Button
            negative
            onClick={() => {
              onClose();
              onConfirm();
            }}
          >
            {verb}
          </Button>
        </>
      }
    >
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
    </Dialog>
  );
}

type State = Pick<Of<'product'>, 'productWorkflow' | 'datePublished'>;

/** A product that was never out and is not worked on goes by one click. */
export function asksBeforeRemoval({ productWorkflow, datePublished }: State): boolean {
  return productWorkflow !== null || datePublished !== null;
}

interface RemovalProps extends Pick<Props, 'onClose' | 'onConfirm'> {
  readonly product: State;
  readonly name: string;
}

/** Says what goes with a product, and what stays. */
export function RemovalQuestion({ product, name, onClose, onConfirm }: RemovalProps) {
  const t = useText();
  const isAtWork = product.productWorkflow !== null;
  return (
    <Question
      title={t('products.removeTitle', { name })}
      verb={t('products.remove')}
      keep={t('common.cancel')}
      lines={[
        isAtWork ? t('products.removeTextRunning') : t('products.removeText'),
        ...(product.datePublished === null ? [] : [t('products.removeStays')]),
      ]}
      onClose={onClose}
      onConfirm={onConfirm}
    />
  );
}
