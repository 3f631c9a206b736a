import { ActionIcon, Button, TextInput } from '@mantine/core'
import { useRef } from 'react'
import { Icon } from '../../components/display/icon.tsx'
import { neverExpires } from '../../lib/api/contract.ts'
import { expirySpans, printExpiry, readExpiry } from './expiry.ts'
import { useTokenMessages } from './messages.ts'
import classes from './tokens.module.css'

interface ExpiryFieldProps {
  value: string
  onChange: (text: string) => void
  onBlur?: () => void
  error?: React.ReactNode
}

const nowSeconds = (): number => Math.floor(Date.now() / 1000)

/** When a key ends: typed, picked from the browser's calendar, or set by one click. */
export const ExpiryField = ({ value, onChange, onBlur, error }: ExpiryFieldProps) => {
  const say = useTokenMessages()
  const picker = useRef<HTMLInputElement>(null)
  const expires = readExpiry(value)
  const past = expires !== undefined && expires !== neverExpires && expires < nowSeconds()
  const never = expires === neverExpires
  const quick = [
    { label: say('never'), time: neverExpires },
    ...(['hour', 'day', 'month'] as const).map((span) => ({
      label: say(span),
      time: nowSeconds() + expirySpans[span],
    })),
  ]
  return (
    <div>
      <TextInput
        label={say('expiry')}
        placeholder={say('never')}
        // An error replaces the hint: an additional line would move the buttons below while they are clicked.
        description={error ? undefined : past ? say('expiryPast') : say('expiryHint')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        classNames={{ input: 'num' }}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        onBlur={onBlur}
        error={error}
        rightSection={
          <ActionIcon size={26} aria-label={say('pickDate')} onClick={() => picker.current?.showPicker()}>
            <Icon name="down" size={14} />
          </ActionIcon>
        }
      />
      <input
        ref={picker}
        type="datetime-local"
        step={1}
        tabIndex={-1}
        aria-hidden="true"
        className={classes.picker}
        value={expires === undefined || never ? '' : printExpiry(expires).replace(' ', 'T')}
        onChange={(event) => onChange(event.currentTarget.value.replace('T', ' '))}
      />
      <fieldset className={classes.quick} aria-label={say('expiry')}>
        {quick.map(({ label, time }) => (
          <Button key={label} size="compact-xs" onClick={() => onChange(printExpiry(time))}>
            {label}
          </Button>
        ))}
      </fieldset>
    </div>
  )
}
