import type { Of } from '#schema/index.ts';
import { QrCode } from '#ui/picture/qr-code.tsx';
import { useText } from '#ui/text/text.ts';
import { useIsOut } from '../in-project/published-files.ts';
import '../published-page.css';

interface Props {
  readonly product: Of<'product'>;
  readonly build: Of<'productBuild'>;
}

/**
 * Leads a phone to the files of a build that is not out yet: the code is of this page, which asks
 * there who one is. It is folded where something is out, whose own code stands below.
 */
export function BuildOnPhone({ product, build }: Props) {
  const t = useText();
  const isOut = useIsOut(product);
  const address = new URL(`/products/${product.id}/files?build=${build.id}`, location.href).href;
  return (
    <details className="files-box build-on-phone" open={!isOut}>
      <summary>
        <h2>{t('files.phone.title')}</h2>
      </summary>
      <div className="published-page">
        <QrCode text={address} label={t('products.page.code', { address })} />
        <p className="soft">{t('files.phone.hint')}</p>
      </div>
    </details>
  );
}
