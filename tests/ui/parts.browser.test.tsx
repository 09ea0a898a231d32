import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { expect } from 'chai';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { Combobox } from '#ui/form/combobox.tsx';
import { Dialog } from '#ui/overlay/dialog.tsx';
import { agoOf, LanguageName, Marked, spanOf } from '#ui/value/values.tsx';
import { MenuButton } from '#ui/overlay/menu-button.tsx';
import { PageHead } from '#ui/page/page-head.tsx';
import { Pager, nextOrder } from '#ui/table/table.tsx';
import { SearchField } from '#ui/form/controls.tsx';
import { UiEnvironmentContext } from '#ui/ui-environment.tsx';
import { speak } from '#ui/text/text.ts';
import { Toasts, useToast } from '#ui/overlay/toasts.tsx';
import { testSurroundings } from '../support/around.tsx';

describe('the components', () => {
  before(() => speak('en-US'));
  afterEach(cleanup);

  it('open a menu by the arrow key, move in it, and give the focus back on Escape', () => {
    const entries = ['Archive', 'Claim'].map((label) => ({
      id: label,
      label,
      run: () => undefined,
    }));
    render(<MenuButton label="More" entries={entries} />);
    const button = screen.getByRole('button', { name: 'More' });
    fireEvent.keyDown(button, { key: 'ArrowDown' });
    expect(document.activeElement?.textContent).to.equal('Archive');
    fireEvent.keyDown(screen.getByRole('menu'), { key: 'c' });
    expect(document.activeElement?.textContent).to.equal('Claim');
    fireEvent.keyDown(screen.getByRole('menu'), { key: 'Escape' });
    expect(screen.queryByRole('menu')).to.equal(null);
    expect(document.activeElement).to.equal(button);
  });

  it('close a menu where what it acts on becomes another, such as by Back', () => {
    const entries = [{ id: 'a', label: 'Archive', run: () => undefined }];
    const { rerender } = render(<MenuButton label="More" of="harvest" entries={entries} />);
    fireEvent.click(screen.getByRole('button', { name: 'More' }));
    expect(screen.queryByRole('menu')).not.to.equal(null);
    rerender(<MenuButton label="More" of="lantern" entries={entries} />);
    expect(screen.queryByRole('menu')).to.equal(null);
    rerender(<MenuButton label="More" of="lantern" entries={[]} />);
    expect(screen.queryByRole('menu')).to.equal(null);
  });

  it('lead on from an entry of a menu that is a link, by a click or Space, and leave new tabs to the browser', () => {
    let count = 0;
    const run = () => {
      count += 1;
    };
    render(<MenuButton label="More" entries={[{ id: 'a', label: 'Account', href: '#a', run }]} />);
    const open = () => {
      fireEvent.click(screen.getByRole('button', { name: 'More' }));
      return screen.getByRole<HTMLAnchorElement>('menuitem', { name: 'Account' });
    };
    expect(open().hash).to.equal('#a');
    // A click that was prevented did not lead the browser itself there.
    expect(fireEvent.click(screen.getByRole('menuitem'))).to.equal(false);
    expect(count).to.equal(1);
    fireEvent.keyDown(open(), { key: ' ' });
    expect(count).to.equal(1);
    fireEvent.keyUp(screen.getByRole('menuitem'), { key: ' ' });
    expect(count).to.equal(2);
    expect(screen.queryByRole('menu')).to.equal(null);
    const wasPrevented: boolean[] = [];
    const notice = (event: Event) => {
      wasPrevented.push(event.defaultPrevented);
      // The test itself opens no tab.
      event.preventDefault();
    };
    document.addEventListener('click', notice);
    const link = open();
    wasPrevented.length = 0;
    fireEvent.click(link, { ctrlKey: true });
    document.removeEventListener('click', notice);
    expect(wasPrevented).to.deep.equal([false]);
    expect(count).to.equal(2);
  });

  it('put the focus on the title of a page that comes, unless a menu was opened meanwhile', () => {
    const entries = [{ id: 'leave', label: 'Sign out', run: () => undefined }];
    const page = (title: string) => (
      <>
        <MenuButton label="Menu" entries={entries} />
        <PageHead key={title} title={title} />
      </>
    );
    const { rerender } = render(page('One'));
    screen.getByRole('button', { name: 'Menu' }).focus();
    rerender(page('Two'));
    expect(document.activeElement?.textContent).to.equal('Two');

    fireEvent.click(screen.getByRole('button', { name: 'Menu' }));
    rerender(page('Three'));
    expect(document.activeElement).to.equal(screen.getByRole('menuitem', { name: 'Sign out' }));
  });

  it('give the focus back to the opener of a dialog', () => {
    function Opener() {
      const [isOpen, setOpen] = useState(false);
      return (
        <>
          <button
            onClick={() => {
              setOpen(true);
            }}
          >
            Open
          </button>
          {isOpen && (
            <Dialog
              title="Leave?"
              onClose={() => {
                setOpen(false);
              }}
            >
              Text
            </Dialog>
          )}
        </>
      );
    }
    render(<Opener />);
    const opener = screen.getByRole('button', { name: 'Open' });
    opener.focus();
    fireEvent.click(opener);
    const dialog = screen.getByRole('dialog', { name: 'Leave?' });
    expect(dialog.contains(document.activeElement)).to.equal(true);
    fireEvent.click(screen.getByRole('button', { name: 'Close' }));
    expect(screen.queryByRole('dialog')).to.equal(null);
    expect(document.activeElement).to.equal(opener);
  });

  it('close a toast after five seconds, an error only when told to', () => {
    const { surroundings, pass } = testSurroundings();
    function Teller() {
      const show = useToast();
      return (
        <button
          onClick={() => {
            show({ tone: 'success', title: 'Saved it' });
            show({ tone: 'error', title: 'Lost it' });
          }}
        >
          Tell
        </button>
      );
    }
    render(
      <UiEnvironmentContext.Provider value={surroundings}>
        <Toasts>
          <Teller />
        </Toasts>
      </UiEnvironmentContext.Provider>,
    );
    fireEvent.click(screen.getByRole('button', { name: 'Tell' }));
    expect(screen.queryByText('Saved it')).not.to.equal(null);
    act(() => {
      pass(5_000);
    });
    expect(screen.queryByText('Saved it')).to.equal(null);
    fireEvent.click(screen.getByRole('button', { name: 'Close: Lost it' }));
    expect(screen.queryByText('Lost it')).to.equal(null);
  });

  it('keep of what is said twice of a setting the way back that was given last', () => {
    const { surroundings } = testSurroundings();
    const undone: string[] = [];
    function Teller() {
      const show = useToast();
      return (
        <button
          onClick={() => {
            for (const which of ['first', 'second'])
              show({
                tone: 'success',
                title: 'Updated',
                setting: 'one',
                action: { label: 'Undo', run: () => undone.push(which) },
              });
          }}
        >
          Tell
        </button>
      );
    }
    render(
      <UiEnvironmentContext.Provider value={surroundings}>
        <Toasts>
          <Teller />
        </Toasts>
      </UiEnvironmentContext.Provider>,
    );
    fireEvent.click(screen.getByRole('button', { name: 'Tell' }));
    fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
    expect(undone).to.deep.equal(['second']);
    expect(screen.queryByText('Updated')).to.equal(null);
  });

  it('search a moment after typing, and bring the full list back on Escape [R73, R418]', () => {
    const { surroundings, pass } = testSurroundings();
    const searches: string[] = [];
    render(
      <UiEnvironmentContext.Provider value={surroundings}>
        <SearchField
          label="Search"
          value=""
          waitMs={250}
          onSearch={(words) => {
            searches.push(words);
          }}
        />
      </UiEnvironmentContext.Provider>,
    );
    const field = screen.getByRole('searchbox', { name: 'Search' });
    fireEvent.change(field, { target: { value: 'har' } });
    expect(searches).to.deep.equal([]);
    act(() => {
      pass(250);
    });
    fireEvent.keyDown(field, { key: 'Escape' });
    expect(searches).to.deep.equal(['har', '']);
  });

  it('move among suggestions without changing what is typed, and take one by Enter', () => {
    const taken: string[] = [];
    render(
      <Combobox
        tied={{
          id: 'language',
          'aria-describedby': undefined,
          'aria-invalid': undefined,
          'aria-required': undefined,
        }}
        text="fr"
        onText={() => undefined}
        options={[
          { id: 'fr', label: 'French' },
          { id: 'fr-CA', label: 'Canadian French' },
        ]}
        onPick={({ id }) => {
          taken.push(id);
        }}
      />,
    );
    const field = screen.getByRole<HTMLInputElement>('combobox');
    fireEvent.keyDown(field, { key: 'ArrowDown' });
    fireEvent.keyDown(field, { key: 'ArrowDown' });
    expect(field.value).to.equal('fr');
    fireEvent.keyDown(field, { key: 'Enter' });
    expect(taken).to.deep.equal(['fr-CA']);
  });

  it('mark hits whatever their accents and case', () => {
    const { container } = render(<Marked text="Crème brûlée" search="BRULEE" />);
    expect(container.querySelector('mark')?.textContent).to.equal('brûlée');
  });

  it('mark each word that is searched where it first is, in the name of a language too', () => {
    const marksOf = (element: ReactElement) => {
      const { container } = render(element);
      return [...container.querySelectorAll('mark')].map(({ textContent }) => textContent);
    };
    const name = <Marked text="Crème brûlée à la crème" search="BRULEE creme nothing" />;
    expect(marksOf(name)).to.deep.equal(['Crème', 'brûlée']);
    // Words that meet are marked as one, and nothing is lost beside them.
    expect(marksOf(<Marked text="Harvest" search="arv har st" />)).to.deep.equal(['Harv', 'st']);
    expect(document.body.textContent).to.include('Harvest');
    expect(marksOf(<LanguageName tag="es-419" search="419 spani" />)).to.deep.equal([
      'Spani',
      '419',
    ]);
  });

  it('say which of how many a page shows [R78]', () => {
    render(<Pager page={2} pageSize={20} total={61} onPage={() => undefined} />);
    expect(screen.queryByText('21–40 of 61')).not.to.equal(null);
    expect(screen.getByRole('button', { name: 'Page 2' }).getAttribute('aria-current')).to.equal(
      'page',
    );
  });

  it('begin a new order ascending and flip the present one', () => {
    expect(nextOrder('name', 'language')).to.equal('language');
    expect(nextOrder('name', 'name')).to.equal('-name');
    expect(nextOrder('-name', 'name')).to.equal('name');
  });

  it('say how long ago in the largest unit that fits', () => {
    expect(spanOf(3 * 86_400_000, 'en-US')).to.equal('3 days');
    expect(spanOf(59_000, 'en-US')).to.equal(null);
    expect(agoOf(3 * 86_400_000, 'en-US')).to.equal('3 days ago');
    expect(agoOf(3 * 86_400_000, 'es-419')).to.equal('hace 3 días');
    expect(agoOf(3 * 86_400_000, 'fr-FR')).to.equal('il y a 3 jours');
    // By a clock that is slow it has yet to come.
    expect(agoOf(-3_600_000, 'en-US')).to.equal(null);
    expect(agoOf(59_000, 'en-US')).to.equal(null);
  });
});
