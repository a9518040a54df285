import { useState } from 'react'
import { Breadcrumbs } from '../src/ui/breadcrumbs.tsx'
import { Button } from '../src/ui/button.tsx'
import { Card } from '../src/ui/card.tsx'
import { IconButton } from '../src/ui/icon-button.tsx'
import { PageHeader } from '../src/ui/page-header.tsx'
import { Pagination } from '../src/ui/pagination.tsx'
import { Splitter } from '../src/ui/splitter.tsx'
import { Tabs, TabLinks } from '../src/ui/tabs.tsx'
import { TextField } from '../src/ui/text-field.tsx'
import { Toolbar, ToolbarSpace } from '../src/ui/toolbar.tsx'
import css from './gallery.module.css'
import { State, type Section } from './section.tsx'

/** What pages are made of. */
export const layout: Section[] = [
  {
    id: 'page-header',
    title: 'Page header and toolbar',
    content: (
      <>
        <PageHeader
          title="Contacts"
          count={1209}
          actions={
            <Button variant="primary" icon="plus">
              New contact
            </Button>
          }
        />
        <Toolbar label="Contacts">
          <TextField
            type="search"
            icon="search"
            label="Search contacts"
            placeholder="Search contacts"
            value=""
            onChange={() => {}}
          />
          <Button icon="filter">Filter</Button>
          <ToolbarSpace />
          <IconButton label="Columns" icon="columns" variant="secondary" />
        </Toolbar>
      </>
    ),
  },
  { id: 'tabs', title: 'Tabs', content: <TabSamples /> },
  {
    id: 'breadcrumbs',
    title: 'Breadcrumbs',
    content: (
      <Breadcrumbs
        items={[
          { label: 'Companies', href: '#breadcrumbs' },
          { label: 'Swiftwater Energy', href: '#breadcrumbs' },
          { label: 'Rollout in the north-west with a very long name' },
        ]}
      />
    ),
  },
  { id: 'pagination', title: 'Pagination', content: <Pages /> },
  {
    id: 'card',
    title: 'Card',
    content: (
      <State name="with a heading, without" column>
        <Card
          title="My tasks"
          count={4}
          as="h3"
          actions={<IconButton label="New task" icon="plus" size="small" />}
        >
          Call Adaeze about the renewal
        </Card>
        <Card>Without a heading</Card>
      </State>
    ),
  },
  { id: 'splitter', title: 'Splitter', content: <Panes /> },
]

function TabSamples() {
  const [tab, setTab] = useState('timeline')
  return (
    <>
      <State name="panels" column>
        <Tabs
          label="Record"
          value={tab}
          onChange={setTab}
          tabs={[
            { value: 'timeline', label: 'Timeline', content: <p>What happened</p> },
            { value: 'contacts', label: 'Contacts', count: 12, content: <p>Twelve people</p> },
            { value: 'files', label: 'Files', icon: 'paperclip', content: <p>No files</p> },
          ]}
        />
      </State>
      <State name="links" column>
        <TabLinks
          label="Views"
          links={[
            { label: 'All contacts', href: '#tabs', current: true },
            { label: 'My leads', href: '#tabs', current: false, count: 8 },
          ]}
        >
          <IconButton label="New view" icon="plus" />
        </TabLinks>
      </State>
    </>
  )
}

function Pages() {
  const [page, setPage] = useState(1)
  const [size, setSize] = useState(50)
  return <Pagination page={page} size={size} total={1209} onPage={setPage} onSize={setSize} />
}

function Panes() {
  const [width, setWidth] = useState(220)
  return (
    <div className={css.panes}>
      <div className={css.pane} style={{ flex: 1 }}>
        List
      </div>
      <Splitter
        pane="right"
        width={width}
        min={120}
        max={400}
        initial={220}
        onWidth={setWidth}
        label="Width of the panel"
      />
      <div className={css.pane} style={{ width }}>
        {width} pixels
      </div>
    </div>
  )
}
