import { Textarea, type TextareaProps } from '@mantine/core'
import { useState } from 'react'
import { rowsFor } from '../../lib/text/rows-for.ts'
import { useUiMessages } from '../messages.ts'
import classes from './json-field.module.css'

/** True for valid JSON and for empty text, because an empty field means "not set". */
export const isJson = (text: string): boolean => {
  if (text.trim() === '') return true
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

interface JsonFieldProps extends Omit<TextareaProps, 'value' | 'onChange'> {
  value: string
  onChange: (value: string) => void
}

/** JSON as text: checked when the field is left, and put in order by its button. Fits `form.getInputProps`. */
export const JsonField = ({ value, onChange, error, onBlur, label, ...rest }: JsonFieldProps) => {
  const say = useUiMessages()
  const [left, setLeft] = useState(false)
  const broken = left && !isJson(value)
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
        error={error ?? (broken ? say('badJson') : undefined)}
        rows={rowsFor(value, 3, 14)}
        resize="vertical"
        spellCheck={false}
        classNames={{ input: 'mono' }}
      />
      <button
        type="button"
        className={`text-button ${classes.format}`}
        disabled={value.trim() === '' || !isJson(value)}
        onClick={() => onChange(JSON.stringify(JSON.parse(value), null, 2))}
      >
        {say('formatJson')}
      </button>
    </div>
  )
}
