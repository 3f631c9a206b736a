import { Button, NumberInput, type NumberInputProps } from '@mantine/core'
import { useState } from 'react'
import { useStatus } from '../../lib/status.ts'
import { formatInteger, formatMoney } from '../../lib/text/format.ts'
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

/** As many as show a single unit, $0.000002. */
const moneyDecimals = 6

/** Usual amounts of keys and codes, in currency units. */
export const quotaPresets: readonly number[] = [1, 10, 50, 100, 500, 1000]

const numberOf = (input: number | string): number => Number(input) || 0

/**
 * Quota as an amount of money. Where the site shows no currency it is entered as quota with the amount beside it, or as
 * money with the quota beside it; fits `form.getInputProps`.
 */
export const QuotaInput = ({ value, onChange, presets = none, negative = false, ...rest }: QuotaInputProps) => {
  const say = useUiMessages()
  const { quota_per_unit: perUnit, display_in_currency: inCurrency } = useStatus()
  const [inMoney, setInMoney] = useState(inCurrency)
  const [typed, setTyped] = useState<number | string>()
  const perInput = inMoney ? perUnit : 1
  const quotaOf = (input: number | string): number => Math.round(numberOf(input) * perInput)
  // "1." and "0.0" stay as they are typed.
  const shown = typed !== undefined && quotaOf(typed) === value ? typed : value / perInput
  const change = (input: number | string): void => {
    setTyped(input)
    onChange(quotaOf(input))
  }
  const swap = (): void => {
    setTyped(undefined)
    setInMoney(!inMoney)
  }
  return (
    <div>
      <NumberInput
        {...rest}
        value={shown}
        onChange={change}
        {...(inCurrency
          ? {}
          : {
              description: inMoney
                ? say('units', { count: formatInteger(value) })
                : say('equivalent', { amount: formatMoney(value / perUnit) }),
              inputWrapperOrder: ['label', 'input', 'description', 'error'] as const,
            })}
        {...(inMoney ? { prefix: '$', decimalScale: moneyDecimals } : { allowDecimal: false })}
        allowNegative={negative}
        thousandSeparator=","
        classNames={{ input: 'num' }}
        {...(negative ? {} : { min: 0 })}
      />
      {!inCurrency && (
        <button
          type="button"
          className={`text-button ${classes.swap}`}
          disabled={rest.disabled === true}
          onClick={swap}
        >
          {say(inMoney ? 'enterUnits' : 'enterMoney')}
        </button>
      )}
      {presets.length > 0 && (
        <fieldset className={classes.presets} aria-label={say('quotaPresets')}>
          {presets.map((amount) => (
            <Button
              key={amount}
              size="compact-xs"
              variant="default"
              disabled={rest.disabled === true}
              onClick={() => {
                setTyped(undefined)
                onChange(Math.round(amount * perUnit))
              }}
            >
              {formatMoney(amount)}
            </Button>
          ))}
        </fieldset>
      )}
    </div>
  )
}
