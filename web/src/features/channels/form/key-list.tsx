import { ActionIcon, Button, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useCopy } from '../../../components/copy/copy-text.tsx'
import { Hint } from '../../../components/display/hint.tsx'
import { Icon } from '../../../components/display/icon.tsx'
import { StatusBadge } from '../../../components/display/status-badge.tsx'
import { ErrorState } from '../../../components/states.tsx'
import { call } from '../../../lib/api/api.ts'
import { type ChannelKey, calls, channelStatus } from '../../../lib/api/contract.ts'
import { freshForMs } from '../../../lib/loading/read-ahead.ts'
import { notifyDone, notifyFailure, notifyInfo } from '../../../lib/notify.tsx'
import { useEndpoint, useRefresh } from '../../../lib/query.ts'
import { formatDateTime } from '../../../lib/text/format.ts'
import { useTimeZone } from '../../../lib/time/time-zone.ts'
import { useKeyWords } from './key-messages.ts'
import classes from './keys.module.css'

const KeyState = ({ entry }: { entry: ChannelKey }) => {
  const say = useKeyWords()
  const zone = useTimeZone()
  const moment = (seconds: number): string => formatDateTime(seconds, zone)
  if (entry.status === channelStatus.autoDisabled) {
    const hint = say('reason', { reason: entry.reason, time: moment(entry.status_time) })
    return <StatusBadge tone="bad" label={say('autoDisabled')} hint={hint} />
  }
  if (entry.status !== channelStatus.enabled) return <StatusBadge tone="neutral" label={say('disabled')} />
  if (entry.rests_until > 0) {
    return <StatusBadge tone="warn" label={say('rests', { time: moment(entry.rests_until).slice(11) })} />
  }
  return <StatusBadge tone="good" label={say('enabled')} />
}

interface KeyLineProps {
  channelId: number
  entry: ChannelKey
  /** Single keys are switched with their channel. */
  single: boolean
  onChanged: () => Promise<void>
}

const KeyLine = ({ channelId, entry, single, onChanged }: KeyLineProps) => {
  const say = useKeyWords()
  const { copy, dialog } = useCopy()
  const [shown, setShown] = useState<string>()
  const [busy, setBusy] = useState(false)
  const [leaving, setLeaving] = useState(false)
  const { hint, id } = entry
  const isOn = entry.status === channelStatus.enabled

  const doing = async (act: () => Promise<unknown>): Promise<void> => {
    setBusy(true)
    try {
      await act()
    } catch (error) {
      notifyFailure(error)
    } finally {
      setBusy(false)
    }
  }
  const whole = async (): Promise<string> =>
    shown ?? (await call(calls.revealChannelKey, { params: { id: channelId }, body: { key_id: id } })).key
  const test = async (): Promise<void> => {
    try {
      const { time } = await call(calls.runChannelTest, { params: { id: channelId }, body: { key_id: id } })
      notifyDone(say('tested', { hint, seconds: time.toFixed(2) }))
    } catch (error) {
      notifyFailure(say('testFailed', { hint, reason: error instanceof Error ? error.message : String(error) }))
    }
  }
  const setStatus = async (status: 1 | 2): Promise<void> => {
    await call(calls.setChannelKeyStatus, { params: { id: channelId }, body: { key_id: id, status } })
    notifyDone(say('changed'))
    await onChanged()
  }
  const remove = async (): Promise<void> => {
    await call(calls.removeChannelKey, { params: { id: channelId }, body: { key_id: id } })
    notifyDone(say('removed'))
    await onChanged()
  }
  const toggle = say(shown === undefined ? 'reveal' : 'hide', { hint })
  const copyLabel = say('copy', { hint })
  return (
    <li>
      <code className={`mono ${classes.key}`}>{shown ?? hint}</code>
      <Hint label={toggle}>
        <ActionIcon
          aria-label={toggle}
          aria-pressed={shown !== undefined}
          disabled={busy}
          onClick={() => (shown === undefined ? void doing(async () => setShown(await whole())) : setShown(undefined))}
        >
          <Icon name="eye" size={14} />
        </ActionIcon>
      </Hint>
      <Hint label={copyLabel}>
        <ActionIcon
          aria-label={copyLabel}
          disabled={busy}
          onClick={() => void doing(async () => copy(await whole(), { secret: true }))}
        >
          <Icon name="copy" size={14} />
        </ActionIcon>
      </Hint>
      {!single && <KeyState entry={entry} />}
      <span className={classes.acts}>
        <Button size="compact-xs" aria-label={say('testOf', { hint })} disabled={busy} onClick={() => void doing(test)}>
          {say('test')}
        </Button>
        {!single && (
          <>
            <Button
              size="compact-xs"
              aria-label={say(isOn ? 'disableOf' : 'enableOf', { hint })}
              disabled={busy}
              onClick={() => void doing(() => setStatus(isOn ? channelStatus.disabled : channelStatus.enabled))}
            >
              {say(isOn ? 'disable' : 'enable')}
            </Button>
            <Button
              size="compact-xs"
              color="bad"
              variant="subtle"
              aria-label={say('removeOf', { hint })}
              disabled={busy}
              onClick={() => setLeaving(true)}
            >
              {say('remove')}
            </Button>
          </>
        )}
      </span>
      {leaving && (
        <div className={classes.leaving} role="alertdialog" aria-label={say('removeTitle', { hint })}>
          <span>
            {say('removeTitle', { hint })} {say('removeEffect')}
          </span>
          <Button size="compact-xs" onClick={() => setLeaving(false)} data-autofocus>
            {say('cancel')}
          </Button>
          <Button
            size="compact-xs"
            variant="filled"
            color="bad"
            disabled={busy}
            onClick={() => void doing(remove).then(() => setLeaving(false))}
          >
            {say('removeConfirm')}
          </Button>
        </div>
      )}
      {dialog}
    </li>
  )
}

