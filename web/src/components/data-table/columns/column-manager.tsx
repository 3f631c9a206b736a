import { Button } from '@mantine/core'
import { useState } from 'react'
import { onDemandWithin } from '../../../lib/loading/on-demand.tsx'
import { Icon } from '../../display/icon.tsx'
import { PopoverPanel } from '../../menu/popover.tsx'
import { usePopup } from '../../menu/popup.ts'
import type { TablePreferences } from '../preferences.ts'
import type { Column } from './column.ts'
import { useColumnMessages } from './column-messages.ts'
import type { ColumnPanelProps } from './column-panel.tsx'

const ColumnPanel = onDemandWithin<ColumnPanelProps<never>>(
  async () => (await import('./column-panel.tsx')).ColumnPanel,
)

/**
 * Shows, hides, orders and pins columns, and sets the row height. The table shows every step at once; what is seen when
 * the manager is left is kept, and Cancel or Escape brings back what was there before.
 */
export const ColumnManager = <Row,>(props: { columns: readonly Column<Row>[]; preferences: TablePreferences }) => {
  const say = useColumnMessages()
  const { preferences } = props
  const popup = usePopup('dialog')
  const [touched, setTouched] = useState(false)
  const open = (): void => {
    setTouched(false)
    popup.button.onClick()
  }
  const tryOut: TablePreferences['tryOut'] = (next) => {
    setTouched(true)
    preferences.tryOut(next)
  }
  const done = (): void => {
    if (touched) preferences.keep(preferences.layout)
    popup.setOpened(false)
  }
  const cancel = (): void => {
    preferences.tryOut(undefined)
    popup.setOpened(false)
  }
  return (
    <>
      <Button
        variant="subtle"
        leftSection={<Icon name="columns" size={14} />}
        {...popup.button}
        onClick={() => (popup.opened ? done() : open())}
      >
        {say('columns')}
      </Button>
      {popup.used && (
        <PopoverPanel
          popup={{ ...popup, setOpened: (next) => next || done() }}
          position="bottom-end"
          width={320}
          onEscape={cancel}
        >
          <ColumnPanel {...props} onTry={tryOut} onCancel={cancel} onDone={done} />
        </PopoverPanel>
      )}
    </>
  )
}
