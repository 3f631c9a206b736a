import { ActionIcon, Button, Textarea } from '@mantine/core'
import { useState } from 'react'
import { CopyDialog, useCopy } from '../../../components/copy/copy-text.tsx'
import { Hint } from '../../../components/display/hint.tsx'
import { Icon } from '../../../components/display/icon.tsx'
import { StatusBadge } from '../../../components/display/status-badge.tsx'
import { useMomentText } from '../../../components/display/time/time-text.tsx'
import { ErrorState } from '../../../components/states.tsx'
import { call } from '../../../lib/api/api.ts'
import { type ChannelKey, calls, channelStatus } from '../../../lib/api/contract.ts'
import { useReadOnly } from '../../../lib/api/staff.ts'
import { freshForMs } from '../../../lib/loading/read-ahead.ts'
import { notifyInfo } from '../../../lib/notify.tsx'
import { useAction, useEndpoint } from '../../../lib/query.ts'
import { errorText } from '../../../lib/text/error-text.ts'
import { formatClock } from '../../../lib/text/format-time.ts'
import { refusalText } from '../../../lib/text/refusal-text.ts'
import { useTimeZone } from '../../../lib/time/time-zone.ts'
import { KeyLimits } from './key-limits.tsx'
import { useKeyMessages } from './key-messages.ts'
import classes from './keys.module.css'
import { WaitingKeys } from './waiting-keys.tsx'

const KeyState = ({ entry }: { entry: ChannelKey }) => {
  const say = useKeyMessages()
  const moment = useMomentText()
  const zone = useTimeZone()
  if (entry.status === channelStatus.autoDisabled) {
    const hint = say('reason', { reason: refusalText(entry.reason, entry), time: moment(entry.status_time) })
    return <StatusBadge tone="bad" label={say('autoDisabled')} hint={hint} />
  }
  if (entry.status !== channelStatus.enabled) return <StatusBadge tone="neutral" label={say('disabled')} />
  if (entry.rests_until > 0) {
    return <StatusBadge tone="warn" label={say('rests', { time: formatClock(entry.rests_until, zone) })} />
  }
  return <StatusBadge tone="good" label={say('enabled')} />
}

const aboutKeys = [calls.listChannelKeys, calls.browseChannels, calls.searchChannels] as const

interface KeyLineProps {
  channelId: number
  entry: ChannelKey
  /** Single keys are switched with their channel. */
  single: boolean
}

const KeyLine = ({ channelId, entry, single }: KeyLineProps) => {
  const say = useKeyMessages()
  const { copy, byHand } = useCopy()
  const isReadOnly = useReadOnly()
  const [shown, setShown] = useState<string>()
  const [leaving, setLeaving] = useState(false)
  const { hint, id } = entry
  const isOn = entry.status === channelStatus.enabled

  const params = { id: channelId }
  const body = { key_id: id }
  const whole = async (): Promise<string> => shown ?? (await call(calls.revealChannelKey, { params, body })).key
  const runTest = async (): Promise<number> => {
    try {
      return (await call(calls.runChannelTest, { params, body })).time
    } catch (error) {
      throw new Error(say('testFailed', { hint, reason: errorText(error) }))
    }
  }
  const reveal = useAction(whole, { onDone: (key) => setShown(key) })
  const copying = useAction(async () => copy(await whole(), { secret: true }))
  const test = useAction(runTest, { done: (seconds) => say('tested', { hint, seconds: seconds.toFixed(2) }) })
  const setStatus = useAction(calls.setChannelKeyStatus, { done: say('changed'), refresh: aboutKeys })
  const remove = useAction(calls.removeChannelKey, { done: say('removed'), refresh: aboutKeys })
  const busy = isReadOnly || [reveal, copying, test, setStatus, remove].some((action) => action.busy)
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
          onClick={() => (shown === undefined ? void reveal.run() : setShown(undefined))}
        >
          <Icon name="eye" size={14} />
        </ActionIcon>
      </Hint>
      <Hint label={copyLabel}>
        <ActionIcon aria-label={copyLabel} disabled={busy} onClick={() => void copying.run()}>
          <Icon name="copy" size={14} />
        </ActionIcon>
      </Hint>
      {!single && <KeyState entry={entry} />}
      <span className={classes.acts}>
        <Button size="compact-xs" aria-label={say('testOf', { hint })} disabled={busy} onClick={() => void test.run()}>
          {say('test')}
        </Button>
        {!single && (
          <>
            <Button
              size="compact-xs"
              aria-label={say(isOn ? 'disableOf' : 'enableOf', { hint })}
              disabled={busy}
              onClick={() =>
                void setStatus.run({
                  params,
                  body: { ...body, status: isOn ? channelStatus.disabled : channelStatus.enabled },
                })
              }
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
      <KeyLimits limits={entry.limits} />
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
            onClick={() => void remove.run({ params, body }).then(() => setLeaving(false))}
          >
            {say('removeConfirm')}
          </Button>
        </div>
      )}
      <CopyDialog {...byHand} />
    </li>
  )
}

/** The keys of a stored channel: each with its last characters and its state. Changes take effect at once. */
export const KeyList = (props: {
  channelId: number
  canAdd: boolean
  /** It fills a panel, which is frame and title enough. */
  isInset?: boolean
}) => {
  const { channelId, canAdd, isInset = false } = props
  const say = useKeyMessages()
  const keys = useEndpoint(calls.listChannelKeys, { params: { id: channelId } }, { staleTimeMs: freshForMs })
  const isReadOnly = useReadOnly()
  const [adding, setAdding] = useState(false)
  const [text, setText] = useState('')

  const add = useAction(calls.addChannelKeys, {
    done: (count) => (count === 0 ? undefined : say('added', { count })),
    onDone: (count) => {
      if (count === 0) notifyInfo(say('addedNone'))
      setText('')
      setAdding(false)
    },
    refresh: aboutKeys,
    refreshAfterFailure: aboutKeys,
  })
  if (keys.error && !keys.data) return <ErrorState error={keys.error} onRetry={() => void keys.refetch()} />
  if (!keys.data) return <WaitingKeys />
  const entries = keys.data
  const single = entries.length === 1
  return (
    <section
      className={classes.keys}
      data-inset={isInset || undefined}
      aria-label={single ? say('title') : say('titleMany', { count: entries.length })}
    >
      <div className={classes.head}>
        <strong>{single ? say('title') : say('titleMany', { count: entries.length })}</strong>
        {canAdd && !adding && !isReadOnly && (
          <button type="button" className="text-button" onClick={() => setAdding(true)}>
            {say('add')}
          </button>
        )}
      </div>
      <ul>
        {entries.map((entry) => (
          <KeyLine key={entry.id} channelId={channelId} entry={entry} single={single} />
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
            <Button
              size="compact-sm"
              variant="light"
              disabled={text.trim() === ''}
              onClick={() => void add.run({ params: { id: channelId }, body: { keys: text } })}
            >
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
