import { Button } from '@mantine/core'
import { useState } from 'react'
import { calls } from '../../lib/api/contract.ts'
import { onDemand } from '../../lib/loading/on-demand.tsx'
import { useEndpoint } from '../../lib/query.ts'
import { formatInteger } from '../../lib/text/format.ts'
import { useClearLogsMessages } from './messages.ts'

const ClearDialog = onDemand(async () => (await import('./clear-dialog.tsx')).ClearDialog)

const progressEveryMs = 2_000

/** Deletes old logs after saying how many, and shows how far it is. For administrators. */
export const ClearLogs = () => {
  const say = useClearLogsMessages()
  const [opened, setOpened] = useState(false)
  const [used, setUsed] = useState(false)
  const state = useEndpoint(calls.getLogClearing, {}, { refreshEveryMs: opened ? progressEveryMs : 15_000 })
  const ask = (): void => {
    setUsed(true)
    setOpened(true)
  }
  const running = state.data?.running
  const progress = running && {
    deleted: formatInteger(running.deleted),
    total: formatInteger(running.total),
  }
  return (
    <>
      <Button disabled={Boolean(running)} onClick={ask}>
        {progress ? say('running', progress) : say('clear')}
      </Button>
      {used && <ClearDialog opened={opened} onClose={() => setOpened(false)} />}
    </>
  )
}
