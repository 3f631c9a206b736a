import { Button } from '@mantine/core'
import { useState } from 'react'
import { role } from '../../lib/api/contract.ts'
import { onDemand } from '../../lib/loading/on-demand.tsx'
import { useSettingMessages } from './messages.ts'
import { keysOf, sectionOf } from './registry.ts'
import { useSettings } from './settings-state.ts'

const TestMailDialog = onDemand(async () => (await import('./test-mail-dialog.tsx')).TestMailDialog)

/** Sends a mail with the saved settings; the mail server's error stays visible. */
export const TestMail = () => {
  const say = useSettingMessages()
  const settings = useSettings()
  const [open, setOpen] = useState(false)
  const [used, setUsed] = useState(false)
  const section = sectionOf('SMTPServer')
  const unsaved = section && keysOf(section, settings.role).some((key) => settings.changed.includes(key))
  if (settings.role < role.root) return null
  const ask = (): void => {
    setUsed(true)
    setOpen(true)
  }
  return (
    <>
      <Button onClick={ask} disabled={unsaved} title={unsaved ? say('mailUnsaved') : undefined}>
        {say('mailTest')}
      </Button>
      {used && <TestMailDialog opened={open} onClose={() => setOpen(false)} />}
    </>
  )
}
