import { Button, ButtonLink } from '../src/ui/button.tsx'
import { IconButton } from '../src/ui/icon-button.tsx'
import { Tooltip } from '../src/ui/tooltip.tsx'
import css from './gallery.module.css'
import { State, type Section } from './section.tsx'

/** What one presses. */
export const actions: Section[] = [
  {
    id: 'button',
    title: 'Button',
    content: (
      <>
        <State name="variants">
          <Button variant="primary" icon="plus">
            New contact
          </Button>
          <Button icon="filter">Filter</Button>
          <Button variant="quiet">Cancel</Button>
          <Button variant="danger">Delete contact</Button>
        </State>
        <State name="sizes: small, medium, large">
          <Button size="small">Small</Button>
          <Button>Medium</Button>
          <Button size="large" variant="primary">
            Sign in
          </Button>
        </State>
        <State name="busy, disabled">
          <Button variant="primary" busy>
            Save
          </Button>
          <Button busy icon="upload">
            Import
          </Button>
          <Button variant="primary" disabled>
            Mark as lost
          </Button>
          <Button disabled>Cancel</Button>
        </State>
        <State name="with a menu's sign, as a link, pressed, too long">
          <Button iconAfter="chevron-down">Group: Stage</Button>
          <ButtonLink href="#button" icon="external-link">
            Open the survey
          </ButtonLink>
          <Button variant="quiet" aria-pressed="true">
            Pressed
          </Button>
          <span className={css.narrow}>
            <Button>A name that does not fit into its place</Button>
          </span>
        </State>
        <State name="wide" column>
          <Button variant="primary" size="large" wide>
            Continue
          </Button>
        </State>
      </>
    ),
  },
  {
    id: 'icon-button',
    title: 'Icon button',
    content: (
      <State name="quiet, secondary, small, disabled">
        <IconButton label="Close panel" icon="x" shortcut="Esc" />
        <IconButton label="Open page" icon="expand" shortcut="o" />
        <IconButton label="Columns" icon="columns" variant="secondary" />
        <IconButton label="More" icon="more" size="small" />
        <IconButton label="Previous page" icon="chevron-left" disabled />
      </State>
    ),
  },
  {
    id: 'tooltip',
    title: 'Tooltip',
    content: (
      <State name="below, above, beside, with keys">
        <Tooltip content="Below">
          <Button id="tip-below">Rest here</Button>
        </Tooltip>
        <Tooltip content="Above" side="top">
          <Button>Top</Button>
        </Tooltip>
        <Tooltip content="Beside" side="right">
          <Button>Right</Button>
        </Tooltip>
        <Tooltip content="New contact" shortcut="c">
          <Button>With keys</Button>
        </Tooltip>
      </State>
    ),
  },
]
