import { Button } from '@mantine/core'
import { useState } from 'react'
import { call } from '../../../lib/api/api.ts'
import { calls, type SettingChange, type TestedNotice } from '../../../lib/api/contract.ts'
import { formatDuration } from '../../../lib/text/format.ts'
import classes from '../personal.module.css'
import { useNoticeWords } from './notice-messages.ts'

type Outcome = { readonly arrived: TestedNotice } | { readonly failed: string }

/** Sends a real notice with the form's values, saved or not, and reports the result. No values: the form has errors. */
export const TestNotice = ({ change }: { change: () => SettingChange | undefined }) => {
  const say = useNoticeWords()
  const [busy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<Outcome>()
  const test = async (): Promise<void> => {
    const body = change()
    if (body === undefined) return
    setBusy(true)
    setOutcome(undefined)
    try {
      setOutcome({ arrived: await call(calls.testNotice, { body }) })
    } catch (error) {
      setOutcome({ failed: error instanceof Error ? error.message : String(error) })
    } finally {
      setBusy(false)
    }
  }
  const words = (): string => {
    if (outcome === undefined) return busy ? say('testing') : ''
    if ('failed' in outcome) return outcome.failed
    const { way, to, duration_ms } = outcome.arrived
    return say(way === 'webhook' ? 'testDone' : 'testMailed', { to, duration: formatDuration(duration_ms) })
  }
  const tone = outcome && ('failed' in outcome ? 'bad' : 'good')
  return (
    <>
      <Button onClick={() => void test()} loading={busy}>
        {say('test')}
      </Button>
      <p className={classes.outcome} role="status" data-tone={tone}>
        {words()}
      </p>
    </>
  )
}
