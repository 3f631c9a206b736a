import { Textarea, type TextareaProps } from '@mantine/core'
import { useState } from 'react'
import { jsonFault } from '../../lib/text/json-fault.ts'
import { rowsFor } from '../../lib/text/rows-for.ts'
import { useUiMessages } from '../messages.ts'
import classes from './json-field.module.css'

interface JsonFieldProps extends Omit<TextareaProps, 'value' | 'onChange'> {
  value: string
  onChange: (value: string) => void
}

/** JSON as text: checked when the field is left, where the place of a fault is named, and put in order by its button. Fits `form.getInputProps`. */
export const JsonField = ({ value, onChange, error, onBlur, label, ...rest }: JsonFieldProps) => {
  const say = useUiMessages()
  const [left, setLeft] = useState(false)
  const fault = jsonFault(value)
  const broken = (left || Boolean(error)) && fault ? say('badJsonAt', fault) : undefined
  return (
    <div className={classes.field}>
      <Textarea
        {...rest}
        label={label}
        value={value}
        onChange={(event) => {
          setLeft(false)
          onChange(event.currentTarget.value)
        }}
        onBlur={(event) => {
          setLeft(true)
          onBlur?.(event)
        }}
        error={broken ?? error}
        rows={rowsFor(value, 3, 14)}
        resize="vertical"
        spellCheck={false}
        classNames={{ input: 'mono' }}
      />
      <button
        type="button"
        className={`text-button ${classes.format}`}
        disabled={value.trim() === '' || fault !== undefined}
        onClick={() => onChange(JSON.stringify(JSON.parse(value), null, 2))}
      >
        {say('formatJson')}
      </button>
    </div>
  )
}
