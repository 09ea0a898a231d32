export const frame = (): Promise<unknown> =>
  new Promise((resolve) => requestAnimationFrame(resolve));

/** Until the page has been drawn: whatever comes next finds the browser idle, as a person does. */
export async function drawn(): Promise<void> {
  await frame();
  await frame();
}

export const medianOf = (values: number[]): number =>
  values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
