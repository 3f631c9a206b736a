import { ActionIcon, Menu } from '@mantine/core'
import { useState } from 'react'
import { Icon } from '../icon.tsx'
import { useUiWords } from '../messages.ts'
import type { RowAction } from './column.ts'
import classes from './data-table.module.css'

const Items = ({ actions }: { actions: readonly RowAction[] }) =>
  actions.map((action) => (
    <Menu.Item
      key={action.label}
      leftSection={action.icon && <Icon name={action.icon} size={14} />}
      onClick={action.onClick}
      disabled={action.disabled ?? false}
      {...(action.hint === undefined ? {} : { title: action.hint })}
      className={action.danger ? classes.danger : undefined}
    >
      {action.label}
    </Menu.Item>
  ))

/** The row's ⋯ button. Its actions are made when it opens. */
export const RowMenu = (props: { name: string; actions: () => readonly RowAction[] }) => {
  const say = useUiWords()
  const [opened, setOpened] = useState(false)
  return (
    <Menu opened={opened} onChange={setOpened}>
      <Menu.Target>
        <ActionIcon aria-label={say('rowMenu', { name: props.name })}>
          <Icon name="more" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>{opened && <Items actions={props.actions()} />}</Menu.Dropdown>
    </Menu>
  )
}

export interface ContextPlace {
  x: number
  y: number
  actions: readonly RowAction[]
}

/** The same actions where the right button was pressed. */
export const ContextMenu = ({ place, onClose }: { place: ContextPlace | undefined; onClose: () => void }) => (
  <Menu opened={place !== undefined} onClose={onClose} position="bottom-start" offset={0}>
    <Menu.Target>
      <button
        type="button"
        tabIndex={-1}
        aria-hidden="true"
        className={classes.contextPoint}
        style={{ left: place?.x ?? 0, top: place?.y ?? 0 }}
      />
    </Menu.Target>
    <Menu.Dropdown>{place && <Items actions={place.actions} />}</Menu.Dropdown>
  </Menu>
)
