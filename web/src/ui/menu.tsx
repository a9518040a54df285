import { Menu as Base } from '@base-ui/react/menu'
import type { ReactElement } from 'react'
import { classes } from './classes.ts'
import { Icon, type IconName } from './icons.tsx'
import { Kbd } from './kbd.tsx'
import { ariaKeys } from './keys.ts'
import css from './popup.module.css'
import { Dot } from './status.tsx'

type Common = { label: string; icon?: IconName; color?: string | null; disabled?: boolean }

/** The items of a menu: actions, links, checkboxes, radio groups, submenus, headings and separators. */
export type MenuItem =
  | (Common & {
      kind?: 'action'
      description?: string
      shortcut?: string
      danger?: boolean
      onSelect: () => void
    })
  | (Common & { kind: 'link'; href: string; render?: ReactElement; shortcut?: string })
  | (Common & { kind: 'checkbox'; checked: boolean; onChange: (checked: boolean) => void })
  | {
      kind: 'radio'
      label?: string
      value: string | null
      options: (Common & { value: string })[]
      onChange: (value: string) => void
    }
  | (Common & { kind: 'submenu'; items: MenuItem[] })
  | { kind: 'heading'; label: string }
  | { kind: 'separator' }

/**
 * A menu behind a button. `trigger` is the button: a Button, an IconButton, or a page's own. With
 * an `anchor` instead, the page opens it there, so that many buttons can share one menu.
 */
export function Menu({
  trigger,
  anchor,
  items,
  label,
  align = 'start',
  side = 'bottom',
  open,
  onOpenChange,
  finalFocus,
}: {
  trigger?: ReactElement
  anchor?: Element
  items: MenuItem[]
  label?: string
  align?: 'start' | 'center' | 'end'
  side?: 'top' | 'bottom' | 'left' | 'right'
  open?: boolean
  onOpenChange?: (open: boolean) => void
  /** what has the focus afterwards, if not what had it before */
  finalFocus?: () => HTMLElement | null
}) {
  return (
    <Base.Root open={open} onOpenChange={onOpenChange} modal={false}>
      {trigger ? <Base.Trigger render={trigger} /> : null}
      <Base.Portal>
        <Base.Positioner
          anchor={anchor}
          className={css.positioner}
          align={align}
          side={side}
          sideOffset={4}
        >
          <Base.Popup className={css.popup} aria-label={label} finalFocus={finalFocus}>
            <div className={css.list}>
              <Items items={items} />
            </div>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

function Items({ items }: { items: MenuItem[] }) {
  // a menu's items have no ids, and their order does not change while it is open
  return items.map((item, i) => <Item key={i} item={item} />)
}

function Item({ item }: { item: MenuItem }) {
  switch (item.kind) {
    case 'separator':
      return <Base.Separator className={css.line} />
    case 'heading':
      return <div className={css.group}>{item.label}</div>
    case 'link':
      return (
        <Base.LinkItem
          href={item.href}
          render={item.render}
          className={css.item}
          closeOnClick
          label={item.label}
        >
          <Words {...item} />
        </Base.LinkItem>
      )
    case 'checkbox':
      return (
        <Base.CheckboxItem
          checked={item.checked}
          onCheckedChange={item.onChange}
          disabled={item.disabled}
          label={item.label}
          className={css.item}
        >
          <Words {...item} />
          <span className={css.check}>
            <Base.CheckboxItemIndicator>
              <Icon name="check" size={14} />
            </Base.CheckboxItemIndicator>
          </span>
        </Base.CheckboxItem>
      )
    case 'radio':
      return (
        <Base.Group>
          {item.label && <Base.GroupLabel className={css.group}>{item.label}</Base.GroupLabel>}
          <Base.RadioGroup value={item.value} onValueChange={item.onChange}>
            {item.options.map((option) => (
              <Base.RadioItem
                key={option.value}
                value={option.value}
                disabled={option.disabled}
                label={option.label}
                closeOnClick
                className={css.item}
              >
                <Words {...option} />
                <span className={css.check}>
                  <Base.RadioItemIndicator>
                    <Icon name="check" size={14} />
                  </Base.RadioItemIndicator>
                </span>
              </Base.RadioItem>
            ))}
          </Base.RadioGroup>
        </Base.Group>
      )
    case 'submenu':
      return (
        <Base.SubmenuRoot>
          <Base.SubmenuTrigger className={css.item} disabled={item.disabled} label={item.label}>
            <Words {...item} />
            <Icon name="chevron-right" size={14} />
          </Base.SubmenuTrigger>
          <Base.Portal>
            <Base.Positioner className={css.positioner} sideOffset={4} alignOffset={-4}>
              <Base.Popup className={css.popup}>
                <div className={css.list}>
                  <Items items={item.items} />
                </div>
              </Base.Popup>
            </Base.Positioner>
          </Base.Portal>
        </Base.SubmenuRoot>
      )
    default:
      return (
        <Base.Item
          onClick={item.onSelect}
          disabled={item.disabled}
          label={item.label}
          aria-keyshortcuts={item.shortcut && ariaKeys(item.shortcut)}
          className={classes(css.item, item.danger && css.danger)}
        >
          <Words {...item} />
        </Base.Item>
      )
  }
}

function Words({
  label,
  icon,
  color,
  description,
  shortcut,
}: Common & { description?: string; shortcut?: string }) {
  return (
    <>
      {icon && <Icon name={icon} />}
      {color && <Dot color={color} />}
      <span className={css.words}>
        <span className={css.label}>{label}</span>
        {description && <span className={css.description}>{description}</span>}
      </span>
      {shortcut && (
        <span aria-hidden="true">
          <Kbd keys={shortcut} />
        </span>
      )}
    </>
  )
}
