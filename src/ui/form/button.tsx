import type { ButtonHTMLAttributes } from 'react';

interface Props extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className'> {
  /** The one that leads on; at most one a view. */
  readonly primary?: boolean;
  /** Takes something away. */
  readonly negative?: boolean;
  readonly fluid?: boolean;
  readonly loading?: boolean;
}

/**
 * A button in Semantic's markup. Semantic's own component would bring labels, pictures, dimmers and
 * portals into the first load, none of which is used.
 */
export function Button({ primary, negative, fluid, loading, type = 'button', ...rest }: Props) {
  const looks = { primary, negative, fluid, loading };
  const names = Object.entries(looks).flatMap(([name, isSo]) => (isSo === true ? name : []));
  return <button {...rest} type={type} className={['ui', ...names, 'button'].join(' ')} />;
}
