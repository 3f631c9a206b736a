import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { Hint } from '../../../components/display/hint.tsx'
import classes from './prices.module.css'
import { readNumber } from './prices-convert.ts'
import { usePriceMessages } from './prices-messages.ts'

interface PriceCellProps {
  /** The accessible name: which figure of which model. */
  name: string
  /** The text of the field while it is not edited. */
  value: string
  placeholder?: string | undefined
  disabled?: boolean
  /** Why it cannot be edited. */
  hint?: string | undefined
  readOnly: boolean
  /** null empties it. Answers why the number cannot be taken. */
  onSave: (value: number | null) => string | undefined
}

/** One figure in a table: Enter or leaving keeps it, Escape brings the old one back, anything but a number is refused. */
export const PriceCell = ({ name, value, placeholder, disabled = false, hint, readOnly, onSave }: PriceCellProps) => {
  const say = usePriceMessages()
  const [typed, setTyped] = useState<string>()
  const [problem, setProblem] = useState<string>()
  const reset = (): void => {
    setTyped(undefined)
    setProblem(undefined)
  }
  const save = (): void => {
    if (typed === undefined || typed.trim() === value) {
      reset()
      return
    }
    const number = readNumber(typed)
    const refusal = number === undefined ? say('wantsNumber') : onSave(number)
    if (refusal === undefined) reset()
    else setProblem(refusal)
  }
  const input = (
    <TextInput
      size="xs"
      aria-label={name}
      value={typed ?? value}
      placeholder={placeholder}
      disabled={disabled}
      readOnly={readOnly}
      error={problem}
      inputMode="decimal"
      spellCheck={false}
      className={classes.cell ?? ''}
      classNames={{ input: 'num' }}
      onChange={(event) => {
        setTyped(event.currentTarget.value)
        setProblem(undefined)
      }}
      onBlur={save}
      onKeyDown={(event) => {
        if (event.key === 'Enter') save()
        if (event.key === 'Escape') reset()
      }}
    />
  )
  return hint === undefined ? (
    input
  ) : (
    <Hint label={hint}>
      <span>{input}</span>
    </Hint>
  )
}
