import { useEffect, useRef, useState } from 'react';
import type { Of } from '#schema/index.ts';
import { useData } from '#data/react/hooks.ts';
import { Button } from '#ui/form/controls.tsx';
import { Dialog } from '#ui/overlay/dialog.tsx';
import { ProductIcon } from '#ui/picture/icon.tsx';
import { useText } from '#ui/text/text.ts';
import { useOneAtATime } from '../../app/page/use-one-at-a-time.ts';
import { Choice } from './choice.tsx';
import { asksBeforeRemoval, RemovalQuestion } from './question.tsx';

type Product = Of<'product'>;

interface Props {
  readonly products: readonly Product[];
  readonly onRemove: (product: Product, name: string) => Promise<void>;
  readonly onClose: () => void;
}

/** Removes one product after the other; closes by itself when none is left. */
export function RemoveProducts({ products, onRemove, onClose }: Props) {
  const t = useText();
  const { find } = useData();
  const [question, ask] = useState<Product | null>(null);
  const choices = useRef<HTMLUListElement>(null);
  const definitionOf = ({ productDefinition }: Product) =>
    find.one('productDefinition', productDefinition);
  const nameOf = (product: Product) => definitionOf(product)?.name ?? '';

  const { length } = products;
  useEffect(() => {
    // The card that was chosen has left, and the focus with it.
    if (document.activeElement === document.body) choices.current?.querySelector('button')?.focus();
    if (length === 0) onClose();
  }, [length, onClose]);

  const remove = useOneAtATime((product: Product) => onRemove(product, nameOf(product)));
  return (
    <>
      <Dialog
        title={t('project.products.popup.removeTitle')}
        size="medium"
        onClose={onClose}
        actions={
          <Button primary onClick={onClose}>
            {t('products.done')}
          </Button>
        }
      >
        <ul className="product-choices" ref={choices}>
          {products.map((product) => (
            <Choice
              key={product.id}
              icon={<ProductIcon name={nameOf(product)} />}
              name={nameOf(product)}
              description={definitionOf(product)?.description ?? null}
              onChoose={() => {
                if (asksBeforeRemoval(product)) ask(product);
                else void remove(product);
              }}
            />
          ))}
        </ul>
      </Dialog>
      {question !== null && (
        <RemovalQuestion
          product={question}
          name={nameOf(question)}
          onClose={() => {
            ask(null);
          }}
          onConfirm={() => void remove(question)}
        />
      )}
    </>
  );
}
