import { expect } from '@playwright/test';
import { openProject, untilLoaded } from './people.ts';
import { bodiesOf } from './sending.ts';
import { test } from './world.ts';

for (const [what, text] of [
  ['half a character', 'Harvest \ud83c'],
  ['U+0000', 'Harvest\0 home'],
] as const)
  test(`a form that was given ${what} says that its field is not of the right kind, changes nothing of it and sends nothing`, async ({
    page,
    world,
    harvest,
  }) => {
    await openProject(page, world.url, harvest);
    await untilLoaded(page);
    await page.getByRole('link', { name: /edit/i }).click();
    const name = page.getByLabel(/^Name/);
    // Keys cannot type it; a paste can.
    await name.evaluate(
      (field: HTMLInputElement, units) => {
        field.focus();
        Reflect.set(HTMLInputElement.prototype, 'value', String.fromCharCode(...units), field);
        field.dispatchEvent(new Event('input', { bubbles: true }));
      },
      Array.from({ length: text.length }, (_, at) => text.charCodeAt(at)),
    );
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(name).toHaveAccessibleDescription(/Name is of the wrong kind/);
    const typed = await name.evaluate(({ value }: HTMLInputElement) =>
      Array.from({ length: value.length }, (_, at) => value.charCodeAt(at)),
    );
    expect(typed).toEqual(Array.from({ length: text.length }, (_, at) => text.charCodeAt(at)));
    expect(bodiesOf(world.proxy)).toEqual([]);
  });
