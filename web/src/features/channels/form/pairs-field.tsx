import { ActionIcon, Autocomplete, Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { Icon } from '../../../components/display/icon.tsx'
import { JsonField } from '../../../components/form/json-field.tsx'
import { emptyable, type PairsForm } from '../../../components/form/pairs/pairs.ts'
import { usePairs } from '../../../components/form/pairs/use-pairs.ts'
import { useChannelFormMessages } from './form-messages.ts'
import classes from './pairs-field.module.css'

interface PairsFieldProps {
  label: string
  description: string
  /** An example, filled in on request. */
  template: string
  form: PairsForm
  /** Headings of the left and the right side of a row. */
  names: readonly [string, string]
  /** Suggestions for the left and the right. */
  suggested?: readonly [readonly string[], readonly string[]]
  /** Warning about a row. */
  doubt?: (name: string, value: string) => string | undefined
  value: string
  onChange: (text: string) => void
  onBlur?: () => void
  error?: ReactNode
}

/** A JSON object as rows of name and value, or as JSON; text that is no object stays JSON until it is one. */
export const PairsField = (props: PairsFieldProps) => {
  const { label, description, template, names, suggested = [[], []], value, onChange, onBlur, error } = props
  const say = useChannelFormMessages()
  const [form] = useState(() => emptyable(props.form))
  const { pairs, set, add, remove } = usePairs(value, form, onChange)
  const [asJson, setAsJson] = useState(false)
  const fill = value.trim() === '' && (
    <button type="button" className="text-button" onClick={() => onChange(template)}>
      {say('template')}
    </button>
  )
  const other = (
    <button
      type="button"
      className="text-button"
      disabled={!pairs}
      aria-label={say('editAs', { label, form: say(asJson ? 'asRows' : 'asJson') })}
      onClick={() => setAsJson(!asJson)}
    >
      {say(asJson || !pairs ? 'asRows' : 'asJson')}
    </button>
  )
  if (asJson || !pairs)
    return (
      <div>
        <JsonField
          label={label}
          description={description}
          placeholder={template}
          value={value}
          onChange={onChange}
          onBlur={onBlur}
          error={error}
        />
        <div className={classes.foot}>
          {fill}
          {other}
        </div>
      </div>
    )
  return (
    <fieldset className={classes.pairs}>
      <legend>{label}</legend>
      <p className="muted">{description}</p>
      {pairs.map((pair, place) => {
        const part = (side: 0 | 1, text: string, change: (text: string) => void) => (
          <Autocomplete
            aria-label={say('pairOf', { label, name: names[side], row: place + 1 })}
            placeholder={names[side]}
            data={[...new Set(suggested[side])]}
            limit={20}
            value={text}
            spellCheck={false}
            classNames={{ input: 'mono' }}
            onChange={change}
            error={Boolean(error)}
            {...(onBlur ? { onBlur } : {})}
          />
        )
        const name = pair.name.trim()
        const isDoubled = name !== '' && pairs.filter((other) => other.name.trim() === name).length > 1
        const doubt = isDoubled ? say('pairDoubled') : props.doubt?.(name, pair.value.trim())
        return (
          <div key={pair.id} className={classes.row}>
            {part(0, pair.name, (name) => set(pair.id, { name }))}
            <span aria-hidden="true">→</span>
            {part(1, pair.value, (next) => set(pair.id, { value: next }))}
            <ActionIcon aria-label={say('removePair', { name: pair.name })} onClick={() => remove(pair.id)}>
              <Icon name="trash" />
            </ActionIcon>
            {doubt && (
              <p className={classes.doubt} role="status">
                {doubt}
              </p>
            )}
          </div>
        )
      })}
      {error && (
        <p className={classes.error} role="alert">
          {error}
        </p>
      )}
      <div className={classes.foot}>
        <Button size="compact-sm" leftSection={<Icon name="plus" size={13} />} onClick={add}>
          {say('addPair')}
        </Button>
        {fill}
        {other}
      </div>
    </fieldset>
  )
}
