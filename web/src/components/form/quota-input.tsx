import { Button, NumberInput, type NumberInputProps } from '@mantine/core'
import { useStatus } from '../../lib/status.ts'
import { formatMoney } from '../../lib/text/format.ts'
import { useUiMessages } from '../messages.ts'
import classes from './quota-input.module.css'

interface QuotaInputProps extends Omit<NumberInputProps, 'value' | 'onChange' | 'description'> {
  /** Quota units. */
  value: number
  onChange: (value: number) => void
  /** Amounts in currency units that one click fills in. */
  presets?: readonly number[]
  /** Adjustments may be negative; balances may not. */
  negative?: boolean
}

const none: readonly number[] = []

/** Usual amounts of keys and codes, in currency units. */
export const quotaPresets: readonly number[] = [1, 10, 50, 100, 500, 1000]

/** Quota in units, with its equivalent amount and presets; fits `form.getInputProps`. */
export const QuotaInput = ({ value, onChange, presets = none, negative = false, ...rest }: QuotaInputProps) => {
  const say = useUiMessages()
  const { quota_per_unit: perUnit } = useStatus()
  return (
    <div>
      <NumberInput
        {...rest}
        value={value}
        onChange={(input) => onChange(typeof input === 'number' ? Math.round(input) : Math.round(Number(input) || 0))}
        description={say('equivalent', { amount: formatMoney(value / perUnit) })}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        allowDecimal={false}
        allowNegative={negative}
        thousandSeparator=","
        classNames={{ input: 'num' }}
        {...(negative ? {} : { min: 0 })}
      />
      {presets.length > 0 && (
        <fieldset className={classes.presets} aria-label={say('quotaPresets')}>
          {presets.map((amount) => (
            <Button
              key={amount}
              size="compact-xs"
              variant="default"
              disabled={rest.disabled === true}
              onClick={() => onChange(Math.round(amount * perUnit))}
            >
              {formatMoney(amount)}
            </Button>
          ))}
        </fieldset>
      )}
    </div>
  )
}
