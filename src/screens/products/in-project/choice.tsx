import type { ReactNode } from 'react';
import { Button } from '#ui/form/controls.tsx';
import { Dialog } from '#ui/overlay/dialog.tsx';
import { useText } from '#ui/text/text.ts';

interface Props {
  readonly icon?: ReactNode;
  readonly name: string;
  readonly description: string | null;
  readonly onChoose: () => void;
}

/** A card in a list of which a click takes one. */
export function Choice({ icon, name, description, onChoose }: Props) {
  return (
    <li>
      <button type="button" className="product-choice" onClick={onChoose}>
        {icon}
        <span>
          <strong>
            <bdi>{name}</bdi>
          </strong>
          {description !== null && description !== '' && (
            <span className="caption" dir="auto">
              {description}
            </span>
          )}
        </span>
      </button>
    </li>
  );
}

interface ChoicesDialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Offers choices that are taken one after the other, until the person is done. */
export function ChoicesDialog({ title, onClose, children }: ChoicesDialogProps) {
  const t = useText();
  return (
    <Dialog
      title={title}
      size="medium"
      onClose={onClose}
      actions={
        <Button primary onClick={onClose}>
          {t('products.done')}
        </Button>
      }
    >
      {children}
    </Dialog>
  );
}
