import { Button } from '@mantine/core'
import { mail } from '@tollgate/contract/options/mail'
import { prices } from '@tollgate/contract/options/prices'
import { type ComponentType, useState } from 'react'
import { ConfirmAction } from '../../components/confirm-action.tsx'
import { calls, role, type Section } from '../../lib/contract.ts'
import { useAction } from '../../lib/query.ts'
import { useSettingWords } from './messages.ts'
import { useSettings } from './settings-state.ts'
import { TestMail } from './test-mail.tsx'

/** Puts the ratios back to the built-in table; edits of them that are not saved go too. */
const ResetModelRatio = () => {
  const say = useSettingWords()
  const settings = useSettings()
  const [asking, setAsking] = useState(false)
  const reset = useAction(calls.resetModelRatio, {
    done: say('resetRatioDone'),
    refresh: [calls.listOptions],
    onDone: () => settings.discard(['ModelRatio']),
  })
  if (settings.role < role.root) return null
  return (
    <>
      <Button color="bad" onClick={() => setAsking(true)}>
        {say('resetRatio')}
      </Button>
      <ConfirmAction
        opened={asking}
        onClose={() => setAsking(false)}
        title={say('resetRatioTitle')}
        effect={say('resetRatioEffect')}
        confirmLabel={say('resetRatio')}
        onConfirm={() => reset.run()}
        danger
      />
    </>
  )
}

/** What a section offers beside its fields. */
export const extras: ReadonlyMap<Section, ComponentType> = new Map<Section, ComponentType>([
  [prices, ResetModelRatio],
  [mail, TestMail],
])
