import type { ReactNode } from 'react';
import { Link, useNavigate, useParams } from 'react-router-dom';
import type { Of } from '#schema/index.ts';
import type { ChangeState } from '#data/model/change.ts';
import { compareTexts } from '#rules/record/display.ts';
import { useFind, useList, useRecord } from '#data/react/hooks.ts';
import type { MenuEntry } from '#ui/overlay/menu-button.tsx';
import { ProductName } from '#ui/picture/icon.tsx';
import { useText } from '#ui/text/text.ts';
import { Trail } from '#ui/page/trail.tsx';
import { DetailPage } from '../app/page/detail-page.tsx';
import { useRemembersView } from '../app/page/device/recently-viewed.ts';
import { Decided, Found, projectEditors } from '../app/page/guards.tsx';
import { ProductStatusChip } from '../app/page/status/product-status.tsx';
import { ProductMenu } from './in-project/product-menu.tsx';
import type { ProductPart } from './in-project/product-menu.tsx';
import { useProductRun } from './in-project/use-product-run.ts';
import { useRemoving } from './in-project/use-removing.ts';
import '../flow/flow.css';

interface Props {
  /** What of the product the page shows. */
  readonly part: ProductPart;
  /** What the page is called; left out where it is the product's own. */
  readonly title?: string;
  readonly className: string;
  /** The id of what says, while offline, that parts of the page need a connection. */
  readonly needsConnection?: string;
  /** `change`: the state of the product's changes. */
  readonly children: (product: Of<'product'>, change: ChangeState | null) => ReactNode;
}

/** A page about the product that the address names, for whoever may edit its project. */
export function ProductPage(props: Props) {
  const { productId = '' } = useParams();
  return (
    <Found type="product" id={productId} guard={projectEditors}>
      {(product, change) => (
        <OfProject key={product.id} product={product} change={change} {...props} />
      )}
    </Found>
  );
}

interface OfProjectProps extends Props {
  readonly product: Of<'product'>;
  readonly change: ChangeState | null;
}

function OfProject(props: OfProjectProps) {
  const { record: project } = useRecord('project', props.product.project);
  return (
    <Decided guard={projectEditors} project={project}>
      {project !== null && <OneProduct project={project} {...props} />}
    </Decided>
  );
}

interface OneProductProps extends OfProjectProps {
  readonly project: Of<'project'>;
}

function OneProduct(props: OneProductProps) {
  const { product, project, part, title, needsConnection, className, children } = props;
  const t = useText();
  const { record: definition } = useRecord('productDefinition', product.productDefinition);
  const name = definition?.name ?? '';
  const siblings = useSiblings(product);
  useRemembersView('product', product.id);
  const links = [
    <Link key="project" to={`/projects/${project.id}`}>
      <bdi>{project.name}</bdi>
    </Link>,
  ];
  if (part === 'builds')
    links.push(
      <Link key="files" to={`/products/${product.id}/files`}>
        <bdi>{name}</bdi>
      </Link>,
    );
  return (
    <DetailPage
      record={{ type: 'product', id: product.id, change: props.change }}
      title={`${title ?? name} · ${title === undefined ? project.name : name}`}
      heading={title ?? <ProductName name={name} />}
      trail={
        part === 'builds' ? (
          <Trail here={t('builds.title')}>{links}</Trail>
        ) : (
          <Trail
            here={name}
            siblings={
              siblings.length > 1
                ? { label: t('products.switch', { name }), entries: siblings }
                : null
            }
          >
            {links}
          </Trail>
        )
      }
      facts={
        <>
          {title !== undefined && <ProductName name={name} className="fact" />}
          <span className="fact">
            <ProductStatusChip product={product} />
          </span>
        </>
      }
      more={<div dir="auto">{definition?.description}</div>}
      {...(needsConnection === undefined ? {} : { needsConnection })}
      actions={<Menu name={name} {...props} />}
      className={`stack ${className}`}
    >
      {children(product, props.change)}
    </DetailPage>
  );
}

/** The pages of all products of the project, by name, with the present one marked. */
function useSiblings({ id, project }: Of<'product'>): readonly MenuEntry[] {
  const find = useFind();
  const navigate = useNavigate();
  return useList('product', { project })
    .rows.map((product): MenuEntry => {
      const href = `/products/${product.id}/files`;
      return {
        id: product.id,
        label: find.one('productDefinition', product.productDefinition)?.name ?? '',
        isChosen: product.id === id,
        href,
        run: () => void navigate(href),
      };
    })
    .sort((a, b) => compareTexts(a.label, b.label));
}

/**
 * The menu of the product's card; a person who removes the product here goes back to the project.
 */
function Menu({
  product,
  project,
  change,
  name,
  part,
}: OneProductProps & { readonly name: string }) {
  const navigate = useNavigate();
  const names = { product: name, project: project.name };
  const { underWay, run } = useProductRun(product, change, names);
  const { remove } = useRemoving(project);
  return (
    <ProductMenu
      product={product}
      name={name}
      isRunning={underWay !== null}
      onRun={run}
      onRemove={() => {
        // Its page may have to be loaded; until it shows, this one needs the product.
        void Promise.resolve(navigate(`/projects/${project.id}`)).then(() => remove(product, name));
      }}
      part={part}
    />
  );
}
