import { Popover } from '@mantine/core'
import type { KeyboardEvent, ReactNode } from 'react'
import { useLazyOpened } from '../../lib/loading/on-demand.tsx'
import { Anchor } from './anchor.tsx'
import type { Popup } from './popup.ts'

export interface PopoverPanelProps {
  popup: Pick<Popup, 'id' | 'opened' | 'target'> & { setOpened: (opened: boolean) => unknown }
  children: ReactNode
  /** The accessible name, where the button's is not enough. */
  label?: string
  width?: number
  position?: 'bottom-start' | 'bottom-end'
  /** Space around the content in px. */
  p?: number
  /** Handles Escape if it does something else than clicking elsewhere. */
  onEscape?: () => void
}

/** The popup of a popover. */
export const PopoverPanel = (props: PopoverPanelProps) => {
  const { popup, children, label, p, position = 'bottom-start', width, onEscape } = props
  const opened = useLazyOpened(popup.opened)
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!onEscape || event.key !== 'Escape') return
    event.stopPropagation()
    onEscape()
  }
  return (
    <Popover
      id={popup.id}
      opened={opened}
      onChange={popup.setOpened}
      closeOnEscape={onEscape === undefined}
      position={position}
      trapFocus
      returnFocus
      {...(width === undefined ? {} : { width })}
    >
      <Popover.Target>
        <Anchor to={popup.target} />
      </Popover.Target>
      <Popover.Dropdown
        onKeyDown={onKeyDown}
        {...(p === undefined ? {} : { p })}
        {...(label === undefined ? {} : { 'aria-label': label })}
      >
        {children}
      </Popover.Dropdown>
    </Popover>
  )
}
