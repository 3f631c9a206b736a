import { ActionIcon, TextInput, type TextInputProps } from '@mantine/core'
import { onDemandWithin } from '../../lib/loading/on-demand.tsx'
import { Icon } from '../display/icon.tsx'
import { Popover } from '../menu/popover.tsx'
import classes from './calendar.module.css'
import { useDateMessages } from './messages.ts'

const Calendar = onDemandWithin(async () => (await import('./calendar.tsx')).Calendar)

interface MomentFieldProps
  extends Pick<TextInputProps, 'placeholder' | 'description' | 'error' | 'required' | 'onBlur' | 'onFocus'> {
  label: string
  /** `2026-11-20 20:14`, of a day `2026-11-20`; empty for none. */
  value?: string
  onChange: (text: string) => void
  /** True where only the day counts. */
  dayOnly?: boolean
  'data-autofocus'?: boolean
}

/** How a moment is written, in every language. */
const sample = '2026-11-20 20:14'

/** The text with another day; the time that was typed stays. */
const withDay = (text: string, day: string): string => `${day} ${/\d{1,2}:\d{2}(:\d{2})?$/.exec(text)?.[0] ?? '00:00'}`

/** A moment in the reader's zone: typed, or picked from a calendar in the reader's language. */
export const MomentField = ({ label, value = '', onChange, dayOnly = false, ...input }: MomentFieldProps) => {
  const say = useDateMessages()
  const day = /^\d{4}-\d{2}-\d{2}/.exec(value)?.[0]
  return (
    <TextInput
      placeholder={dayOnly ? sample.slice(0, 10) : sample}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      classNames={{ input: 'num' }}
      {...input}
      label={label}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      rightSectionWidth={44}
      rightSection={
        <Popover
          p={10}
          position="bottom-end"
          label={say('pick', { label })}
          button={(buttonProps) => (
            <ActionIcon className={classes.open} aria-label={say('pick', { label })} {...buttonProps}>
              <Icon name="calendar" size={14} />
            </ActionIcon>
          )}
        >
          {(close) => (
            <Calendar
              first={day}
              last={day}
              onPick={(picked) => {
                onChange(dayOnly ? picked : withDay(value, picked))
                close()
              }}
            />
          )}
        </Popover>
      }
    />
  )
}
