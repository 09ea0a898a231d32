/**
 * Returns the fields of a form that was sent. A field that is sent twice counts as missing: nobody
 * knows which of the two was meant.
 */
export function formFieldsIn(body: string): Readonly<Record<string, string>> {
  const sent = new Map<string, string | null>();
  // Each is looked at once: strangers send as many as a body holds.
  for (const [name, value] of new URLSearchParams(body))
    sent.set(name, sent.has(name) ? null : value);
  return Object.fromEntries(
    [...sent].filter((field): field is [string, string] => field[1] !== null),
  );
}
