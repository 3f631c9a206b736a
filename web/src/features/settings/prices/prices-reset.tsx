import { Button } from '@mantine/core'
import { useState } from 'react'
import { calls, role } from '../../../lib/api/contract.ts'
import { onDemand } from '../../../lib/loading/on-demand.tsx'
import { useAction } from '../../../lib/query.ts'
import { fullOptionOf } from '../saving/full-option.ts'
import { useSettings } from '../settings-state.ts'
import { usePriceMessages } from './prices-messages.ts'

const PricePreview = onDemand(async () => (await import('./prices-preview.tsx')).PricePreview)

/** Puts the ratios back to the built-in table; edits of them that are not saved go too. */
export const ResetModelRatio = () => {
  const say = usePriceMessages()
  const settings = useSettings()
  const [asking, setAsking] = useState(false)
  const reset = useAction(calls.resetModelRatio, {
    done: say('resetDone'),
    refresh: [calls.listOptions, calls.listPricing],
    onDone: () => {
      settings.discard(['ModelRatio'])
      setAsking(false)
    },
  })
  if (settings.role < role.root) return null
  const { print, fallback } = fullOptionOf('ModelRatio')
  return (
    <>
      <Button color="bad" onClick={() => setAsking(true)}>
        {say('reset')}
      </Button>
      {asking && (
        <PricePreview
          changes={[{ key: 'ModelRatio', value: print(fallback) }]}
          reset
          title={say('resetTitle')}
          text={say('resetText')}
          confirmLabel={say('reset')}
          onConfirm={() => reset.run()}
          onClose={() => setAsking(false)}
          danger
        />
      )}
    </>
  )
}
