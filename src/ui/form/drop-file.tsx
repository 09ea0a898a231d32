import { useRef, useState } from 'react';
import type { DragEvent, ReactNode } from 'react';
import { Button } from './controls.tsx';
import { Icon } from '../picture/icon.tsx';

interface ChooseFileProps {
  /** The `accept` of the file input. */
  readonly accept: string;
  /** What the button says. */
  readonly children: ReactNode;
  /** Ids of what else describes the button. */
  readonly describedBy?: string;
  readonly onFile: (file: File) => void;
}

/** A button that opens the browser's dialog in which a file is chosen. */
export function ChooseFile({ accept, children, describedBy, onFile }: ChooseFileProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        accept={accept}
        className="out-of-sight"
        tabIndex={-1}
        // The button says it, and opens it.
        aria-hidden
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          if (file !== undefined) onFile(file);
          // The same file can be chosen again once it has been corrected.
          event.target.value = '';
        }}
      />
      <Button
        type="button"
        aria-describedby={describedBy}
        data-shortcut="file"
        onClick={() => {
          input.current?.click();
        }}
      >
        {children}
      </Button>
    </>
  );
}

interface DropFileProps extends Omit<ChooseFileProps, 'children' | 'onFile'> {
  /** Is called with more than one where several are dropped together. */
  readonly onFile: (file: File, ...others: readonly File[]) => void;
  /** The text of the button. */
  readonly label: string;
  readonly help: string;
}

/** A file, chosen in the browser's dialog or dropped here. */
export function DropFile({ label, help, ...choosing }: DropFileProps) {
  const [isOver, setOver] = useState(false);
  return (
    <div
      className={`drop-file ${isOver ? 'is-over' : ''}`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => {
        setOver(false);
      }}
      onDrop={(event: DragEvent) => {
        event.preventDefault();
        setOver(false);
        const [file, ...others] = event.dataTransfer.files;
        if (file !== undefined) choosing.onFile(file, ...others);
      }}
    >
      <ChooseFile {...choosing}>
        <Icon name="arrowUp" />
        {label}
      </ChooseFile>
      <span className="caption">{help}</span>
    </div>
  );
}
