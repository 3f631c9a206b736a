import { Button } from '@mantine/core'
import { useState } from 'react'
import { calls } from '../../lib/api/contract.ts'
import { useSession } from '../../lib/api/session.ts'
import { mayWrite } from '../../lib/api/staff.ts'
import { defineMessages } from '../../lib/i18n.ts'
import { onDemand } from '../../lib/loading/on-demand.tsx'
import { useEndpoint } from '../../lib/query.ts'
import { formatInteger } from '../../lib/text/format.ts'
import type { MenuEntry } from '../menu/menu-entry.ts'

const useClearLogsMessages = defineMessages('clear-logs', {
  zh: {
    clear: '清除历史日志',
    running: '正在清理：{{deleted}} / {{total}}',
  },
  en: {
    clear: 'Clear logs',
    running: 'Deleting: {{deleted}} of {{total}}',
  },
})

const ClearDialog = onDemand(async () => (await import('./clear-dialog.tsx')).ClearDialog)

const progressEveryMs = 2_000

interface Clearing {
  /** How far the deletion of old logs is, while one runs. */
  readonly running: string | undefined
  readonly opened: boolean
  /** True if the dialog was ever asked for: it is loaded on demand, and stays to close slowly. */
  readonly used: boolean
  readonly ask: () => void
  readonly close: () => void
}

/** How far the deletion of old logs is, and whether the dialog that begins it is open. For administrators. */
const useClearing = (enabled: boolean): Clearing => {
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
    opened,
    used,
    close: () => setOpened(false),
  }
}

/** Asks how old the logs must be that are deleted. */
export const ClearLogsDialog = ({ clearing: { used, opened, close } }: { clearing: Clearing }) =>
  used && <ClearDialog opened={opened} onClose={close} />

/** Deletes old logs after saying how many, and shows how far it is. For administrators. */
export const ClearLogs = () => {
  const say = useClearLogsMessages()
  const clearing = useClearing(true)
  const { running, ask } = clearing
  return (
    <>
      <Button disabled={running !== undefined} onClick={ask}>
        {running ?? say('clear')}
      </Button>
      <ClearLogsDialog clearing={clearing} />
    </>
  )
}

/** The same as an entry of a menu; none for those who may not change the logs. */
export const useClearLogsEntry = (isAdmin: boolean): { entries: readonly MenuEntry[]; clearing: Clearing } => {
  const say = useClearLogsMessages()
  const clearing = useClearing(isAdmin)
  const { running, ask } = clearing
  const mayClear = mayWrite(useSession(), 'logs')
  if (!mayClear) return { entries: [], clearing }
  const entry: MenuEntry = {
    label: running ?? say('clear'),
    icon: 'trash',
    disabled: running !== undefined,
    apart: true,
  }
  return { entries: [{ ...entry, onClick: ask }], clearing }
}
