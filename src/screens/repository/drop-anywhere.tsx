import { useEffect, useRef, useState } from 'react';
import type { Of } from '#schema/index.ts';
import { useUploading } from '#files/files.ts';
import type { Files } from '#files/files.ts';
import { Icon } from '#ui/picture/icon.tsx';
import { useText } from '#ui/text/text.ts';

interface Props {
  readonly project: Of<'project'>;
  readonly files: Files;
}

/**
 * Takes a file that is dropped anywhere on the page as the project's next upload, and says so while
 * one is dragged over it. The button stands for it on the keyboard.
 */
export function DropAnywhere({ project, files }: Props) {
  const t = useText();
  const { is } = useUploading(files, project.id);
  const isFree = is !== 'sending' && is !== 'checking';
  const place = useRef<HTMLDivElement>(null);
  const isOver = useDroppedFiles(isFree, (first, ...others) => {
    void files.uploads.choose(project.id, first, ...others);
    const folded = place.current?.closest('details');
    if (folded) folded.open = true;
    place.current?.parentElement?.scrollIntoView({ block: 'nearest' });
  });
  return (
    <div ref={place} className="drop-place">
      {isOver && (
        <div className="drop-anywhere">
          <p>
            <Icon name={isFree ? 'arrowUp' : 'info'} />
            {isFree
              ? t('repository.dropAnywhere', { project: project.name })
              : t('repository.dropNot')}
          </p>
        </div>
      )}
    </div>
  );
}

/**
 * Calls `onFiles` with what is dropped on the window, unless a part of the page took it.
 *
 * @returns whether files are dragged over the window
 */
function useDroppedFiles(
  isFree: boolean,
  onFiles: (first: File, ...others: readonly File[]) => void,
): boolean {
  const [isOver, setOver] = useState(false);
  const onDropped = useRef(onFiles);
  useEffect(() => {
    onDropped.current = onFiles;
  });

  useEffect(() => {
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      // Without this the browser would leave the app for the file.
      event.preventDefault();
      if (event.dataTransfer !== null) event.dataTransfer.dropEffect = isFree ? 'copy' : 'none';
      setOver(true);
    };
    const leave = (event: DragEvent) => {
      // From one element to the next it stays in the window.
      if (event.relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      setOver(false);
      const isTaken = event.defaultPrevented;
      event.preventDefault();
      const [first, ...others] = event.dataTransfer?.files ?? [];
      if (isFree && !isTaken && first !== undefined) onDropped.current(first, ...others);
    };
    addEventListener('dragover', over);
    addEventListener('dragleave', leave);
    addEventListener('drop', drop);
    return () => {
      removeEventListener('dragover', over);
      removeEventListener('dragleave', leave);
      removeEventListener('drop', drop);
    };
  }, [isFree]);
  return isOver;
}

/** A dialog lies above the page, and what is dropped on it is not for the page. */
const hasFiles = ({ dataTransfer }: DragEvent): boolean =>
  (dataTransfer?.types.includes('Files') ?? false) &&
  document.querySelector('dialog[open]') === null;
