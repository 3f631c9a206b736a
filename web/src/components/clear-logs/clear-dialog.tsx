import { Button, Group, Modal } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { calls } from '../../lib/api/contract.ts'
import { useAction, useEndpoint } from '../../lib/query.ts'
import { formatInteger } from '../../lib/text/format.ts'
import { useTimeZone, zoneName } from '../../lib/time/time-zone.ts'
import { printPicked, readPicked } from '../../lib/time/written-moment.ts'
import { MomentField } from '../date/moment-field.tsx'
import classes from './clear-dialog.module.css'
import { useClearDialogMessages } from './dialog-messages.ts'

const monthAgo = (zone: string | undefined): string => {
  const day = new Date()
  day.setMonth(day.getMonth() - 1)
  return printPicked(day.getTime() / 1000, zone)
}

const Question = ({ onClose }: { onClose: () => void }) => {
  const say = useClearDialogMessages()
  const zone = useTimeZone()
  const [text, setText] = useState(() => monthAgo(zone))
  const [missing, setMissing] = useState(false)
  const moment = readPicked(text, zone) ?? 0
  const state = useEndpoint(calls.getLogClearing, { query: { target_timestamp: moment } }, { enabled: moment > 0 })
  const count = moment > 0 && !state.isPlaceholderData ? state.data?.count : undefined
  const clear = useAction(calls.clearLogs, {
    done: (rows) => say('started', { count: formatInteger(rows) }),
    refresh: [calls.getLogClearing],
    onDone: onClose,
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (moment <= 0) setMissing(true)
    else if (count !== undefined && count > 0) void clear.run({ query: { target_timestamp: moment } })
  }
  return (
    <form className={classes.clear} onSubmit={submit} noValidate>
      <p className="muted">{say('text')}</p>
      <MomentField label={say('time')} value={text} error={missing && moment <= 0} data-autofocus onChange={setText} />
      <p className="faint">{zoneName(zone)}</p>
      <div aria-live="polite">
        {missing && moment <= 0 && <p className={classes.clearError}>{say('missing')}</p>}
        {state.error && <p className={classes.clearError}>{state.error.message}</p>}
        {count !== undefined && (
          <p className="strong">{count > 0 ? say('count', { count: formatInteger(count) }) : say('nothing')}</p>
        )}
      </div>
      <Group justify="flex-end" gap={8}>
        <Button onClick={onClose} disabled={clear.busy}>
          {say('cancel')}
        </Button>
        <Button type="submit" variant="filled" color="bad" loading={clear.busy} disabled={moment > 0 && !count}>
          {count ? say('confirm', { count: formatInteger(count) }) : say('submit')}
        </Button>
      </Group>
    </form>
  )
}

/** Asks until when, says how many that are, and begins. */
export const ClearDialog = ({ opened, onClose }: { opened: boolean; onClose: () => void }) => {
  const say = useClearDialogMessages()
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={<strong className="strong">{say('title')}</strong>}
      withCloseButton={false}
    >
      {opened && <Question onClose={onClose} />}
    </Modal>
  )
}
