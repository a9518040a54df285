import { useState } from 'react'
import type { Person } from '../src/ui/avatar.tsx'
import { Choice } from '../src/ui/choice.tsx'
import { Combobox } from '../src/ui/combobox.tsx'
import { Field } from '../src/ui/field.tsx'
import type { Option } from '../src/ui/option.tsx'
import { PersonField } from '../src/ui/person-field.tsx'
import { TagsField } from '../src/ui/tags-field.tsx'
import { companies, find, leads, people, stages, zones } from './samples.ts'
import { State, type Section } from './section.tsx'

/** Fields that open a list. */
export const pickers: Section[] = [
  { id: 'choice', title: 'Choice', content: <Choices /> },
  { id: 'combobox', title: 'Combobox', content: <References /> },
  { id: 'tags-field', title: 'Tags field', content: <TagFields /> },
  { id: 'person-field', title: 'Person field', content: <People /> },
]

function Choices() {
  const [stage, setStage] = useState<string | null>('proposal')
  const [lead, setLead] = useState<string | null>('new')
  const [none, setNone] = useState<string | null>(null)
  const [several, setSeveral] = useState(['open', 'contacted'])
  const [zone, setZone] = useState<string | null>('Europe/Paris')
  return (
    <State name="up to six, many, none chosen, several, in groups, wrong, disabled" column>
      <Field label="Stage">
        <Choice value={stage} onChange={setStage} options={stages} look="status" clearable />
      </Field>
      <Field label="Lead status">
        <Choice value={lead} onChange={setLead} options={leads} look="tag" clearable />
      </Field>
      <Field label="Reason">
        <Choice value={none} onChange={setNone} options={stages} placeholder="Reason" />
      </Field>
      <Field label="Statuses">
        <Choice multiple value={several} onChange={setSeveral} options={leads} />
      </Field>
      <Field label="Time zone">
        <Choice value={zone} onChange={setZone} options={zones} />
      </Field>
      <Field label="Forecast" error="Choose a forecast category">
        <Choice value={null} onChange={() => {}} options={stages} />
      </Field>
      <Field label="Pipeline">
        <Choice value="won" onChange={() => {}} options={stages} disabled />
      </Field>
    </State>
  )
}

function References() {
  const [company, setCompany] = useState<Option | null>(companies[2] ?? null)
  const [several, setSeveral] = useState<Option[]>([])
  const load = (query: string) => find(companies, (each) => each.label, query)
  return (
    <State name="one, several with create, a search that fails" column>
      <Field label="Company">
        <Combobox value={company} onChange={setCompany} load={load} look="company" clearable />
      </Field>
      <Field label="Related companies">
        <Combobox
          multiple
          value={several}
          onChange={setSeveral}
          load={load}
          placeholder="Add companies"
          onCreate={(label) => setSeveral([...several, { value: label, label }])}
        />
      </Field>
      <Field label="Parent company">
        <Combobox
          value={null}
          onChange={() => {}}
          load={() => Promise.reject(new Error('The server cannot be reached.'))}
        />
      </Field>
    </State>
  )
}

function TagFields() {
  const [tags, setTags] = useState(['renewal', 'new business'])
  const [all, setAll] = useState(['renewal', 'new business', 'expansion', 'at risk', 'partner'])
  return (
    <State name="several, creatable" column>
      <Field label="Tags">
        <TagsField
          value={tags}
          onChange={(next) => {
            setTags(next)
            setAll([...new Set([...all, ...next])])
          }}
          options={all.map((label) => ({ value: label, label }))}
          creatable
        />
      </Field>
    </State>
  )
}

function People() {
  const [owner, setOwner] = useState<Person | null>(people[3] ?? null)
  const [team, setTeam] = useState<Person[]>(people.slice(0, 2))
  const search = (query: string) => find(people, (each) => each.name, query)
  return (
    <State name="one, several" column>
      <Field label="Contact owner">
        <PersonField value={owner} onChange={setOwner} search={search} clearable />
      </Field>
      <Field label="Team">
        <PersonField multiple value={team} onChange={setTeam} search={search} />
      </Field>
    </State>
  )
}
