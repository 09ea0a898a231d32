import { useState } from 'react';
import type { Of } from '#schema/index.ts';
import { useFind } from '#data/react/hooks.ts';
import { useText } from '#ui/text/text.ts';
import { asksBeforeRemoval, RemovalQuestion } from '../products/in-project/question.tsx';
import { useRemoving } from '../products/in-project/use-removing.ts';
import { useAskedArchiving } from '../projects/project-actions.ts';

/** Does what the project's own menu does. */
export function ArchiveInstead({ project }: { readonly project: Of<'project'> }) {
  const t = useText();
  const { run, question } = useAskedArchiving();
  return (
    <>
      <button
        type="button"
        className="link-button"
        onClick={() => {
          run('archive', [project]);
        }}
      >
        {t('changes.archiveInstead')}
      </button>
      {question}
    </>
  );
}

/** Does what the product's own menu does, and asks what that asks. */
export function RemoveInstead({ product }: { readonly product: Of<'product'> }) {
  const find = useFind();
  const project = find.one('project', product.project);
  return project === null ? null : <Remove product={product} project={project} />;
}

interface Props {
  readonly product: Of<'product'>;
  readonly project: Of<'project'>;
}

function Remove({ product, project }: Props) {
  const t = useText();
  const find = useFind();
  const { remove } = useRemoving(project);
  const [isAsked, setAsked] = useState(false);
  const name = find.one('productDefinition', product.productDefinition)?.name ?? '';
  const run = () => void remove(product, name);
  return (
    <>
      <button
        type="button"
        className="link-button"
        onClick={() => {
          if (asksBeforeRemoval(product)) setAsked(true);
          else run();
        }}
      >
        {t('products.remove')}
      </button>
      {isAsked && (
        <RemovalQuestion
          product={product}
          name={name}
          onClose={() => {
            setAsked(false);
          }}
          onConfirm={run}
        />
      )}
    </>
  );
}
