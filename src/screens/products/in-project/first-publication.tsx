import { Link } from 'react-router-dom';
import { Segment } from 'semantic-ui-react';
import { isBundled } from '#protocol/file-paths.ts';
import { firstStepsOf } from '#rules/record/first-publication.ts';
import type { ContentState, FirstStep, FirstStepLine } from '#rules/record/first-publication.ts';
import { answersFor } from '#rules/project.ts';
import type { Of } from '#schema/index.ts';
import { useFind, useList, useViewer } from '#data/react/hooks.ts';
import { CheckList, CheckListLine } from '#ui/status/check-list.tsx';
import { useText } from '#ui/text/text.ts';
import { flowPathOf } from '../../flow/task.tsx';

interface Props {
  readonly project: Of<'project'>;
  /** The server said that content was uploaded; false also while it has not been asked. */
  readonly hasUploads: boolean;
}

/**
 * The way from a new project to its first publication, for those who can take it: it follows the
 * records, and goes once something is published.
 */
export function FirstPublication({ project, hasUploads }: Props) {
  const t = useText();
  const viewer = useViewer();
  const { state, rows: products } = useList(
    'product',
    { project: project.id },
    { sort: 'dateCreated' },
  );
  const content = useContentState(project, products[0]?.id ?? '', hasUploads);
  const lines = firstStepsOf(project, products, content);
  if (state === 'loading' || lines.length === 0 || !answersFor(viewer, project)) return null;
  return (
    <Segment>
      <h2>{t('project.firstSteps.title')}</h2>
      <CheckList>
        {lines.map((line) => (
          <Line key={line.step} line={line} products={products} />
        ))}
      </CheckList>
    </Segment>
  );
}

/**
 * Uploads stand in the history of the products that were there; the server knows the others too.
 *
 * @param oldest the product that has been there longest; empty: there is none
 */
function useContentState(
  { workflowProjectUrl }: Of<'project'>,
  oldest: string,
  hasUploads: boolean,
): ContentState {
  const { rows } = useList('productTransition', { product: oldest });
  const isUploaded = rows.some(({ initialState }) => initialState === 'Project Upload');
  if (workflowProjectUrl !== null && !isBundled(workflowProjectUrl)) return 'elsewhere';
  return hasUploads || isUploaded ? 'there' : 'none';
}

interface LineProps {
  readonly line: FirstStepLine;
  readonly products: readonly Of<'product'>[];
}

function Line({ line: { step, is }, products }: LineProps) {
  const t = useText();
  const text = t(`project.firstSteps.${step}`);
  return (
    <CheckListLine is={is} mark={t('project.firstSteps.done')}>
      {is === 'next' ? (
        <span className="soft">{text}</span>
      ) : (
        <LineLink step={step} text={text} products={products} />
      )}
    </CheckListLine>
  );
}

interface LineLinkProps {
  readonly step: FirstStep;
  readonly text: string;
  readonly products: LineProps['products'];
}

/** Leads to where the step is taken: a part of this page, or the step that a product is at. */
function LineLink({ step, text, products }: LineLinkProps) {
  const find = useFind();
  if (step === 'product' || step === 'content') {
    const part = step === 'product' ? 'products' : 'repository';
    return (
      <button
        type="button"
        className="link-button"
        onClick={() => {
          showPart(part);
        }}
      >
        {text}
      </button>
    );
  }
  const atWork = products.find(
    ({ dateBuilt, workflowState }) =>
      workflowState !== null && (step === 'build' || dateBuilt !== null),
  );
  const product = atWork ?? products[0];
  if (product === undefined) return text;
  const to = atWork === undefined ? `/products/${product.id}/files` : flowPathOf(atWork, find);
  return <Link to={to}>{text}</Link>;
}

/** Brings a part of the page into view, open, and gives its heading the focus. */
function showPart(id: string): void {
  const part = document.getElementById(id);
  const folded = part?.querySelector('details');
  if (folded) folded.open = true;
  part?.scrollIntoView({ block: 'start' });
  part?.querySelector<HTMLElement>('h2')?.focus({ preventScroll: true });
}
