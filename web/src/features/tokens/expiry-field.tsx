import { Button } from '@mantine/core'
import { MomentField } from '../../components/date/moment-field.tsx'
import { neverExpires } from '../../lib/api/contract.ts'
import { expirySpans, printExpiry, readExpiry } from './fields.ts'
import { useTokenMessages } from './messages.ts'
import classes from './tokens.module.css'

interface ExpiryFieldProps {
  value: string
  onChange: (text: string) => void
  onBlur?: () => void
  error?: React.ReactNode
}

const nowSeconds = (): number => Math.floor(Date.now() / 1000)

/** When a key ends: typed, picked from a calendar, or set by one click. */
export const ExpiryField = ({ value, onChange, onBlur, error }: ExpiryFieldProps) => {
  const say = useTokenMessages()
  const expires = readExpiry(value)
  const past = expires !== undefined && expires !== neverExpires && expires < nowSeconds()
  const quick = [
    { label: say('never'), time: neverExpires },
    ...(['hour', 'day', 'month'] as const).map((span) => ({
      label: say(span),
      time: nowSeconds() + expirySpans[span],
    })),
  ]
  return (
    <div>
      <MomentField
        label={say('expiry')}
        placeholder={say('never')}
        // An error replaces the hint: an additional line would move the buttons below while they are clicked.
        description={error ? undefined : past ? say('expiryPast') : say('expiryHint')}
        value={value}
        onChange={onChange}
        {...(onBlur ? { onBlur } : {})}
        error={error}
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