/** The keys of a stored channel: each with its last characters and its state. Changes take effect at once. */
export const KeyList = ({ channelId, canAdd }: { channelId: number; canAdd: boolean }) => {
  const say = useKeyWords()
  const refresh = useRefresh()
  const keys = useEndpoint(calls.listChannelKeys, { params: { id: channelId } }, { staleTimeMs: freshForMs })
  const [adding, setAdding] = useState(false)
  const [text, setText] = useState('')

  const changed = (): Promise<void> => refresh(calls.listChannelKeys, calls.browseChannels, calls.searchChannels)
  const add = async (): Promise<void> => {
    try {
      const count = await call(calls.addChannelKeys, { params: { id: channelId }, body: { keys: text } })
      if (count === 0) notifyInfo(say('addedNone'))
      else notifyDone(say('added', { count }))
      setText('')
      setAdding(false)
    } catch (error) {
      notifyFailure(error)
    }
    await changed()
  }
  if (keys.error && !keys.data) return <ErrorState error={keys.error} onRetry={() => void keys.refetch()} />
  const entries = keys.data ?? []
  const single = entries.length === 1
  return (
    <section className={classes.keys} aria-label={single ? say('title') : say('titleMany', { count: entries.length })}>
      <div className={classes.head}>
        <strong>{single ? say('title') : say('titleMany', { count: entries.length })}</strong>
        {canAdd && !adding && (
          <button type="button" className="text-button" onClick={() => setAdding(true)}>
            {say('add')}
          </button>
        )}
      </div>
      <ul>
        {entries.map((entry) => (
          <KeyLine key={entry.id} channelId={channelId} entry={entry} single={single} onChanged={changed} />
        ))}
      </ul>
      {adding && (
        <div className={classes.add}>
          <Textarea
            label={say('addLabel')}
            autosize
            minRows={2}
            maxRows={8}
            spellCheck={false}
            classNames={{ input: 'mono' }}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            data-autofocus
          />
          <div className={classes.acts}>
            <Button size="compact-sm" variant="light" disabled={text.trim() === ''} onClick={() => void add()}>
              {say('addConfirm')}
            </Button>
            <Button size="compact-sm" variant="subtle" onClick={() => setAdding(false)}>
              {say('cancel')}
            </Button>
          </div>
        </div>
      )}
      {(adding || !single) && <p className="faint">{say('note')}</p>}
    </section>
  )
}
