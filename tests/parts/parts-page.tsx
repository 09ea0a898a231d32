import { useState } from 'react';
import type { ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { BarChart } from '#ui/chart/bar-chart.tsx';
import { BarRows } from '#ui/chart/bar-rows.tsx';
import { ChartFrame } from '#ui/chart/chart-frame.tsx';
import { Combobox } from '#ui/form/combobox.tsx';
import { Button, CheckBox, SearchField, ShowAllButton } from '#ui/form/controls.tsx';
import { CopyButton } from '#ui/form/copy-button.tsx';
import { ChooseFile, DropFile } from '#ui/form/drop-file.tsx';
import { Field } from '#ui/form/field.tsx';
import { Picker } from '#ui/form/picker.tsx';
import { Switch } from '#ui/form/switch.tsx';
import { DayField } from '#ui/form/day-field.tsx';
import { TextField } from '#ui/form/text-field.tsx';
import { Dialog } from '#ui/overlay/dialog.tsx';
import { FormDialog } from '#ui/overlay/form-dialog.tsx';
import { MenuButton } from '#ui/overlay/menu-button.tsx';
import { Toasts, useToast } from '#ui/overlay/toasts.tsx';
import { PageHead } from '#ui/page/page-head.tsx';
import { Trail } from '#ui/page/trail.tsx';
import { Avatar } from '#ui/picture/avatar.tsx';
import { Icon, ProductIcon, ProductName } from '#ui/picture/icon.tsx';
import { QrCode } from '#ui/picture/qr-code.tsx';
import {
  EmptyBox,
  ErrorBox,
  NeedsConnection,
  Note,
  NotOnDevice,
  Skeleton,
} from '#ui/status/boxes.tsx';
import { Differences } from '#ui/status/differences.tsx';
import { CheckList, CheckListLine } from '#ui/status/check-list.tsx';
import { StatusChip } from '#ui/status/status-chip.tsx';
import { StatusSign } from '#ui/status/status-sign.tsx';
import { SyncStatus } from '#ui/status/sync-status.tsx';
import { ColumnList } from '#ui/table/column-list.tsx';
import { CardTable } from '#ui/table/card-table.tsx';
import { ColumnTable } from '#ui/table/column-table.tsx';
import { Slices } from '#ui/table/slices.tsx';
import { SortChoice } from '#ui/table/sort-choice.tsx';
import { VirtualList } from '#ui/table/virtual-list.tsx';
import { Cell, ColumnChooser, Pager, PartsHeader, SortHeader } from '#ui/table/table.tsx';
import { speakLate } from '#ui/text/late-texts.ts';
import { Speech } from '#ui/text/speech.tsx';
import { isLanguage, LANGUAGES, speak, useText } from '#ui/text/text.ts';
import { UiEnvironmentContext } from '#ui/ui-environment.tsx';
import { ShortList } from '#ui/value/short-list.tsx';
import { Dot, Hint, LanguageName, Marked, RelativeTime } from '#ui/value/values.tsx';
import '#ui/theme/theme.css';
import './parts.css';

/** Every part of `src/ui` in its states, for `npm run parts`. What is chosen here changes here. */

const DAY_MS = 24 * 60 * 60 * 1_000;
const NAMES = ['North', 'South', 'East', 'A name that is longer than its place is wide'];
const OPTIONS = NAMES.map((label) => ({ id: label, label }));
const COLUMNS = NAMES.slice(0, 3).map((label) => ({ id: label, label, title: label, sort: label }));
const nothing = () => undefined;

/** A part whose value is kept here. */
function Kept<T>(props: {
  readonly first: T;
  readonly children: (value: T, set: (value: T) => void) => ReactNode;
}) {
  const [value, set] = useState(props.first);
  return props.children(value, set);
}

/** A button, and what it opens. */
function Opened({ children }: { readonly children: (close: () => void) => ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        onClick={() => {
          setOpen(true);
        }}
      >
        Open
      </Button>
      {isOpen &&
        children(() => {
          setOpen(false);
        })}
    </>
  );
}

function ToastButtons() {
  const show = useToast();
  return (['success', 'info', 'warning', 'error'] as const).map((tone) => (
    <Button
      key={tone}
      onClick={() => {
        show({
          tone,
          title: `A toast: ${tone}`,
          detail: 'What it means',
          action: { label: 'Undo', run: nothing },
        });
      }}
    >
      {tone}
    </Button>
  ));
}

const parts: Readonly<Record<string, () => ReactNode>> = {
  Button: () => (
    <div className="button-row">
      <Button primary>Save</Button>
      <Button>Cancel</Button>
      <Button negative>Remove</Button>
      <Button loading>Saving</Button>
      <Button disabled>Not now</Button>
    </div>
  ),
  ShowAllButton: () => (
    <Kept<boolean> first={false}>
      {(isOpen, set) => (
        <>
          <p id="text">{isOpen ? NAMES.join(', ') : NAMES[0]}</p>
          <ShowAllButton of="text" isOpen={isOpen} onToggle={set} />
        </>
      )}
    </Kept>
  ),
  CheckBox: () =>
    (['none', 'some', 'all'] as const).map((state) => (
      <CheckBox key={state} label={state} state={state} onChange={nothing} />
    )),
  SearchField: () => (
    <Kept first="">
      {(value, set) => <SearchField label="Search" value={value} waitMs={200} onSearch={set} />}
    </Kept>
  ),
  Field: () => (
    <>
      <Field label="Name" isRequired help="As people will read it">
        {(tied) => <input {...tied} defaultValue="Harvest" />}
      </Field>
      <Field label="Address" error="That is no address">
        {(tied) => <input {...tied} defaultValue="example" />}
      </Field>
      <Field label="Note" note="Kept as a draft">
        {(tied) => <textarea {...tied} rows={2} />}
      </Field>
    </>
  ),
  Combobox: () => (
    <Kept first="">
      {(text, set) => (
        <Field label="Language">
          {(tied) => (
            <Combobox
              tied={tied}
              text={text}
              onText={set}
              options={OPTIONS.filter(({ label }) => label.includes(text))}
              onPick={({ label }) => {
                set(label);
              }}
              none="Nothing like that"
              hasArrow
            />
          )}
        </Field>
      )}
    </Kept>
  ),
  Picker: () => (
    <Kept<string | null> first="North">
      {(chosen, set) => (
        <Field label="Group">
          {(tied) => <Picker tied={tied} options={OPTIONS} chosen={chosen} onChoose={set} />}
        </Field>
      )}
    </Kept>
  ),
  Switch: () => (
    <Kept<boolean> first>
      {(isOn, set) => (
        <>
          <Switch label="Public" help="Everybody may see it" isOn={isOn} onChange={set} />
          <Switch label="Builds" isOn={false} whyNot="You may not change this" onChange={nothing} />
        </>
      )}
    </Kept>
  ),
  DayField: () => (
    <Kept first="2026-11-27">
      {(value, set) => <DayField label="From" value={value} onType={set} />}
    </Kept>
  ),
  TextField: () => (
    <Kept first="https://example.org">
      {(value, set) => (
        <>
          <TextField
            label="Website"
            type="url"
            isRequired
            help="With or without https"
            value={value}
            onChange={set}
          />
          <TextField label="Flow" value={value} suggestions={NAMES} onChange={set} />
          <TextField label="Description" isLong error="Too long" value={value} onChange={set} />
          <TextField label="Email" whyNot="Only they may" value={value} onChange={nothing} />
        </>
      )}
    </Kept>
  ),
  ChooseFile: () => (
    <ChooseFile accept=".zip" onFile={nothing}>
      Choose another file
    </ChooseFile>
  ),
  DropFile: () => (
    <DropFile accept=".zip" label="Choose a file" help="Or drop it here" onFile={nothing} />
  ),
  CopyButton: () => <CopyButton text="https://example.org" what="the address" />,
  Dialog: () => (
    <Opened>
      {(close) => (
        <Dialog
          title="Remove the product?"
          onClose={close}
          actions={<Button negative>Remove</Button>}
        >
          <p>Its files go with it.</p>
        </Dialog>
      )}
    </Opened>
  ),
  FormDialog: () => (
    <Opened>
      {(close) => (
        <FormDialog title="Rename the view" action="Save" onSubmit={close} onClose={close}>
          <TextField label="Name" value="Mine in French" onChange={nothing} />
        </FormDialog>
      )}
    </Opened>
  ),
  MenuButton: () => (
    <MenuButton
      label="More for Harvest"
      entries={[
        { id: 'archive', label: 'Archive', icon: 'archive', run: nothing },
        { id: 'remove', label: 'Remove', startsGroup: true, run: nothing },
      ]}
    >
      Menu
    </MenuButton>
  ),
  Toasts: () => <ToastButtons />,
  PageHead: () => (
    <PageHead
      title="Harvest"
      context="Songs of the field"
      actions={<Button primary>Add products</Button>}
    />
  ),
  VirtualList: () => (
    <div style={{ display: 'grid', height: 200 }}>
      <VirtualList label="Ten thousand rows" count={10_000} rowPx={22}>
        {(index) => <div style={{ minHeight: 22 }}>Row {index + 1}</div>}
      </VirtualList>
    </div>
  ),
  Trail: () => (
    <Trail
      here="Builds"
      siblings={{ label: 'Builds: others', entries: [{ id: 'a', label: 'Builds', run: nothing }] }}
    >
      <a href="#Trail">Harvest</a>
    </Trail>
  ),
  Avatar: () => ['Ana', 'Ben', 'Cleo'].map((of) => <Avatar key={of} of={of} sidePx={48} />),
  Icon: () => (
    <>
      <Icon name="check" label="Done" /> <Icon name="warning" /> <Icon name="cloudOff" />
    </>
  ),
  ProductIcon: () =>
    ['Android App', 'HTML Site', 'PWA', 'Asset Package'].map((name) => (
      <ProductIcon key={name} name={name} />
    )),
  ProductName: () => <ProductName name="HTML Site" />,
  QrCode: () => <QrCode text="https://slipway.test/downloads/1" label="QR code of a page" />,
  Note: () =>
    (['info', 'warning', 'error'] as const).map((tone) => (
      <Note key={tone} tone={tone}>
        A line that is to be noticed: {tone}.
      </Note>
    )),
  ErrorBox: () => (
    <ErrorBox title="The list could not be read" details="Error: 500" onTryAgain={nothing}>
      What was typed is kept.
    </ErrorBox>
  ),
  EmptyBox: () => (
    <EmptyBox icon="folder" title="No projects yet" action={<Button primary>Add project</Button>}>
      Projects appear here.
    </EmptyBox>
  ),
  NotOnDevice: () => <NotOnDevice onTryAgain={nothing} />,
  NeedsConnection: () => <NeedsConnection id="needs" />,
  Skeleton: () => <Skeleton rows={3} />,
  Differences: () => (
    <Differences before="Songs of the field" after="Songs of the field and the lake" />
  ),
  SyncStatus: () =>
    (['saved', 'saving', 'attention', 'offline', 'problem', 'sign-in'] as const).map((state) => (
      <SyncStatus
        key={state}
        state={state}
        waiting={state === 'saving' ? 3 : 0}
        attention={state === 'attention' ? 2 : 0}
        isOnline={state !== 'offline'}
        isOpen={false}
        onOpen={nothing}
      />
    )),
  BarChart: () => (
    <BarChart
      title="Builds a week"
      bars={NAMES.map((name, n) => ({
        key: name,
        label: `${name}: ${n + 1} built, ${n} failed`,
        parts: [
          { tone: 'good', value: n + 1 },
          { tone: 'bad', value: n },
        ],
        ...(n > 2 ? { mark: 'error' } : {}),
      }))}
      valueText={String}
      legend={[
        { tone: 'good', text: 'Built' },
        { tone: 'bad', text: 'Failed' },
      ]}
      note="Only what is on this device is counted."
      table={() => <p>The same figures.</p>}
    />
  ),
  BarRows: () => (
    <BarRows
      title="Median wait"
      rows={NAMES.map((name, n) => ({ key: name, name, value: n + 1, text: `${n + 1} days` }))}
      table={() => <p>The same figures.</p>}
    />
  ),
  ChartFrame: () => (
    <ChartFrame title="A chart" note="What it leaves out." table={() => <p>The figures.</p>}>
      <p>The chart itself.</p>
    </ChartFrame>
  ),
  CheckList: () => (
    <CheckList>
      {(['done', 'now', 'next'] as const).map((is) => (
        <CheckListLine key={is} is={is} mark="Done">
          Add a product
        </CheckListLine>
      ))}
    </CheckList>
  ),
  CheckListLine: () => (
    <CheckList>
      <CheckListLine is="now" mark="Done">
        Add a product
      </CheckListLine>
    </CheckList>
  ),
  StatusChip: () =>
    (['busy', 'bad', 'yours', 'others', 'good', 'none'] as const).map((tone) => (
      <StatusChip key={tone} tone={tone}>
        Published 1.2
      </StatusChip>
    )),
  StatusSign: () =>
    (['busy', 'bad', 'yours', 'others', 'good', 'none'] as const).map((tone) => (
      <StatusSign key={tone} tone={tone} />
    )),
  SortHeader: () => (
    <Kept first="North">
      {(order, set) => (
        <table className="ui unstackable table">
          <thead>
            <tr>
              {COLUMNS.map(({ id, label }) => (
                <SortHeader key={id} sortKey={id} order={order} onOrder={set}>
                  {label}
                </SortHeader>
              ))}
            </tr>
          </thead>
        </table>
      )}
    </Kept>
  ),
  PartsHeader: () => (
    <Kept first="-North">
      {(order, set) => (
        <table className="ui unstackable table">
          <thead>
            <tr>
              <PartsHeader
                parts={COLUMNS.map(({ id, label }, n) => ({
                  title: label,
                  sort: n === 0 ? null : id,
                }))}
                order={order}
                onOrder={set}
              >
                Products
              </PartsHeader>
            </tr>
          </thead>
        </table>
      )}
    </Kept>
  ),
  ColumnTable: () => (
    <ColumnTable
      label="Files"
      columns={['files.filename', 'files.size']}
      figures={['files.size']}
      caption="Store"
    >
      <tr role="row">
        <Cell label="File">harvest-1.0-html.zip</Cell>
        <Cell label="Size" className="figure">
          38.5 kB
        </Cell>
      </tr>
    </ColumnTable>
  ),
  CardTable: () => (
    <CardTable label="History" columns={['files.step', 'files.user']}>
      <tr role="row">
        <Cell label="Step">Approval</Cell>
        <Cell label="User">Ana</Cell>
      </tr>
    </CardTable>
  ),
  Cell: () => (
    <table role="table" className="ui unstackable table">
      <tbody>
        <tr role="row">
          <Cell label="Name">Harvest</Cell>
          <Cell label="Owner">Ana</Cell>
        </tr>
      </tbody>
    </table>
  ),
  Pager: () => (
    <Kept first={2}>
      {(page, set) => <Pager page={page} pageSize={20} total={175} onPage={set} />}
    </Kept>
  ),
  ColumnChooser: () => (
    <ColumnChooser>
      <p>Columns</p>
    </ColumnChooser>
  ),
  ColumnList: () => (
    <Kept<readonly string[]> first={['North']}>
      {(chosen, set) => (
        <ColumnList
          columns={COLUMNS}
          chosen={chosen}
          onChoose={set}
          onDefaults={() => {
            set(['North']);
          }}
        />
      )}
    </Kept>
  ),
  SortChoice: () => (
    <Kept first="North">
      {(order, set) => (
        <div className="sort-choice">
          <SortChoice columns={COLUMNS} order={order} onOrder={set} />
        </div>
      )}
    </Kept>
  ),
  Slices: () => (
    <Slices rows={NAMES} label="Names" rowPx={24}>
      {(name) => (
        <div role="listitem" key={name}>
          {name}
        </div>
      )}
    </Slices>
  ),
  ShortList: () => <ShortList items={['One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven']} />,
  RelativeTime: () => <RelativeTime at={new Date(Date.now() - 3 * DAY_MS).toISOString()} />,
  Dot: () => (
    <p>
      One
      <Dot />
      Two
    </p>
  ),
  Hint: () => <Hint text="What it means">A word</Hint>,
  LanguageName: () => <LanguageName tag="es-419" search="es" />,
  Marked: () => <Marked text="Harvest of the field" search="field" />,
};

function Choice(props: {
  readonly label: string;
  readonly options: readonly string[];
  readonly onChoose: (option: string) => void;
}) {
  return (
    <label>
      {props.label}{' '}
      <select
        onChange={({ target }) => {
          props.onChoose(target.value);
        }}
      >
        {props.options.map((option) => (
          <option key={option}>{option}</option>
        ))}
      </select>
    </label>
  );
}

function PartsPage() {
  const t = useText();
  return (
    <Toasts>
      <header className="parts-head">
        <strong>{t('common.brand')}</strong>
        <Choice
          label="Language"
          options={Object.keys(LANGUAGES)}
          onChoose={(language) => {
            if (isLanguage(language)) void speak(language);
          }}
        />
        <Choice
          label="Colours"
          options={['light', 'dark']}
          onChoose={(appearance) => {
            document.documentElement.dataset.appearance = appearance;
          }}
        />
      </header>
      <main>
        {Object.entries(parts).map(([name, Part]) => (
          <section key={name} id={name} className="parts-one">
            <h2>{name}</h2>
            <div className="ui form parts-look">
              <Part />
            </div>
          </section>
        ))}
      </main>
    </Toasts>
  );
}

const environment = {
  clock: () => Date.now(),
  timeZone: 'UTC',
  storage: sessionStorage,
  drafts: sessionStorage,
  later: (run: () => void, afterMs: number) => {
    const timer = setTimeout(run, afterMs);
    return () => {
      clearTimeout(timer);
    };
  },
  painted: (run: () => void) => {
    const frame = requestAnimationFrame(run);
    return () => {
      cancelAnimationFrame(frame);
    };
  },
  load: async (path: string) => (await fetch(path)).json() as Promise<unknown>,
};

document.documentElement.dataset.appearance = 'light';
await speak('en-US');
await speakLate();
createRoot(document.getElementById('app') ?? document.body).render(
  <UiEnvironmentContext.Provider value={environment}>
    <Speech>
      <RouterProvider router={createMemoryRouter([{ path: '*', element: <PartsPage /> }])} />
    </Speech>
  </UiEnvironmentContext.Provider>,
);
