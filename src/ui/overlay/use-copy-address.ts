import { useText } from '../text/text.ts';
import { useToast } from './toasts.tsx';

/**
 * Copies an address, made whole by that of the page, and says so. Where the browser lets nobody
 * write to the clipboard the address shows, to be copied by hand.
 */
export function useCopyAddress(): (address: string) => Promise<void> {
  const t = useText();
  const show = useToast();
  return async (address) => {
    const { href } = new URL(address, location.href);
    try {
      await navigator.clipboard.writeText(href);
      show({ tone: 'success', title: t('products.addressCopied') });
    } catch {
      show({ tone: 'error', title: t('products.addressNotCopied'), detail: href });
    }
  };
}
