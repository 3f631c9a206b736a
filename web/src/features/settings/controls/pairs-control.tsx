import { ActionIcon, Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Icon } from '../../../components/display/icon.tsx'
import classes from '../settings.module.css'
import { useControl } from './control.ts'
import { listPairs, numberPairs, type Pair, type PairsForm, textPairs } from './pairs.ts'
import { JsonControl } from './plain-controls.tsx'

interface PairsLook {
  readonly form: PairsForm
  readonly name: 'group' | 'chatName'
  readonly value: 'ratio' | 'description' | 'chatLink'
  readonly ordered?: boolean
}

let lastId = 0
const withIds = (pairs: readonly Omit<Pair, 'id'>[]): readonly Pair[] =>
  pairs.map((pair) => {
    lastId += 1
    return { ...pair, id: lastId }
  })

/** Rows that belong to the text; edits elsewhere (undo, saving, the JSON view) make new ones. */
const usePairs = (text: string, form: PairsForm, edit: (text: string) => void) => {
  const [own, setOwn] = useState<{ text: string; pairs: readonly Pair[] | undefined }>()
  const derive = (): readonly Pair[] | undefined => {
    const read = form.read(text)
    return read && withIds(read)
  }
  const current = own?.text === text ? own : { text, pairs: derive() }
  if (current !== own) setOwn(current)
  return {
    pairs: current.pairs,
    change(pairs: readonly Pair[]): void {
      const next = form.write(pairs)
      setOwn({ text: next, pairs })
      edit(next)
    },
  }
}

const PairsControl = ({ look }: { look: PairsLook }) => {
  const { of, label, help, text, error, writable, edit, leave, say } = useControl()
  const { pairs, change } = usePairs(text, look.form, edit)
  const [asJson, setAsJson] = useState(false)
  const other = (
    <button
      type="button"
      className="text-button"
      aria-label={say('editAs', { name: say(asJson ? 'asRows' : 'asJson') })}
      disabled={!pairs}
      onClick={() => setAsJson(!asJson)}
    >
      {say(asJson ? 'asRows' : 'asJson')}
    </button>
  )
  if (asJson || !pairs)
    return (
      <div>
        <JsonControl />
        <div className={classes.pairsFoot}>{other}</div>
      </div>
    )
  const set = (id: number, part: Partial<Pair>): void =>
    change(pairs.map((pair) => (pair.id === id ? { ...pair, ...part } : pair)))
  const move = (place: number): void => {
    const next = [...pairs]
    next.splice(place - 1, 0, ...next.splice(place, 1))
    change(next)
  }
  return (
    <fieldset className={classes.pairs} aria-describedby={error ? `${of}-error` : undefined}>
      <legend>{label}</legend>
      {help && <p className="muted">{help}</p>}
      <div className={classes.pairsHead} aria-hidden="true">
        <span>{say(look.name)}</span>
        <span>{say(look.value)}</span>
      </div>
      {pairs.map((pair, place) => (
        <div key={pair.id} className={classes.pair} data-ordered={look.ordered || undefined}>
          <TextInput
            aria-label={say('rowName', { row: place + 1 })}
            placeholder={say(look.name)}
            value={pair.name}
            readOnly={!writable}
            spellCheck={false}
            onChange={(event) => set(pair.id, { name: event.currentTarget.value })}
            onBlur={leave}
          />
          <TextInput
            aria-label={say('rowValue', { row: place + 1 })}
            placeholder={say(look.value)}
            value={pair.value}
            readOnly={!writable}
            spellCheck={false}
            inputMode={look.value === 'ratio' ? 'decimal' : 'text'}
            onChange={(event) => set(pair.id, { value: event.currentTarget.value })}
            onBlur={leave}
          />
          {writable && (
            <span className={classes.pairActs}>
              {look.ordered && (
                <ActionIcon
                  aria-label={say('moveUp', { name: pair.name })}
                  disabled={place === 0}
                  onClick={() => move(place)}
                >
                  <Icon name="up" />
                </ActionIcon>
              )}
              <ActionIcon
                aria-label={say('removeRow', { name: pair.name })}
                onClick={() => change(pairs.filter((each) => each.id !== pair.id))}
              >
                <Icon name="trash" />
              </ActionIcon>
            </span>
          )}
        </div>
      ))}
      {error && (
        <p id={`${of}-error`} className={classes.error} role="alert">
          {error}
        </p>
      )}
      <div className={classes.pairsFoot}>
        {writable && (
          <Button
            size="compact-sm"
            leftSection={<Icon name="plus" size={13} />}
            onClick={() => change([...pairs, ...withIds([{ name: '', value: '' }])])}
          >
            {say('addRow')}
          </Button>
        )}
        {other}
      </div>
    </fieldset>
  )
}

const groupRatio: PairsLook = { form: numberPairs, name: 'group', value: 'ratio' }

export const GroupRatioControl = () => <PairsControl look={groupRatio} />

export const UsableGroupsControl = () => (
  <PairsControl look={{ form: textPairs, name: 'group', value: 'description' }} />
)

export const ChatsControl = () => (
  <PairsControl look={{ form: listPairs, name: 'chatName', value: 'chatLink', ordered: true }} />
)
