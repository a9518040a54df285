import { useState } from 'react'
import { Avatar, AvatarGroup, PersonName } from '../src/ui/avatar.tsx'
import { Checkbox } from '../src/ui/checkbox.tsx'
import { classes } from '../src/ui/classes.ts'
import { Code } from '../src/ui/code.tsx'
import { Fact, FactGroup } from '../src/ui/facts.tsx'
import { Icon } from '../src/ui/icons.tsx'
import { Progress } from '../src/ui/progress.tsx'
import { Figures } from '../src/ui/figures.tsx'
import { Score } from '../src/ui/score.tsx'
import { Sparkline } from '../src/ui/sparkline.tsx'
import { type Stage, StageBar } from '../src/ui/stage-bar.tsx'
import { Status } from '../src/ui/status.tsx'
import table from '../src/ui/table.module.css'
import { Tag, Tags } from '../src/ui/tag.tsx'
import css from './gallery.module.css'
import { people } from './samples.ts'
import { State, type Section } from './section.tsx'

const words = ['New', 'Lead', 'Referral', 'Prospect', 'English', 'Junior', 'End user', 'Outbound']

/** How data is shown. */
const stages = [
  { value: 'new', label: 'Qualification', tone: 'open' },
  { value: 'proposal', label: 'Proposal', tone: 'open' },
  { value: 'won', label: 'Closed won', tone: 'won' },
  { value: 'lost', label: 'Closed lost', tone: 'lost' },
] as const satisfies Stage[]

export const data: Section[] = [
  {
    id: 'tag',
    title: 'Tag and status',
    content: (
      <>
        <State name="tags by their words, with a colour, neutral, removable, too long">
          <Tags>
            {words.map((word) => (
              <Tag key={word}>{word}</Tag>
            ))}
            <Tag color="#ff8800">Set colour</Tag>
            <Tag neutral>12 more</Tag>
            <Tag onRemove={() => {}}>Removable</Tag>
          </Tags>
          <span className={css.narrow}>
            <Tag>A tag with a name that does not fit</Tag>
          </span>
        </State>
        <State name="status">
          <Status tone="good">On track</Status>
          <Status tone="warn">At risk</Status>
          <Status tone="bad">Overdue</Status>
          <Status tone="info">Planned</Status>
          <Status tone="quiet">Draft</Status>
          <Status color="#8a3a7a">In review</Status>
        </State>
      </>
    ),
  },
  {
    id: 'avatar',
    title: 'Avatar',
    content: (
      <>
        <State name="sizes, a company, a picture, a group">
          <Avatar name="Adaeze Lindqvist" size={16} />
          <Avatar name="Anouk Rademaker" />
          <Avatar name="Emeka Olafsson" size={28} label />
          <Avatar name="Leila Castellano" size={40} />
          <Avatar name="Swiftwater Energy" size={28} square />
          <Avatar name="Perennial" image="/icon.svg" size={28} square />
          <AvatarGroup people={people} size={24} />
        </State>
        <State name="with the name">
          <PersonName person={people[2] ?? { id: '', name: '' }} />
        </State>
      </>
    ),
  },
  {
    id: 'stages',
    title: 'Stages and figures',
    content: (
      <>
        <State name="Stages: open, lost, only shown">
          {(['proposal', 'lost'] as const).map((value) => (
            <StageBar
              key={value}
              label={`Stage, ${value}`}
              value={value}
              onChange={() => {}}
              stages={stages}
            />
          ))}
          <StageBar label="Stage, shown" value="won" stages={stages} />
        </State>
        <State name="Figures and a sparkline">
          <Figures
            of={[
              { label: 'Value', value: '€10,400' },
              { label: 'Forecast', value: null },
            ]}
          />
          <Sparkline label="From 90 to 40" points={[90, 88, 70, 72, 40]} />
        </State>
      </>
    ),
  },
  {
    id: 'progress',
    title: 'Progress and score',
    content: (
      <>
        <State name="progress" column>
          <Progress label="Onboarding" value={7} max={12} text="7 of 12" />
          <Progress label="Upload" value={0} text="0 %" />
          <Progress label="Import" value={100} text="Done" />
        </State>
        <State name="score">
          <Score value={86} />
          <Score value={52} />
          <Score value={18} />
          <Score value={null} />
        </State>
      </>
    ),
  },
  {
    id: 'facts',
    title: 'Facts',
    content: (
      <State name="as in a record's panel" column>
        <FactGroup title="Details">
          <Fact label="Primary email">adaeze.lindqvist@swiftwater.example</Fact>
          <Fact label="Phone">+1 303 555 0143</Fact>
          <Fact label="Contact owner">
            <PersonName person={people[3] ?? { id: '', name: '' }} />
          </Fact>
          <Fact label="Lead status">
            <Tag>New</Tag>
          </Fact>
          <Fact label="Tags" settable />
          <Fact label="A label that is too long for its column" />
        </FactGroup>
        <FactGroup title="Custom fields">
          <Fact label="Met at">Introduction</Fact>
        </FactGroup>
      </State>
    ),
  },
  { id: 'table', title: 'Table', content: <Table /> },
  {
    id: 'code',
    title: 'Code',
    content: (
      <State name="scrolling, wrapped" column>
        <Code code={'{\n  "event": "deal.moved",\n  "data": { "id": "0198", "stage": "won" }\n}'} />
        <Code wrap label="Copy the secret" code="whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" />
      </State>
    ),
  },
]

function Table() {
  const [picked, setPicked] = useState<string[]>(['2'])
  const toggle = (id: string) =>
    setPicked(picked.includes(id) ? picked.filter((each) => each !== id) : [...picked, id])
  return (
    <section className={table.scroll} tabIndex={0} aria-label="Contacts">
      <table className={table.table} style={{ minWidth: 640 }}>
        <thead>
          <tr>
            <th className={classes(table.head, table.tick)}>
              <Checkbox
                label="Select all"
                checked={picked.length === people.length}
                indeterminate={picked.length > 0 && picked.length < people.length}
                onChange={(all) => setPicked(all ? people.map((person) => person.id) : [])}
              />
            </th>
            <th
              className={classes(table.head, table.first)}
              style={{ left: 40 }}
              aria-sort="ascending"
            >
              <button type="button" className={table.sort}>
                Full name <Icon name="arrow-up" />
              </button>
            </th>
            <th className={table.head}>Primary email</th>
            <th className={table.head}>Lead status</th>
            <th className={classes(table.head, table.number)}>Value</th>
          </tr>
        </thead>
        <tbody>
          {people.map((person, i) => (
            <tr
              key={person.id}
              className={table.row}
              data-picked={picked.includes(person.id) || undefined}
            >
              <td className={classes(table.cell, table.tick)}>
                <Checkbox
                  label={`Select ${person.name}`}
                  checked={picked.includes(person.id)}
                  onChange={() => toggle(person.id)}
                />
              </td>
              <th scope="row" className={classes(table.cell, table.first)} style={{ left: 40 }}>
                <PersonName person={person} />
              </th>
              <td className={table.cell}>{person.email}</td>
              <td className={table.cell}>
                <Tag>{i % 3 ? 'New' : 'Converted'}</Tag>
              </td>
              <td className={classes(table.cell, table.number)}>${(i * 4_700 + 900).toFixed(2)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
