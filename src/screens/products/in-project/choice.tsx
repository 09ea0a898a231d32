import type { ReactNode } from 'react';

interface Props {
  readonly icon?: ReactNode;
  readonly name: string;
  readonly description: string | null;
  readonly onChoose: () => void;
}

/** A card in a list of which a click takes one. */
export function Choice({ icon, name, description, onChoose }: Props) {
  return (
    <li>
      <button type="button" className="product-choice" onClick={onChoose}>
        {icon}
        <span>
          <strong>{name}</strong>
          {description !== null && description !== '' && (
            <span className="caption">{description}</span>
          )}
        </span>
      </button>
    </li>
  );
}
