import { ActionIcon, Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Icon } from '../../../components/display/icon.tsx'
import { listPairs, numberPairs, type PairsForm, textPairs } from '../../../components/form/pairs/pairs.ts'
import { usePairs } from '../../../components/form/pairs/use-pairs.ts'
import classes from '../settings.module.css'
import { useControl } from './control.ts'
import controlsClasses from './controls.module.css'
import { JsonControl } from './plain-controls.tsx'

interface PairsLook {
  readonly form: PairsForm
  readonly name: 'group' | 'chatName'
  readonly value: 'ratio' | 'description' | 'chatLink'
  readonly ordered?: boolean
}

const PairsControl = ({ look }: { look: PairsLook }) => {
  const { of, label, help, text, error, writable, edit, leave, say } = useControl()
  const { pairs, change, set, add, remove } = usePairs(text, look.form, edit)
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
        <div className={controlsClasses.pairsFoot}>{other}</div>
      </div>
    )
  const move = (place: number): void => {
    const next = [...pairs]
    next.splice(place - 1, 0, ...next.splice(place, 1))
    change(next)
  }
  return (
    <fieldset className={controlsClasses.pairs} aria-describedby={error ? `${of}-error` : undefined}>
      <legend>{label}</legend>
      {help && <p className="muted">{help}</p>}
      <div className={controlsClasses.pairsHead} aria-hidden="true">
        <span>{say(look.name)}</span>
        <span>{say(look.value)}</span>
      </div>
      {pairs.map((pair, place) => (
        <div key={pair.id} className={controlsClasses.pair} data-ordered={look.ordered || undefined}>
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
            <span className={controlsClasses.pairActs}>
              {look.ordered && (
                <ActionIcon
                  aria-label={say('moveUp', { name: pair.name })}
                  disabled={place === 0}
                  onClick={() => move(place)}
                >
                  <Icon name="up" />
                </ActionIcon>
              )}
              <ActionIcon aria-label={say('removeRow', { name: pair.name })} onClick={() => remove(pair.id)}>
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
      <div className={controlsClasses.pairsFoot}>
        {writable && (
          <Button size="compact-sm" leftSection={<Icon name="plus" size={13} />} onClick={add}>
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
