import { ActionIcon, TextInput } from '@mantine/core'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { Icon } from '../../components/display/icon.tsx'
import { call } from '../../lib/api/api.ts'
import { type Channel, calls } from '../../lib/api/contract.ts'
import { useReadOnly } from '../../lib/api/staff.ts'
import { notifyFailure, notifyOffer } from '../../lib/notify.tsx'
import { useAction } from '../../lib/query.ts'
import { aboutChannels } from './about-channels.ts'
import classes from './channels.module.css'
import { useChannelMessages } from './messages.ts'
import { leastPriority, readPriority } from './state.ts'

export type Field = 'priority' | 'weight'

/**
 * Parses typed text as the table stores it: priorities from −999, negative weights become 0; undefined when invalid.
 */
export const readCell = (field: Field, text: string): number | undefined => {
  const value = readPriority(text)
  if (value === undefined) return undefined
  return field === 'weight' ? Math.max(0, value) : Math.max(leastPriority, value)
}

interface NumberCellProps {
  field: Field
  /** Nothing where the rows below differ. */
  value: number | undefined
  /** Shown in place of the number; `value` by default. */
  shown?: ReactNode
  label: string
  /** Shows for a moment that it was saved. */
  saved?: boolean
  onSave: (next: number) => void
}

/** A number in a table: a click edits, Enter saves, Esc and leaving the field cancel. The focus stays in its place. */
export const NumberCell = ({ field, value, shown, label, saved = false, onSave }: NumberCellProps) => {
  const say = useChannelMessages()
  const isReadOnly = useReadOnly()
  const [text, setText] = useState<string>()
  const comesBack = useRef(false)
  const close = (): void => {
    comesBack.current = true
    setText(undefined)
  }
  const finish = (): void => {
    const next = text === undefined ? undefined : readCell(field, text)
    close()
    if (text === undefined || text === '' || next === value) return
    if (next === undefined) notifyFailure(say(field === 'priority' ? 'priorityInvalid' : 'weightInvalid'))
    else onSave(next)
  }
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') finish()
    else if (event.key === 'Escape') close()
    else return
    event.stopPropagation()
    event.preventDefault()
  }
  const printed = shown ?? value?.toString().replace('-', '−')
  if (isReadOnly) return <span className="num">{printed}</span>
  if (text === undefined)
    return (
      <button
        type="button"
        className={`num ${classes.cell}`}
        aria-label={label}
        title={label}
        onClick={() => setText(value === undefined ? '' : String(value))}
        ref={(button) => {
          if (comesBack.current) button?.focus()
          comesBack.current = false
        }}
      >
        {saved && (
          <span className={classes.tick} title={say('cellDone')}>
            <Icon name="check" size={12} />
          </span>
        )}
        {printed}
      </button>
    )
  return (
    <TextInput
      className={classes.cellInput}
      classNames={{ input: 'num' }}
      size="xs"
      aria-label={label}
      title={say('cellHint')}
      inputMode="numeric"
      autoFocus
      value={text}
      onFocus={(event) => event.currentTarget.select()}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={() => setText(undefined)}
      onKeyDown={onKey}
      enterKeyHint="done"
      rightSectionProps={{ className: classes.cellSave }}
      rightSection={
        // Number pads of phones have no Enter key. The button must not take the focus, because leaving the field
        // cancels.
        <ActionIcon aria-label={say('cellSave')} onPointerDown={(event) => event.preventDefault()} onClick={finish}>
          <Icon name="check" size={14} />
        </ActionIcon>
      }
    />
  )
}

const tickMs = 2500

/** True for a short time after saving, and a function that starts that time. */
export const useTick = (): [boolean, () => void] => {
  const [ticks, setTicks] = useState(0)
  useEffect(() => {
    if (ticks === 0) return
    const timer = setTimeout(() => setTicks(0), tickMs)
    return () => clearTimeout(timer)
  }, [ticks])
  return [ticks > 0, () => setTicks((count) => count + 1)]
}

/** Priority or weight of a channel; a change can be undone. */
export const InlineNumber = ({ channel, field }: { channel: Channel; field: Field }) => {
  const say = useChannelMessages()
  // The saved number is shown at once, until the list's own value arrives.
  const [saved, setSaved] = useState<{ before: number; value: number }>()
  const value = saved && saved.before === channel[field] ? saved.value : channel[field]
  const name = say(field)
  const [ticked, tick] = useTick()
  // Taking back happens later, when the list knows more than it does now.
  const listed = useRef(channel[field])
  useEffect(() => {
    listed.current = channel[field]
  }, [channel, field])

  const update = useAction(
    (next: number, _before: number) => call(calls.updateChannel, { body: { id: channel.id, [field]: next } }),
    {
      onDone: (_, next, before) => {
        const message = say('cellSaved', { name: channel.name, field: name, from: before, to: next })
        tick()
        notifyOffer(message, say('undo'), () => void save(before, next))
      },
      refresh: aboutChannels,
      refreshAfterFailure: aboutChannels,
    },
  )
  const save = async (next: number, before: number): Promise<void> => {
    const mine = { before: listed.current, value: next }
    setSaved(mine)
    await update.run(next, before)
    // The list now has the number. Keeping the saved one longer would hide that another user set the old number again.
    setSaved((current) => (current === mine ? undefined : current))
  }
  return (
    <NumberCell
      field={field}
      value={value}
      saved={ticked}
      label={say('editCell', { name: channel.name, field: name, value })}
      onSave={(next) => void save(next, value)}
    />
  )
}
