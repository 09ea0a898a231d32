import { html as markup, nothing } from '#base/html.ts';
import type { Html } from '#base/html.ts';
import { sizeOf } from '#base/file-size.ts';
import { ourOwn, translate } from '#text/say.ts';
import type { MailTextKey, TextValues } from '#text/say.ts';
import { textFor } from '../content/app-file.ts';
import { linkColors } from '#base/colour.ts';
import type { SiteFile } from '../content/files.ts';
import { directionOf, ownName } from '#base/language-tag.ts';
import type { BuiltFile } from '../build/order.ts';
import { digestsOf } from './digests.ts';
import type { BuildInput } from './target.ts';
import { builtFile, writeOut } from './write.ts';

const ICON_PX = 128;
/** More would not be read; the package's own manifest has them all. */
const MOST_FILES = 500;

/** One page, by itself, that shows what `files` are before anyone unpacks them. */
export async function previewFile(
  work: BuildInput,
  type: string,
  files: readonly SiteFile[],
): Promise<BuiltFile> {
  const { app, name, site, order } = work;
  const ours = ourOwn(app.language) ?? 'en-US';
  const text = (key: MailTextKey, values?: TextValues) => translate(ours, key, values);
  const number = (n: number) => new Intl.NumberFormat(ours).format(n);
  const digests = await digestsOf(files);
  const sizeBytes = digests.reduce((sum, file) => sum + file.sizeBytes, 0);
  const languages = site.languages.map(ownName).join(', ');
  const description = textFor(app.descriptions, app.language);
  const rows = digests
    .slice(0, MOST_FILES)
    .map(
      (file) =>
        markup`<tr><td>${file.path}</td><td class="size">${sizeOf(file.sizeBytes, ours)}</td><td><code title="${file.sha256}">${file.sha256.slice(0, 12)}</code></td></tr>\n`,
    );
  const more = digests.length - rows.length;
  const picture = (await work.icon.plain(ICON_PX)).toString('base64');
  const body = markup`<img src="data:image/png;base64,${picture}" alt="" width="96" height="96">
<h1 lang="${app.language}" dir="${directionOf(app.language)}">${name}</h1>
${description === null ? nothing : markup`<p lang="${app.language}" dir="${directionOf(app.language)}">${description}</p>`}
<dl>
<dt>${text('site.version')}</dt><dd>${order.version.name} (${String(order.version.code)})</dd>
<dt>${text('site.languages')}</dt><dd>${languages}</dd>
<dt>${text('site.pageCount')}</dt><dd>${number(site.pages)}</dd>
<dt>${text('site.files')}</dt><dd>${number(digests.length)}, ${sizeOf(sizeBytes, ours)}</dd>
</dl>
<h2>${text('site.files')}</h2>
<table><thead><tr><th scope="col">${text('site.file')}</th><th scope="col">${text('site.size')}</th><th scope="col">SHA-256</th></tr></thead><tbody>
${rows}</tbody></table>
${more > 0 ? markup`<p>${text('site.moreFiles', { count: more })}</p>` : nothing}`;
  await writeOut(work, `${type}.html`, pageOf(name, app.color, ours, body));
  return builtFile(work, type, `${type}.html`);
}

/** A page in `language` that needs no other file and asks for nothing. */
export function pageOf(title: string, color: string, language: string, body: Html): string {
  const { day, night } = linkColors(color);
  return markup`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>
body { font: 100%/1.6 system-ui, sans-serif; max-width: 50rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere; }
h1, h2 { line-height: 1.25; color: ${day}; }
@media (prefers-color-scheme: dark) { body { background: #16181c; color: #e7e9ec; } h1, h2 { color: ${night}; } }
dl { display: grid; grid-template-columns: fit-content(40%) 1fr; gap: 0.25rem 1.5rem; }
dt { font-weight: 600; } dd { margin: 0; }
table { border-collapse: collapse; width: 100%; } th, td { text-align: start; padding: 0.25rem 0.75rem 0.25rem 0; border-bottom: 1px solid #8886; vertical-align: top; }
.size { white-space: nowrap; }
.text { white-space: pre-line; }
</style>
</head>
<body>
${body}
</body>
</html>
`.html;
}
