const SPACED = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2})$/;
const ISO = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(:\d{2}([.,]\d{1,9})?)?(Z|[+-]\d{2}(:?\d{2})?)$/i;

/**
 * The moment that `text` names, as it travels: `2026-01-31T09:30:00.000Z`. Read are ISO 8601 with
 * a zone and `YYYY-MM-DD HH:mm:ss`, which is UTC (wire 1.4). Null when it names none.
 */
export function instantOf(text: string): string | null {
  const iso = text.trim().replace(SPACED, '$1T$2Z').replace(',', '.');
  const day = ISO.exec(iso)?.[1];
  if (day === undefined || !isDay(day)) return null;

  const ms = Date.parse(iso.toUpperCase().replace(/([+-]\d{2})$/, '$1:00'));
  if (Number.isNaN(ms)) return null;
  const moment = new Date(ms).toISOString();
  // Years beyond four digits have another form, and year 0 is none to a database.
  return moment.length === 24 && moment >= '0001' ? moment : null;
}

/** Refuses 30 February: JavaScript would make a day of March of it. */
function isDay(day: string): boolean {
  const ms = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day);
}
