import { useEffect, useId, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { mayAdminister } from '#rules/organization.ts';
import { mayAddProduct } from '#rules/product.ts';
import { mayEditProject } from '#rules/project.ts';
import type { Of } from '#schema/index.ts';
import { useChanges, useFind, useList, useViewer } from '#data/react/hooks.ts';
import { Note, Skeleton } from '#ui/status/boxes.tsx';
import { Button } from '#ui/form/controls.tsx';
import { Icon, ProductIcon } from '#ui/picture/icon.tsx';
import type { IconName } from '#ui/picture/icon.tsx';
import { useText } from '#ui/text/text.ts';
import { AddProducts } from './add-products.tsx';
import { ProductCard } from './product-card.tsx';
import { useRemoving } from './use-removing.ts';
import type { Removing } from './use-removing.ts';
import './products.css';
import { isDefinitionEnabled } from '#rules/valid/product.ts';
import { useAdminNames } from '../../app/page/empty/next-step.tsx';
import { useOneAtATime } from '../../app/page/use-one-at-a-time.ts';
import { Choice, ChoicesDialog } from './choice.tsx';
import { asksBeforeRemoval, RemovalQuestion } from './question.tsx';

interface ProductsSectionProps {
  readonly project: Of<'project'>;
}

/** Lists what is built from the project, and the state of each product. */
export function ProductsSection({ project }: ProductsSectionProps) {
  const t = useText();
  const id = useId();
  const viewer = useViewer();
  const { state, rows } = useList('product', { project: project.id }, { sort: 'dateCreated' });
  const removing = useRemoving(project);
  const heading = useRef<HTMLHeadingElement>(null);
  const isSetUp = project.workflowProjectUrl !== null;

  const { length } = rows;
  useEffect(() => {
    // The card whose menu had the focus went: the next Tab goes on from here.
    if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true });
  }, [length]);

  return (
    <section className="products" id="products" aria-labelledby={id}>
      <div className="products-head">
        <h2 id={id} ref={heading} tabIndex={-1}>
          {t('project.products')}
        </h2>
        <Buttons project={project} products={rows} removing={removing} />
      </div>
      {!isSetUp && <BeingSetUp project={project} />}
      {state === 'loading' && <Skeleton rows={2} />}
      {state !== 'loading' && isSetUp && length === 0 && <NoProducts project={project} />}
      {length > 0 && (
        <ul className="product-cards">
          {rows.map(({ id: product }) => (
            <ProductCard key={product} id={product} project={project} onRemove={removing.remove} />
          ))}
        </ul>
      )}
      {length > 0 && mayEditProject(viewer, project) && (
        <Link to={`/projects/${project.id}/builds`}>{t('builds.all')}</Link>
      )}
    </section>
  );
}

/** Says that there are none, and what leads to the first: switching products on, or adding one. */
function NoProducts({ project: { id: project, organization } }: ProductsSectionProps) {
  const t = useText();
  const find = useFind();
  const viewer = useViewer();
  const admins = useAdminNames(organization);
  const { state, total } = useList('organizationProductDefinition', { organization });
  const isNoneOffered = state === 'ready' && total === 0;
  const next = () => {
    if (isNoneOffered) return t('project.products.noneOffered', { admins });
    return mayAddProduct(viewer, { project }, find)
      ? t('project.products.emptyText')
      : t('project.authorForm.whoAdds');
  };
  const leadsToSettings = isNoneOffered && mayAdminister(viewer, organization);
  return (
    <>
      <p className="soft">{t('project.products.empty')}</p>
      <p className="caption">{t('project.products.meaning')}</p>
      {leadsToSettings ? (
        <Link to={`/organizations/${organization}/settings/products`}>
          {t('project.products.popup.toSettings')}
        </Link>
      ) : (
        <p className="caption">{next()}</p>
      )}
    </>
  );
}

