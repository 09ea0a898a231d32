import { useEffect, useId, useRef, useState } from 'react';
import { mayAddProduct } from '#rules/product.ts';
import type { Of } from '#schema/index.ts';
import { useChanges } from '#data/use-changes.ts';
import { useData } from '#data/use-data.ts';
import { useList } from '#data/use-list.ts';
import { useViewer } from '#data/use-viewer.ts';
import { Note, Skeleton } from '#ui/boxes.tsx';
import { Button } from '#ui/button.tsx';
import { Icon } from '#ui/icon.tsx';
import { useText } from '#ui/text.ts';
import { AddProducts } from './add-products.tsx';
import { ProductCard } from './product-card.tsx';
import { useAddable } from './use-addable.ts';
import { useRemoving } from './use-removing.ts';
import './products.css';

interface Props {
  readonly project: Of<'project'>;
}

/** What is built from the project, and how each product stands. */
export function ProductsSection({ project }: Props) {
  const t = useText();
  const id = useId();
  const { state, rows } = useList('product', { project: project.id }, { sort: 'dateCreated' });
  const { remove, heldBack } = useRemoving(project);
  const heading = useRef<HTMLHeadingElement>(null);
  const isSetUp = project.workflowProjectUrl !== null;

  const { length } = rows;
  useEffect(() => {
    // The card whose menu had the focus went: the next Tab goes on from here.
    if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true });
  }, [length]);

  return (
    <section className="products" aria-labelledby={id}>
      <div className="products-head">
        <h2 id={id} ref={heading} tabIndex={-1}>
          {t('project.products')}
        </h2>
        <AddButton project={project} products={rows} heldBack={heldBack} />
      </div>
      {!isSetUp && <BeingSetUp project={project} />}
      {state === 'loading' && <Skeleton rows={2} />}
      {state !== 'loading' && isSetUp && length === 0 && (
        <p className="soft">{t('project.products.empty')}</p>
      )}
      {length > 0 && (
        <ul className="product-cards">
          {rows.map(({ id: product }) => (
            <ProductCard key={product} id={product} project={project} onRemove={remove} />
          ))}
        </ul>
      )}
    </section>
  );
}

/** The build engine has not made its repository yet. */
function BeingSetUp({ project }: Props) {
  const t = useText();
  const { status } = useChanges();
  return (
    <Note tone="warning">
      {project.version === 0 && status === 'offline'
        ? t('project.products.setUpWhenSent')
        : t('project.products.creationInProgress')}
    </Note>
  );
}

interface AddProps extends Props {
  readonly products: readonly Of<'product'>[];
  readonly heldBack: ReadonlySet<string>;
}

/** Opens what can be added; where nothing can, it says why. */
function AddButton({ project, products, heldBack }: AddProps) {
  const t = useText();
  const id = useId();
  const { find } = useData();
  const viewer = useViewer();
  const [isOpen, setOpen] = useState(false);
  const definitions = useAddable(project, products, heldBack);
  if (!mayAddProduct(viewer, { project: project.id }, find)) return null;

  const isSetUp = project.workflowProjectUrl !== null;
  const isArchived = project.dateArchived !== null;
  const whyNot = isArchived
    ? t('products.addWhyNot.archived')
    : isSetUp && definitions.length === 0
      ? t('products.addWhyNot.none')
      : null;
  return (
    <>
      <div className="products-add">
        {whyNot !== null && (
          <span className="caption" id={id}>
            {whyNot}
          </span>
        )}
        <Button
          disabled={!isSetUp || whyNot !== null}
          aria-describedby={whyNot === null ? undefined : id}
          onClick={() => {
            setOpen(true);
          }}
        >
          <Icon name="add" />
          {t('products.add')}
        </Button>
      </div>
      {isOpen && (
        <AddProducts
          project={project}
          definitions={definitions}
          onClose={() => {
            setOpen(false);
          }}
        />
      )}
    </>
  );
}
