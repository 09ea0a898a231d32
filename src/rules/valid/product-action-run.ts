import { broken } from './broken.ts';
import type { RecordRules } from './form.ts';

/** A roll back is a republish, of a build of the product and instead of a publication of it. */
export const brokenActionRun: RecordRules<'productActionRun'> = ({ after, find }) => {
  const { action, product, build, insteadOf } = after;
  const isOfProduct = build === null || find.one('productBuild', build)?.product === product;
  const isBuildOdd = build !== null && (action !== 'republish' || !isOfProduct);
  const replaced = insteadOf === null ? null : find.one('productPublication', insteadOf);
  const isReplacedOdd = insteadOf !== null && (build === null || replaced?.product !== product);
  return [
    isBuildOdd ? broken('build', 'mismatch') : null,
    isReplacedOdd ? broken('insteadOf', 'mismatch') : null,
  ];
};
