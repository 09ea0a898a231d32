import { BuildFailure } from '../build/failure.ts';

/** Below it are the names made here, one for each product: nobody chooses one of them. */
const OURS = 'app.slipway';
const LONGEST = 150;
const PACKAGE = /^[a-z]\w*(\.[a-z]\w*)+$/i;

/** Says whether it is one of the names that are made here. */
export const isOurs = (name: string): boolean => name.toLowerCase().startsWith(`${OURS}.`);

/**
 * The name by which phones know an app: `PACKAGE_NAME` of its product's properties, else one made
 * of the product's id, so that it stays whatever the app is called.
 *
 * @throws BuildFailure when no app can have the name
 */
export function packageNameOf(
  product: string,
  { PACKAGE_NAME: own }: Readonly<Record<string, string>>,
): string {
  if (own === undefined || own === '') return `${OURS}.p${product.replace(/\W/g, '')}`;
  const isFit = PACKAGE.test(own) && own.length <= LONGEST;
  if (isFit && !isOurs(own)) return own;
  const shown = JSON.stringify(own.slice(0, LONGEST));
  throw new BuildFailure(
    `PACKAGE_NAME is ${shown}; it has to be of the form org.example.app, and not below ${OURS}.`,
  );
}
