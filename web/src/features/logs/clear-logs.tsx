import { Button, Group, Modal } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { calls } from '../../lib/contract.ts'
import { formatDateTime, formatInteger } from '../../lib/format.ts'
import { useAction, useEndpoint } from '../../lib/query.ts'
import classes from './logs.module.css'
import { useLogWords } from './messages.ts'

const progressEveryMs = 2_000

/** `2026-11-20T20:14` of the browser's own picker, in local time. */
const monthAgo = (): string => {
  const day = new Date()
  day.setMonth(day.getMonth() - 1)
  return formatDateTime(day.getTime() / 1000)
    .replace(' ', 'T')
    .slice(0, 16)
}

const Question = ({ onClose }: { onClose: () => void }) => {
  const say = useLogWords()
  const [text, setText] = useState(monthAgo)
  const [missing, setMissing] = useState(false)
  const moment = text === '' ? 0 : Math.floor(new Date(text).getTime() / 1000)
  const state = useEndpoint(calls.getLogClearing, { query: { target_timestamp: moment } }, { enabled: moment > 0 })
  const count = moment > 0 && !state.isPlaceholderData ? state.data?.count : undefined
  const clear = useAction(calls.clearLogs, {
    done: (rows) => say('clearStarted', { count: formatInteger(rows) }),
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
      <p className="muted">{say('clearText')}</p>
      <label>
        {say('clearTime')}
        <input
          type="datetime-local"
          value={text}
          aria-invalid={missing && moment <= 0}
          data-autofocus
          onChange={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <div aria-live="polite">
        {missing && moment <= 0 && <p className={classes.clearError}>{say('clearMissing')}</p>}
        {state.error && <p className={classes.clearError}>{state.error.message}</p>}
        {count !== undefined && (
          <p className="strong">
            {count > 0 ? say('clearCount', { count: formatInteger(count) }) : say('clearNothing')}
          </p>
        )}
      </div>
      <Group justify="flex-end" gap={8}>
        <Button onClick={onClose} disabled={clear.busy}>
          {say('clearCancel')}
        </Button>
        <Button type="submit" variant="filled" color="bad" loading={clear.busy} disabled={moment > 0 && !count}>
          {count ? say('clearConfirm', { count: formatInteger(count) }) : say('clear')}
        </Button>
      </Group>
    </form>
  )
}

/** Deletes old logs after saying how many, and shows how far it is. For administrators. */
export const ClearLogs = () => {
  const say = useLogWords()
  const [opened, setOpened] = useState(false)
  const state = useEndpoint(calls.getLogClearing, {}, { refreshEveryMs: opened ? progressEveryMs : 15_000 })
  const running = state.data?.running
  const progress = running && {
    deleted: formatInteger(running.deleted),
    total: formatInteger(running.total),
  }
  return (
    <>
      <Button disabled={Boolean(running)} onClick={() => setOpened(true)}>
        {progress ? say('clearRunning', progress) : say('clear')}
      </Button>
      <Modal
        opened={opened}
        onClose={() => setOpened(false)}
        title={<strong className="strong">{say('clearTitle')}</strong>}
        withCloseButton={false}
      >
        {opened && <Question onClose={() => setOpened(false)} />}
      </Modal>
    </>
  )
}
