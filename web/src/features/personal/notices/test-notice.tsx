import { Button } from '@mantine/core'
import { calls, type SettingChange } from '../../../lib/api/contract.ts'
import { useAction } from '../../../lib/query.ts'
import { formatDuration } from '../../../lib/text/format.ts'
import classes from '../personal.module.css'
import { useNoticeMessages } from './notice-messages.ts'

/** Sends a real notice with the form's values, saved or not, and reports the result. No values: the form has errors. */
export const TestNotice = ({ change }: { change: () => SettingChange | undefined }) => {
  const say = useNoticeMessages()
  const test = useAction(calls.testNotice)
  const start = (): void => {
    const body = change()
    // The failure is shown below.
    if (body !== undefined) test.submit({ body }).catch(() => undefined)
  }
  const outcome = (): string => {
    if (test.busy) return say('testing')
    if (test.error) return test.error.message
    if (!test.data) return ''
    const { way, to, duration_ms } = test.data
    return say(way === 'webhook' ? 'testDone' : 'testMailed', { to, duration: formatDuration(duration_ms) })
  }
  const tone = test.error ? 'bad' : test.data && 'good'
  return (
    <>
      <Button onClick={start} loading={test.busy}>
        {say('test')}
      </Button>
      <p className={classes.outcome} role="status" data-tone={tone}>
        {outcome()}
      </p>
    </>
  )
}
