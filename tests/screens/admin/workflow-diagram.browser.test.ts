import { expect } from 'chai';
import { kebab } from '#base/kebab.ts';
import type { MachineShape } from '#protocol/workflow.ts';
import { layOut } from '#screens/admin/workflow/diagram/lay-out.ts';
import type { Drawing, LabelledArrow } from '#screens/admin/workflow/diagram/lay-out.ts';
import type { Box, Point } from '#screens/admin/workflow/diagram/arrows.ts';
import { overlap, wrapped } from '#screens/admin/workflow/diagram/labels.ts';
import { wordsOf } from '#screens/admin/workflow/use-step-words.ts';
import { machines } from '#server/domain/workflow/machines/machines.ts';
import { shapeOf } from '#server/domain/workflow/diagram-shape.ts';
import english from '#text/en-US.json?late';
import spanish from '#text/es-419.json?late';
import french from '#text/fr-FR.json?late';

const texts = { 'en-US': english, 'es-419': spanish, 'fr-FR': french };

/** Every machine in every language. */
const drawn = Object.entries(texts).flatMap(([language, text]) =>
  [...machines].map(([scheme, machine]) => {
    const shape = shapeOf(machine);
    const say = (key: string) => text[key] ?? key;
    const words = ({ steps }: { readonly steps: MachineShape['steps'] }) =>
      wordsOf(
        steps,
        ({ who, given }) =>
          say(`${who === null ? 'workflow.happening' : 'commands'}.${kebab(given)}`),
        (who) => say(`workflow.who.${who}`),
      );
    return { name: `${scheme} in ${language}`, shape, words, drawing: layOut(shape, words) };
  }),
);

describe('[16.3] the diagram of every machine', () => {
  for (const { name, shape, words, drawing } of drawn)
    describe(name, () => {
      it('has each state and each step once', () => {
        expect(drawing.boxes.map(({ state }) => state)).to.have.members(
          shape.states.map((state) => state.name),
        );
        expect(drawing.arrows.flatMap(({ steps }) => steps)).to.have.members(shape.steps);
      });

      it('has boxes and words that do not cover each other', () => {
        const areas = [...drawing.boxes, ...drawing.arrows.map(({ label }) => label)];
        const covered = areas.flatMap((one, n) =>
          areas.slice(n + 1).filter((other) => overlap(one, other)),
        );
        expect(covered).to.deep.equal([]);
      });

      it('has arrows from the edge of a box to that of another, past all others', () => {
        for (const arrow of drawing.arrows) {
          const [from, to] = [boxOf(drawing, arrow.from), boxOf(drawing, arrow.to)];
          expect(isOnEdge(from, arrow.points[0]), arrow.from).to.equal(true);
          expect(isOnEdge(to, arrow.points.at(-1)), arrow.to).to.equal(true);
          const crossed = drawing.boxes.filter((box) => runsThrough(arrow, box));
          expect(
            crossed.map(({ state }) => state),
            arrow.from,
          ).to.deep.equal([]);
        }
      });

      it('keeps within its edges, and is the same every time', () => {
        for (const { x, y, width, height } of [
          ...drawing.boxes,
          ...drawing.arrows.map(({ label }) => label),
        ]) {
          expect(Math.min(x, y)).to.be.at.least(0);
          expect(x + width).to.be.at.most(drawing.width);
          expect(y + height).to.be.at.most(drawing.height);
        }
        expect(layOut(shape, words)).to.deep.equal(drawing);
      });
    });

  it('goes straight down the usual way', () => {
    const play = drawn.find(({ name }) =>
      name.startsWith('AppBuilders_Default_Android_GooglePlay '),
    );
    const [first] = play?.drawing.boxes ?? [];
    const column = play?.drawing.boxes.filter(({ x }) => x === first?.x) ?? [];
    expect(column.map(({ state }) => state)).to.deep.equal([
      'Readiness Check',
      'Approval',
      'Product Creation',
      'App Builder Configuration',
      'Product Build',
      'App Store Preview',
      'Create App Store Entry',
      'Verify and Publish',
      'Product Publish',
      'Make It Live',
      'Published',
    ]);
  });

  it('draws a machine that it could not know: with a state that nothing leads to, and a way round', () => {
    const state = (name: string) => ({ name, kind: 'people', isMovable: true }) as const;
    const step = (from: string, to: string) =>
      ({ from, to, who: 'Owner', given: 'Go', direction: 'forward' }) as const;
    const drawing = layOut(
      {
        scheme: 'Round',
        starts: ['A'],
        states: ['A', 'B', 'Alone'].map(state),
        steps: [step('A', 'B'), step('B', 'A'), step('B', 'Nowhere')],
      },
      () => ['Go'],
    );
    expect(drawing.boxes.map((box) => box.state)).to.include.members(['A', 'B', 'Alone']);
  });

  it('has words in lines that are no longer than they may be, but for a long word', () => {
    expect(wrapped('Create App Store Entry', 14)).to.deep.equal(['Create App', 'Store Entry']);
    expect(wrapped('Internationalization now', 8)).to.deep.equal(['Internationalization', 'now']);
  });
});

function boxOf({ boxes }: Drawing, state: string): Box {
  const box = boxes.find((each) => each.state === state);
  if (box === undefined) throw new Error(`${state} has no box`);
  return box;
}

function isOnEdge({ x, y, width, height }: Box, point: Point | undefined): boolean {
  if (point === undefined) return false;
  const isBeside = point.x === x || point.x === x + width;
  const isAbove = point.y === y || point.y === y + height;
  return (
    (isBeside && point.y > y && point.y < y + height) ||
    (isAbove && point.x > x && point.x < x + width)
  );
}

function runsThrough({ points }: LabelledArrow, box: Box): boolean {
  return points.slice(1).some((point, n) => {
    const before = points[n] ?? point;
    const [x, y] = [Math.min(before.x, point.x), Math.min(before.y, point.y)];
    const width = Math.abs(before.x - point.x);
    return overlap({ x, y, width, height: Math.abs(before.y - point.y) }, box);
  });
}
