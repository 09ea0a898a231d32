/** What somebody waits for until it is given. */
export interface Signal {
  readonly given: Promise<void>;
  readonly give: () => void;
}

export function aSignal(): Signal {
  let give = (): void => undefined;
  const given = new Promise<void>((resolve) => (give = resolve));
  return { given, give };
}
