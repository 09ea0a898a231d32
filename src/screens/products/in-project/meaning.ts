import { platformOf } from '#rules/platform.ts';
import type { Find } from '#rules/find.ts';
import type { Of } from '#schema/index.ts';
import type { Say } from '#ui/text/text.ts';

/** What the workflows of an installation come to, by the scheme of the first one. */
const KINDS = {
  AppBuilders_Default_Android_GooglePlay: 'play',
  AppBuilders_LowAdmin_Android_GooglePlay: 'playLowAdmin',
  AppBuilders_OwnerAdmin_Android_GooglePlay: 'playOwner',
  AppBuilders_Default_Android_S3: 'files',
  AppBuilders_NoAdmin_Android_S3: 'filesNoAdmin',
  AppBuilders_Default_Pwa_Cloud: 'pwa',
  AppBuilders_Default_Html_Cloud: 'html',
} as const;

const isKnown = (scheme: string): scheme is keyof typeof KINDS => Object.hasOwn(KINDS, scheme);

/**
 * Returns in a sentence what a definition means: the first of its description, else what its
 * workflow comes to; null: neither says it.
 */
export function meaningOf(
  { name, description, workflow }: Of<'productDefinition'>,
  find: Find,
  t: Say,
): string | null {
  const own = firstSentence(description ?? '');
  if (own !== '') return own;
  if (platformOf(name) === 'package') return t('products.means.package');
  const scheme = find.one('workflowDefinition', workflow)?.workflowScheme ?? '';
  return isKnown(scheme) ? t(`products.means.${KINDS[scheme]}`) : null;
}

/** Returns the first line up to the end of its first sentence. */
function firstSentence(text: string): string {
  const [line = ''] = text.trim().split('\n', 1);
  return /^.*?[.!?…。؟।](?=\s|$)/u.exec(line)?.[0] ?? line.trimEnd();
}
