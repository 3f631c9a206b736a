import { Button, Modal } from '@mantine/core'
import { useEffect, useEffectEvent, useState } from 'react'
import { chosenRows } from '../../../components/batch/chosen.ts'
import type { BatchTexts } from '../../../components/batch/put-back.ts'
import { BatchDialogs, useBatch } from '../../../components/batch/use-batch.tsx'
import { useUiMessages } from '../../../components/messages.ts'
import { call } from '../../../lib/api/api.ts'
import { type Channel, calls } from '../../../lib/api/contract.ts'
import { ModelDiffParts } from '../form/models/model-diff-panel.tsx'
import { changeOf, diffOf, type ModelDiff, useOfferedModels } from '../form/models/offered-models.ts'
import classes from './refresh.module.css'
import { useRefreshMessages } from './refresh-messages.ts'

/** The most channels that are listed; all of them are changed nevertheless. */
const mostShown = 200

type Dropped = ReadonlyMap<number, ReadonlySet<string>>
type Changes = ReadonlyMap<number, { add: string[]; remove: string[] }>

const none: ReadonlySet<string> = new Set()
const isChange = ({ fresh, gone }: ModelDiff): boolean => fresh.length > 0 || gone.length > 0

interface DifferenceProps {
  channel: Channel
  diff: ModelDiff
  dropped: ReadonlySet<string>
  onDropped: (dropped: ReadonlySet<string>) => void
}

/** One channel that differs from its upstream; its models are shown when it is opened. */
const Difference = ({ channel, diff, ...ticks }: DifferenceProps) => {
  const say = useRefreshMessages()
  const [open, setOpen] = useState(false)
  const { fresh, gone } = diff
  return (
    <li>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <span className={classes.name}>{channel.name}</span>
          {fresh.length > 0 && <span className={classes.fresh}>{say('fresh', { count: fresh.length })}</span>}
          {gone.length > 0 && <span className={classes.gone}>{say('gone', { count: gone.length })}</span>}
        </summary>
        {open && <ModelDiffParts diff={{ ...diff, same: [] }} filter="" {...ticks} />}
      </details>
    </li>
  )
}

/** Redirections may have followed the models: they are not taken back. */
const modelTexts: BatchTexts<Changes> = {
  doneText: (_, { count }) => useRefreshMessages.say('done', { count }),
  undoOf: () => undefined,
}

interface RefreshModelsProps {
  channels: readonly Channel[]
  onClose: () => void
  /** All that was ticked has been applied. */
  onDone: () => void
}

/** Fetches the models of several channels from their upstreams and applies the ticked differences. */
export const RefreshModels = ({ channels, onClose, onDone }: RefreshModelsProps) => {
  const say = useRefreshMessages()
  const ui = useUiMessages()
  const { offered, busy, ask, stop } = useOfferedModels()
  const [dropped, setDropped] = useState<Dropped>(new Map())
  const batch = useBatch(
    (which, changes: Changes) => {
      const ids = 'ids' in which ? which.ids : []
      return call(calls.changeChannelModels, { body: { rows: ids.map((id) => ({ id, ...changes.get(id) })) } })
    },
    [calls.browseChannels, calls.searchChannels, calls.getChannel],
    async () => modelTexts,
  )
  const begin = useEffectEvent(() => void ask(channels))
  useEffect(() => begin(), [])

  const failed = channels.flatMap((channel) => {
    const answer = offered.get(channel.id)
    return answer && 'error' in answer ? [{ channel, reason: answer.error }] : []
  })
  const compared = channels.flatMap((channel) => {
    const diff = diffOf(channel, offered)
    return diff ? [{ channel, diff }] : []
  })
  const changed = compared.filter(({ diff }) => isChange(diff))
  const open = channels.filter(({ id }) => !offered.has(id))
  const changes: Changes = new Map(
    changed.flatMap(({ channel: { id }, diff }) => {
      const change = changeOf(diff, dropped.get(id) ?? none)
      return change.add.length + change.remove.length > 0 ? [[id, change] as const] : []
    }),
  )
  /** Ticks or unticks one side of every difference. */
  const tickAll = (side: 'fresh' | 'gone', keep: boolean): void =>
    setDropped(
      new Map(
        changed.map(({ channel: { id }, diff }) => {
          const before = [...(dropped.get(id) ?? none)].filter((name) => !diff[side].includes(name))
          return [id, new Set(keep ? before : [...before, ...diff[side]])] as const
        }),
      ),
    )
  const apply = (): void =>
    void batch.run(
      chosenRows(
        channels.filter(({ id }) => changes.has(id)),
        onDone,
        ({ name }) => name,
      ),
      changes,
    )
  const progress = { done: offered.size, total: channels.length, failed: failed.length }
  return (
    <Modal
      opened
      onClose={onClose}
      size="xl"
      closeButtonProps={{ 'aria-label': ui('close') }}
      title={<strong className="strong">{say('title', { count: channels.length })}</strong>}
    >
      <p className="muted">{say('intro')}</p>
      <div className={classes.progress} role="status">
        <progress value={offered.size} max={Math.max(1, channels.length)} aria-label={say('asking')} />
        <span className="num">{say('progress', progress)}</span>
        {busy && (
          <Button size="compact-sm" onClick={stop}>
            {say('stop')}
          </Button>
        )}
        {!busy && open.length > 0 && (
          <Button size="compact-sm" onClick={() => void ask(open)}>
            {say('goOn')}
          </Button>
        )}
        {!busy && failed.length > 0 && (
          <Button size="compact-sm" onClick={() => void ask(failed.map(({ channel }) => channel))}>
            {say('retry', { count: failed.length })}
          </Button>
        )}
      </div>
      {failed.length > 0 && (
        <section className={classes.part} aria-label={say('failed')}>
          <h3>{say('failed')}</h3>
          <ul className={classes.failed}>
            {failed.slice(0, mostShown).map(({ channel, reason }) => (
              <li key={channel.id}>
                <strong className="strong">{channel.name}</strong> <span>{reason}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {changed.length > 0 && (
        <section className={classes.part} aria-label={say('changed', { count: changed.length })}>
          <h3>
            {say('changed', { count: changed.length })}
            <button type="button" className="text-button" onClick={() => tickAll('fresh', true)}>
              {say('addAll')}
            </button>
            <button type="button" className="text-button" onClick={() => tickAll('gone', false)}>
              {say('removeGone')}
            </button>
          </h3>
          <ul className={classes.changed}>
            {changed.slice(0, mostShown).map(({ channel, diff }) => (
              <Difference
                key={channel.id}
                channel={channel}
                diff={diff}
                dropped={dropped.get(channel.id) ?? none}
                onDropped={(next) => setDropped(new Map([...dropped, [channel.id, next]]))}
              />
            ))}
          </ul>
          {changed.length > mostShown && <p className="faint">{say('more', { count: mostShown })}</p>}
        </section>
      )}
      {compared.length > changed.length && (
        <p className="faint">{say('same', { count: compared.length - changed.length })}</p>
      )}
      <div className={classes.foot}>
        <Button onClick={onClose}>{ui('cancel')}</Button>
        <Button variant="filled" disabled={busy || changes.size === 0} onClick={apply}>
          {changes.size === 0 ? say('nothing') : say('apply', { count: changes.size })}
        </Button>
      </div>
      <BatchDialogs {...batch} />
    </Modal>
  )
}
