import type { Product } from '#schema/product.ts';
import type { Project } from '#schema/project.ts';

/** What leads from a new project to its first publication, in its order. */
const FIRST_STEPS = ['product', 'content', 'build', 'publish'] as const;
export type FirstStep = (typeof FIRST_STEPS)[number];

/** How far a project's content is: `elsewhere` is with an engine of the organization's own. */
export type ContentState = 'none' | 'there' | 'elsewhere';

export interface FirstStepLine {
  readonly step: FirstStep;
  /** One at most is `now`: the first that is not done. */
  readonly is: 'done' | 'now' | 'next';
}

/**
 * Returns the way to the first publication of a project; none once there is one, while the project
 * has no repository yet, and of an archived one.
 */
export function firstStepsOf(
  { dateArchived, workflowProjectUrl }: Pick<Project, 'dateArchived' | 'workflowProjectUrl'>,
  products: readonly Pick<Product, 'dateBuilt' | 'datePublished'>[],
  content: ContentState,
): readonly FirstStepLine[] {
  const isOver = products.some(({ datePublished }) => datePublished !== null);
  if (isOver || dateArchived !== null || workflowProjectUrl === null) return [];
  const isBuilt = products.some(({ dateBuilt }) => dateBuilt !== null);
  const isDone: Readonly<Record<FirstStep, boolean>> = {
    product: products.length > 0,
    // Without content nothing can be built.
    content: content === 'there' || isBuilt,
    build: isBuilt,
    publish: false,
  };
  const steps = FIRST_STEPS.filter((step) => step !== 'content' || content !== 'elsewhere');
  const now = steps.find((step) => !isDone[step]);
  return steps.map((step) => ({
    step,
    is: isDone[step] ? 'done' : step === now ? 'now' : 'next',
  }));
}
