import { Menu } from '#web/components/menu/menu.tsx'
import classes from './explore.module.css'

interface Choice<T extends string> {
  readonly value: T
  readonly label: string
  /** A heading above this one and the following ones. */
  readonly group?: string
  /** It cannot be chosen now; the hint says why. */
  readonly disabled?: boolean
  readonly hint?: string
}

/** A word of the sentence, and a menu with what else it may be. */
export const Drop = <T extends string>(props: {
  word: string
  value: T
  choices: readonly Choice<T>[]
  onChange: (value: T) => void
}) => {
  const { word, value, choices } = props
  return (
    <Menu
      width={220}
      button={(buttonProps) => (
        <button type="button" className={classes.drop} {...buttonProps}>
          <span>{word}</span> {choices.find((choice) => choice.value === value)?.label ?? value}
        </button>
      )}
      entries={() =>
        choices.map((choice) => ({
          label: choice.label,
          id: choice.value,
          current: choice.value === value,
          ...(choice.disabled ? { disabled: true, ...(choice.hint ? { hint: choice.hint } : {}) } : {}),
          onClick: () => props.onChange(choice.value),
          ...(choice.group === undefined ? {} : { group: choice.group }),
        }))
      }
    />
  )
}
