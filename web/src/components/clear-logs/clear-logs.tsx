import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { calls } from '../../lib/api/contract.ts'
import { onDemand } from '../../lib/loading/on-demand.tsx'
import { useEndpoint } from '../../lib/query.ts'
import { formatInteger } from '../../lib/text/format.ts'
import type { MenuEntry } from '../menu/menu-entry.ts'
import { useClearLogsMessages } from './messages.ts'

const ClearDialog = onDemand(async () => (await import('./clear-dialog.tsx')).ClearDialog)

const progressEveryMs = 2_000

/** How far the deletion of old logs is, and the dialog that begins it. For administrators. */
const useClearing = (enabled: boolean) => {
  const say = useClearLogsMessages()
  const [opened, setOpened] = useState(false)
  const [used, setUsed] = useState(false)
  const state = useEndpoint(calls.getLogClearing, {}, { enabled, refreshEveryMs: opened ? progressEveryMs : 15_000 })
  const running = state.data?.running
  return {
    running: running
      ? say('running', { deleted: formatInteger(running.deleted), total: formatInteger(running.total) })
      : undefined,
    ask: (): void => {
      setUsed(true)
      setOpened(true)
    },
    dialog: used && <ClearDialog opened={opened} onClose={() => setOpened(false)} />,
  }
}

/** Deletes old logs after saying how many, and shows how far it is. For administrators. */
export const ClearLogs = () => {
  const say = useClearLogsMessages()
  const { running, ask, dialog } = useClearing(true)
  return (
    <>
      <Button disabled={running !== undefined} onClick={ask}>
        {running ?? say('clear')}
      </Button>
      {dialog}
    </>
  )
}

/** The same as an entry of a menu; none for those who are no administrators. */
export const useClearLogsEntry = (isAdmin: boolean): { entries: readonly MenuEntry[]; dialog: ReactNode } => {
  const say = useClearLogsMessages()
  const { running, ask, dialog } = useClearing(isAdmin)
  if (!isAdmin) return { entries: [], dialog: null }
  const entry: MenuEntry = {
    label: running ?? say('clear'),
    icon: 'trash',
    disabled: running !== undefined,
    apart: true,
  }
  return { entries: [{ ...entry, onClick: ask }], dialog }
}
