import { useId, useRef } from 'react';
import type { ReactNode } from 'react';
import { Button } from '#ui/form/controls.tsx';
import { Dialog } from '#ui/overlay/dialog.tsx';
import { Icon } from '#ui/picture/icon.tsx';
import { useText } from '#ui/text/text.ts';

interface Props {
  readonly icon?: ReactNode;
  readonly name: string;
  readonly description: string | null;
  /** A card that stays is marked with it, and can be taken while it is open. */
  readonly state?: 'open' | 'taken' | 'gone';
  /** Undoes the choice, where that can be. */
  readonly onUndo?: (() => void) | null;
  readonly onChoose: () => void;
}

/** A card in a list of which a click takes one. */
export function Choice({ icon, name, description, state, onUndo = null, onChoose }: Props) {
  const t = useText();
  const id = useId();
  const choose = useRef<HTMLButtonElement>(null);
  const isDescribed = description !== null && description !== '';
  const isOff = state === 'taken' || state === 'gone';
  return (
    <li>
      <button
        type="button"
        ref={choose}
        className="product-choice"
        aria-disabled={isOff}
        aria-labelledby={`${id} ${id}-state`}
        aria-describedby={isDescribed ? `${id}-description` : undefined}
        onClick={() => {
          if (!isOff) onChoose();
        }}
      >
        {icon}
        <span>
          <strong id={id}>
            <bdi>{name}</bdi>
          </strong>
          {isDescribed && (
            <span className="caption" id={`${id}-description`} dir="auto">
              {description}
            </span>
          )}
        </span>
        {state !== undefined && (
          <span className="choice-state" id={`${id}-state`}>
            {state === 'open' && <Icon name="add" />}
            {state === 'taken' && (
              <>
                <Icon name="check" /> {t('products.isAdded')}
              </>
            )}
          </span>
        )}
      </button>
      {onUndo !== null && (
        <button
          type="button"
          className="link-button choice-undo"
          aria-describedby={id}
          onClick={({ detail }) => {
            // The second click of a double click was meant for what stood here before.
            if (detail > 1) return;
            onUndo();
            // This button goes with what it undid.
            choose.current?.focus();
          }}
        >
          {t('common.undo')}
        </button>
      )}
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
