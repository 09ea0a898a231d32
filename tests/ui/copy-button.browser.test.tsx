import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { expect } from 'chai';
import { CopyButton } from '#ui/form/copy-button.tsx';
import { speakLate } from '#ui/text/late-texts.ts';
import { speak } from '#ui/text/text.ts';
import { UiEnvironmentContext } from '#ui/ui-environment.tsx';
import { testSurroundings } from '../support/around.tsx';

describe('a button that copies what stands beside it', () => {
  const { clipboard } = navigator;
  const copied: string[] = [];
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  beforeEach(() => {
    copied.length = 0;
  });
  afterEach(() => {
    cleanup();
    Object.defineProperty(navigator, 'clipboard', { configurable: true, value: clipboard });
  });
  const press = (value: Pick<Clipboard, 'writeText'> | undefined) => {
    Object.defineProperty(navigator, 'clipboard', { configurable: true, value });
    render(
      <UiEnvironmentContext.Provider value={testSurroundings().surroundings}>
        <CopyButton text="1f2e" what="Build ID" />
      </UiEnvironmentContext.Provider>,
    );
    fireEvent.click(screen.getByRole('button', { name: 'Copy: Build ID' }));
  };
  const says = (text: string) =>
    waitFor(() => {
      expect(screen.getByRole('status').textContent).to.equal(text);
    });

  it('says that it did', async () => {
    press({
      writeText: (text) => {
        copied.push(text);
        return Promise.resolve();
      },
    });
    await says('Copied');
    expect(copied).to.deep.equal(['1f2e']);
  });

  it('says that it did not, where the browser does not let it or has no clipboard', async () => {
    press({ writeText: () => Promise.reject(new DOMException('', 'NotAllowedError')) });
    await says('Not copied');
    cleanup();
    press(undefined);
    await says('Not copied');
  });
});
