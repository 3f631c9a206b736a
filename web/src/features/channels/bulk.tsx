import { Button, Group, Modal, TextInput } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { call } from '../../lib/api.ts'
import { type Channel, calls } from '../../lib/contract.ts'
import { notifyDone } from '../../lib/notify.tsx'
import { useRefresh } from '../../lib/query.ts'
import { type Outcome, runAll } from '../../lib/run-all.ts'
import classes from './channels.module.css'
import { useChannelWords } from './messages.ts'
import { readPriority, readWeight } from './state.ts'

type Act = (channel: Channel) => Promise<unknown>
type Asked = 'tag' | 'priority' | 'weight'

interface Chosen {
  rows: readonly Channel[]
  clear: () => void
}

interface ValueDialogProps {
  asked: Asked
  count: number
  onClose: () => void
  onApply: (text: string) => void
}

/** Asks for the tag, priority or weight that the chosen channels get. */
const ValueDialog = ({ asked, count, onClose, onApply }: ValueDialogProps) => {
  const say = useChannelWords()
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string>()
  const check = (): string | undefined => {
    if (asked === 'tag') return text.trim() === '' ? say('tagEmpty') : undefined
    if (asked === 'priority') return readPriority(text) === undefined ? say('priorityInvalid') : undefined
    return readWeight(text) === undefined ? say('weightInvalid') : undefined
  }
  const apply = (event: FormEvent): void => {
    event.preventDefault()
    const found = check()
    setProblem(found)
    if (found === undefined) onApply(text.trim())
  }
  const title = say(asked === 'tag' ? 'setTag' : asked === 'priority' ? 'setPriority' : 'setWeight')
  return (
    <Modal opened onClose={onClose} title={<strong className="strong">{title}</strong>}>
      <form onSubmit={apply} noValidate>
        <p className="muted">{say('chosen', { count })}</p>
        <TextInput
          mt="sm"
          label={asked === 'tag' ? say('tagLabel') : say(asked)}
          inputMode={asked === 'tag' ? 'text' : 'numeric'}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          error={problem}
          autoComplete="off"
          data-autofocus
        />
        <Group justify="flex-end" mt="lg" gap={8}>
          {asked === 'tag' && (
            <Button variant="subtle" mr="auto" onClick={() => onApply('')}>
              {say('removeTag')}
            </Button>
          )}
          <Button onClick={onClose}>{say('cancel')}</Button>
          <Button type="submit" variant="filled">
            {say('apply')}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}

/** What could not be done, channel by channel, and another try for just those. */
const Summary = (props: { outcome: Outcome<Channel>; onRetry: () => void; onClose: () => void }) => {
  const say = useChannelWords()
  const { done, failed } = props.outcome
  return (
    <Modal
      opened
      onClose={props.onClose}
      title={<strong className="strong">{say('bulkTitle', { done: done.length, failed: failed.length })}</strong>}
    >
      <ul className={classes.reasons}>
        {failed.map(({ item, reason }) => (
          <li key={item.id}>
            {item.name}：<span>{reason}</span>
          </li>
        ))}
      </ul>
      <Group justify="flex-end" mt="lg" gap={8}>
        <Button onClick={props.onClose}>{say('bulkClose')}</Button>
        <Button variant="filled" onClick={props.onRetry} data-autofocus>
          {say('bulkRetry', { count: failed.length })}
        </Button>
      </Group>
    </Modal>
  )
}

export interface BulkChannels {
  setStatus: (rows: readonly Channel[], status: number, clear: () => void) => void
  ask: (asked: Asked, rows: readonly Channel[], clear: () => void) => void
  /** Render once. */
  dialogs: ReactNode
}

/** Changes several channels at once; a summary tells what failed and tries again. */
export const useBulkChannels = (): BulkChannels => {
  const say = useChannelWords()
  const refresh = useRefresh()
  const [asked, setAsked] = useState<Chosen & { what: Asked }>()
  const [summary, setSummary] = useState<{ outcome: Outcome<Channel>; act: Act }>()

  const run = async (rows: readonly Channel[], act: Act, clear?: () => void): Promise<void> => {
    const outcome = await runAll(rows, act)
    await refresh(calls.browseChannels, calls.searchChannels)
    if (outcome.failed.length > 0) return setSummary({ outcome, act })
    setSummary(undefined)
    clear?.()
    notifyDone(say('bulkDone', { count: outcome.done.length }))
  }
  const tagAll = async ({ rows, clear }: Chosen, tag: string): Promise<void> => {
    // One call for all: either all of them get the tag or none.
    const act: Act = () => call(calls.tagChannels, { body: { ids: rows.map(({ id }) => id), tag: tag || null } })
    const [first] = rows
    const outcome = await runAll(first ? [first] : [], act)
    await refresh(calls.browseChannels, calls.searchChannels)
    if (outcome.failed.length > 0) return setSummary({ outcome, act })
    clear()
    notifyDone(say('bulkDone', { count: rows.length }))
  }
  const apply = (text: string): void => {
    if (!asked) return
    setAsked(undefined)
    if (asked.what === 'tag') return void tagAll(asked, text)
    const field = asked.what
    void run(asked.rows, ({ id }) => call(calls.updateChannel, { body: { id, [field]: Number(text) } }), asked.clear)
  }
  return {
    setStatus: (rows, status, clear) =>
      void run(rows, ({ id }) => call(calls.updateChannel, { body: { id, status } }), clear),
    ask: (what, rows, clear) => setAsked({ what, rows, clear }),
    dialogs: (
      <>
        {asked && (
          <ValueDialog
            asked={asked.what}
            count={asked.rows.length}
            onClose={() => setAsked(undefined)}
            onApply={apply}
          />
        )}
        {summary && (
          <Summary
            outcome={summary.outcome}
            onClose={() => setSummary(undefined)}
            onRetry={() =>
              void run(
                summary.outcome.failed.map(({ item }) => item),
                summary.act,
              )
            }
          />
        )}
      </>
    ),
  }
}
