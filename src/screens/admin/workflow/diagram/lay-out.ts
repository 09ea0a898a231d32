import type { MachineShape } from '#protocol/workflow.ts';
import { arrowsOf, boxOf } from './arrows.ts';
import type { Arrow, Box } from './arrows.ts';
import { placesOf } from './grid.ts';
import { labelsOf } from './labels.ts';
import type { Label } from './labels.ts';

export interface LabelledArrow extends Arrow {
  readonly label: Label;
}

/** The diagram of a machine, in px; what it says is in the reader's language. */
export interface Drawing {
  readonly width: number;
  readonly height: number;
  /** The boxes from the top left, row by row. */
  readonly boxes: readonly Box[];
  readonly arrows: readonly LabelledArrow[];
}

const MARGIN = 8;

/** @param say what is written beside an arrow, a step a line */
export function layOut(shape: MachineShape, say: (arrow: Arrow) => readonly string[]): Drawing {
  const places = placesOf(shape);
  const boxes = [...places]
    .toSorted(([, a], [, b]) => a.row - b.row || a.column - b.column)
    .map(([state, place]) => boxOf(state, place));
  const arrows = arrowsOf(shape.steps, places);
  const labels = labelsOf(arrows, boxes, say);
  const right = [
    ...boxes.map(({ x, width }) => x + width),
    ...arrows.flatMap(({ points }) => points.map(({ x }) => x)),
    ...[...labels.values()].map(({ x, width }) => x + width),
  ];
  return {
    width: Math.max(0, ...right) + MARGIN,
    height: Math.max(0, ...boxes.map(({ y, height }) => y + height)) + MARGIN,
    boxes,
    arrows: arrows.flatMap((arrow) => {
      const label = labels.get(arrow);
      return label === undefined ? [] : [{ ...arrow, label }];
    }),
  };
}
