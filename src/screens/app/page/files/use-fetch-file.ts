import { useViewer } from '#data/react/hooks.ts';
import { useFiles } from '#files/files.ts';
import { useText } from '#ui/text/text.ts';
import { useToast } from '#ui/overlay/toasts.tsx';
import { useFileTrouble } from './use-file-trouble.ts';

/** Has the browser save or show the file at one of our addresses, and says when it cannot be had. */
export function useFetchFile(how: 'save' | 'show'): (address: string) => Promise<void> {
  const t = useText();
  const { id: user } = useViewer();
  const files = useFiles(user);
  const show = useToast();
  const troubleOf = useFileTrouble();
  return async (address) => {
    const outcome = await files.fetchFile(address, how);
    if (outcome.is === 'done') return;
    show({ tone: 'error', title: t('files.notDownloaded'), detail: troubleOf(outcome) });
  };
}
