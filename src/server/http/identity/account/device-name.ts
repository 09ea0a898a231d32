import bowser from 'bowser';

/** Such as "Firefox, Windows"; null when the browser says nothing that is known. */
export function deviceNameOf(userAgent: string | null): string | null {
  if (userAgent === null || userAgent === '') return null;
  const { browser, os } = bowser.parse(userAgent);
  const parts = [browser.name, os.name].filter((part) => part !== undefined && part !== '');
  return parts.length === 0 ? null : parts.join(', ');
}