/** The build engine has not made its repository yet. */
function BeingSetUp({ project }: ProductsSectionProps) {
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

interface ButtonsProps extends ProductsSectionProps {
  readonly products: readonly Of<'product'>[];
  readonly removing: Removing;
}

/** Open what can be added and what can be removed; where nothing can, they say why. */
function Buttons({ project, products, removing }: ButtonsProps) {
  const t = useText();
  const find = useFind();
  const viewer = useViewer();
  const [opened, open] = useState<'add' | 'remove' | null>(null);
  const definitions = useAddable(project, products, removing.heldBack);
  if (!mayAddProduct(viewer, { project: project.id }, find)) return null;

  const isSetUp = project.workflowProjectUrl !== null;
  const isFull = isSetUp && definitions.length === 0;
  const { organization } = project;
  const isOffered = find.all('organizationProductDefinition', { organization }).length > 0;
  const whyNotFull = t(`products.addWhyNot.${isOffered ? 'none' : 'notOffered'}`);
  const whyNotAdd = isFull ? whyNotFull : null;
  const close = () => {
    open(null);
  };
  return (
    <>
      <div className="products-add">
        <Opener
          icon="add"
          label={t('products.add')}
          isOff={!isSetUp}
          whyNot={project.dateArchived === null ? whyNotAdd : t('products.addWhyNot.archived')}
          onOpen={() => {
            open('add');
          }}
        />
        {(products.length > 0 || opened === 'remove') && (
          <Opener
            icon="bin"
            label={t('project.products.popup.removeTitle')}
            isOff={!isSetUp}
            whyNot={null}
            onOpen={() => {
              open('remove');
            }}
          />
        )}
      </div>
      {opened === 'add' && (
        <AddProducts project={project} definitions={definitions} onClose={close} />
      )}
      {opened === 'remove' && (
        <RemoveProducts products={products} onRemove={removing.remove} onClose={close} />
      )}
    </>
  );
}

interface OpenerProps {
  readonly icon: IconName;
  readonly label: string;
  readonly isOff: boolean;
  /** Stands beside it while it is off; null: it is not, or what is above says so. */
  readonly whyNot: string | null;
  readonly onOpen: () => void;
}

function Opener({ icon, label, isOff, whyNot, onOpen }: OpenerProps) {
  const id = useId();
  return (
    <>
      {whyNot !== null && (
        <span className="caption" id={id}>
          {whyNot}
        </span>
      )}
      <Button
        disabled={isOff || whyNot !== null}
        aria-describedby={whyNot === null ? undefined : id}
        onClick={onOpen}
      >
        <Icon name={icon} />
        {label}
      </Button>
    </>
  );
}

/**
 * Lists by name what the project's organization has switched on and the project has not got.
 *
 * @param heldBack definitions whose product is being removed: the server has it still
 */
function useAddable(
  { organization }: Of<'project'>,
  products: readonly Of<'product'>[],
  heldBack: ReadonlySet<string>,
): readonly Of<'productDefinition'>[] {
  const find = useFind();
  const { rows: definitions } = useList('productDefinition', {}, { sort: 'name' });
  // The rule looks at both: what changes in them changes what can be added.
  useList('organizationProductDefinition', { organization });
  useList('workflowDefinition', {});

  const there = new Set(products.map(({ productDefinition }) => productDefinition));
  return definitions.filter(
    (definition) =>
      !there.has(definition.id) &&
      !heldBack.has(definition.id) &&
      isDefinitionEnabled(definition, organization, find),
  );
}

type Product = Of<'product'>;

interface RemoveProductsProps {
  readonly products: readonly Product[];
  readonly onRemove: (product: Product, name: string) => Promise<void>;
  readonly onClose: () => void;
}

/** Removes one product after the other; closes by itself when none is left. */
function RemoveProducts({ products, onRemove, onClose }: RemoveProductsProps) {
  const t = useText();
  const find = useFind();
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
      <ChoicesDialog title={t('project.products.popup.removeTitle')} onClose={onClose}>
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
      </ChoicesDialog>
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
