import { useState } from 'react'
import { Checkbox } from '../src/ui/checkbox.tsx'
import { ColorPicker } from '../src/ui/color-picker.tsx'
import { DateField } from '../src/ui/date-field.tsx'
import { Field } from '../src/ui/field.tsx'
import { DropZone, FilePicker } from '../src/ui/file-picker.tsx'
import { NumberField } from '../src/ui/number-field.tsx'
import { RadioGroup } from '../src/ui/radio.tsx'
import { SegmentedControl } from '../src/ui/segmented-control.tsx'
import { Switch } from '../src/ui/switch.tsx'
import { TextArea } from '../src/ui/text-area.tsx'
import { TextField } from '../src/ui/text-field.tsx'
import { toast } from '../src/ui/toast.tsx'
import { pickers } from './pickers.tsx'
import { State, type Section } from './section.tsx'

/** What one fills in. */
export const fields: Section[] = [
  { id: 'text-field', title: 'Text field', content: <TextFields /> },
  { id: 'number-date', title: 'Number and date', content: <Numbers /> },
  ...pickers,
  { id: 'checkbox', title: 'Checkbox, switch, radio', content: <Ticks /> },
  { id: 'segmented-control', title: 'Segmented control', content: <Segments /> },
  { id: 'color-picker', title: 'Colour picker', content: <Colors /> },
  {
    id: 'file-picker',
    title: 'Files',
    content: (
      <State name="picker, drop zone" column>
        <span>
          <FilePicker label="Attach files" multiple onFiles={report} />
        </span>
        <DropZone
          label="Drop a CSV file here"
          accept=".csv"
          multiple={false}
          boxed
          onFiles={report}
        >
          Drop a CSV file here, or choose one
        </DropZone>
      </State>
    ),
  },
]

function report(files: File[]) {
  toast({ message: `${files.length} chosen`, detail: files.map((file) => file.name).join(', ') })
}

function TextFields() {
  const [text, setText] = useState('Swiftwater Energy')
  const [empty, setEmpty] = useState('')
  const [query, setQuery] = useState('lind')
  const [long, setLong] = useState('Two lines\nthat grow with what is typed')
  return (
    <>
      <State name="in a form: hint, required, error, optional" column>
        <Field label="Company name" required hint="As it stands on their invoices">
          <TextField value={text} onChange={setText} />
        </Field>
        <Field label="E-mail" error="Must be an e-mail address, as name@example.com">
          <TextField type="email" value="adaeze@" onChange={() => {}} />
        </Field>
        <Field label="Website" optional>
          <TextField
            value={empty}
            onChange={setEmpty}
            prefix="https://"
            placeholder="example.com"
          />
        </Field>
        <Field label="Notes">
          <TextArea value={long} onChange={setLong} />
        </Field>
        <Field label="Display id">
          <TextField value="C-1042" onChange={() => {}} disabled />
        </Field>
      </State>
      <State name="in a toolbar" column>
        <TextField
          type="search"
          icon="search"
          label="Search contacts"
          placeholder="Search contacts"
          value={query}
          onChange={setQuery}
        />
      </State>
    </>
  )
}

function Numbers() {
  const [value, setValue] = useState<number | null>(54_500)
  const [percent, setPercent] = useState<number | null>(140)
  const [day, setDay] = useState<string | null>('2027-02-25')
  const [time, setTime] = useState<string | null>(null)
  return (
    <State name="amount, out of range, day, day and time" column>
      <Field label="Deal value">
        <NumberField value={value} onChange={setValue} min={0} step={100} prefix="$" />
      </Field>
      <Field label="Probability" error="Must be at most 100">
        <NumberField value={percent} onChange={setPercent} max={100} suffix="%" integer />
      </Field>
      <Field label="Expected close">
        <DateField value={day} onChange={setDay} />
      </Field>
      <Field label="Starts">
        <DateField kind="datetime" value={time} onChange={setTime} />
      </Field>
    </State>
  )
}

function Ticks() {
  const [ticked, setTicked] = useState(true)
  const [on, setOn] = useState(true)
  const [level, setLevel] = useState<string>('team')
  return (
    <>
      <State name="checkbox: alone, with a label, indeterminate, disabled">
        <Checkbox label="Select Adaeze" checked={ticked} onChange={setTicked} />
        <Checkbox label="Select none" checked={false} onChange={setTicked} />
        <Checkbox label="Select all" checked={false} indeterminate onChange={setTicked} />
        <Checkbox checked={ticked} onChange={setTicked}>
          Reads the newsletter
        </Checkbox>
        <Checkbox checked disabled onChange={setTicked}>
          Cannot be changed
        </Checkbox>
      </State>
      <State name="switch" column>
        <Switch checked={on} onChange={setOn}>
          Single-key shortcuts
        </Switch>
        <Switch checked={!on} onChange={(next) => setOn(!next)} apart hint="Once a day, at 8:00">
          Daily summary
        </Switch>
        <Switch checked={false} disabled onChange={setOn}>
          Set by your organization
        </Switch>
      </State>
      <State name="radio" column>
        <RadioGroup
          label="Who may see it"
          value={level}
          onChange={setLevel}
          options={[
            { value: 'own', label: 'Only me' },
            { value: 'team', label: 'My team', description: 'Everybody who reports to me' },
            { value: 'all', label: 'Everybody', disabled: true },
          ]}
        />
      </State>
    </>
  )
}

function Segments() {
  const [as, setAs] = useState('table')
  const options = [
    { value: 'table', label: 'Table', icon: 'table' as const },
    { value: 'board', label: 'Board', icon: 'board' as const },
    { value: 'calendar', label: 'Calendar', icon: 'calendar' as const },
  ]
  return (
    <State name="words, icons alone">
      <SegmentedControl label="Show as" value={as} onChange={setAs} options={options} />
      <SegmentedControl label="Show as" value={as} onChange={setAs} options={options} iconsOnly />
    </State>
  )
}

function Colors() {
  const [color, setColor] = useState<string | null>('#14704c')
  return (
    <State name="hues, one set elsewhere">
      <ColorPicker label="Colour" value={color} onChange={setColor} clearable />
      <ColorPicker label="Colour of the stage" value="#ff8800" onChange={() => {}} />
    </State>
  )
}
