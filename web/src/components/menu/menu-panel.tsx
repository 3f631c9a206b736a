import { Menu } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Fragment, type ReactNode } from 'react'
import { useLazyOpened } from '../../lib/loading/on-demand.tsx'
import { Icon } from '../display/icon.tsx'
import { Anchor } from './anchor.tsx'
import classes from './menu.module.css'
import type { MenuEntry } from './menu-entry.ts'
import type { Popup } from './popup.ts'

const Entry = ({ entry }: { entry: MenuEntry }) => {
  const { label, icon, to } = entry
  const look = {
    leftSection: icon && <Icon name={icon} size={14} />,
    ...(entry.danger ? { className: classes.danger ?? '' } : {}),
    ...(entry.hint === undefined ? {} : { title: entry.hint }),
    ...(entry.lang === undefined ? {} : { lang: entry.lang }),
  }
  const note = entry.note === undefined ? undefined : <span className="faint">{entry.note}</span>
  if (to !== undefined)
    return (
      <Menu.Item component={Link} to={to} {...look}>
        {label}
      </Menu.Item>
    )
  if (entry.checked !== undefined)
    return (
      <Menu.CheckboxItem
        checked={entry.checked}
        checkIcon={<Icon name="check" size={14} />}
        closeMenuOnClick
        onChange={() => entry.onClick?.()}
      >
        {label}
      </Menu.CheckboxItem>
    )
  return (
    <Menu.Item
      {...look}
      onClick={() => entry.onClick?.()}
      disabled={entry.disabled ?? false}
      {...(entry.current === undefined
        ? {}
        : { 'aria-current': entry.current, rightSection: entry.current ? <Icon name="check" size={14} /> : note })}
    >
      {label}
    </Menu.Item>
  )
}

export interface MenuPanelProps {
  popup: Pick<Popup, 'id' | 'opened' | 'target'> & { setOpened: (opened: boolean) => unknown }
  /** Made when the menu opens. */
  entries: () => readonly MenuEntry[]
  /** Over the entries. */
  head?: ReactNode
  width?: number
  /** At a point of the page instead of a button's edge. */
  place?: 'point'
}

/** The popup of a menu. */
export const MenuPanel = ({ popup, entries, head, width, place }: MenuPanelProps) => {
  const opened = useLazyOpened(popup.opened)
  return (
    <Menu
      id={popup.id}
      opened={opened}
      onChange={popup.setOpened}
      alignItemsLabels="none"
      {...(width === undefined ? {} : { width })}
      {...(place === 'point' ? { position: 'bottom-start', offset: 0 } : {})}
    >
      <Menu.Target>
        <Anchor to={popup.target} />
      </Menu.Target>
      <Menu.Dropdown>
        {head}
        {popup.opened &&
          entries().map((entry) => (
            <Fragment key={entry.id ?? entry.label}>
              {entry.apart && <Menu.Divider />}
              {entry.group !== undefined && <Menu.Label>{entry.group}</Menu.Label>}
              <Entry entry={entry} />
            </Fragment>
          ))}
      </Menu.Dropdown>
    </Menu>
  )
}
