import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useStatus } from '../../../lib/status.ts'
import { useControl } from './control.ts'
import classes from './controls.module.css'
import { grouped, NumberControl, numeralsOf } from './number-control.tsx'

/** A single unit of quota is $0.000002. */
const moneyDecimals = 6

const isWhole = (text: string): boolean => /^\d{1,16}$/.test(text)

/** Quota units as an amount of currency; other text stays as it is, so that a row that cannot be read is seen. */
export const moneyOf = (text: string, perUnit: number): string =>
  isWhole(text) ? (Number(text) / perUnit).toFixed(moneyDecimals).replace(/\.?0+$/, '') : text

/** A typed amount of currency as quota units, rounded to whole ones. */
export const unitsOf = (typed: string, perUnit: number): string =>
  typed === '' || !Number.isFinite(Number(typed)) ? typed : String(Math.round(Number(typed) * perUnit))

const MoneyInput = ({ perUnit }: { perUnit: number }) => {
  const { label, help, text, error, writable, edit, leave } = useControl()
  const [typed, setTyped] = useState<string>()
  // "1." and "0.50" stay as they are typed.
  const shown = typed !== undefined && unitsOf(typed, perUnit) === text ? typed : moneyOf(text, perUnit)
  const [isTyping, setTyping] = useState(false)
  return (
    <TextInput
      label={label}
      description={help}
      error={error}
      value={isTyping ? shown : grouped(moneyOf(text, perUnit))}
      onChange={({ currentTarget }) => {
        const amount = numeralsOf(currentTarget.value, { decimal: true, negative: false })
        setTyped(amount)
        edit(unitsOf(amount, perUnit))
      }}
      onFocus={() => setTyping(writable)}
      onBlur={() => {
        setTyping(false)
        setTyped(undefined)
        leave()
      }}
      readOnly={!writable}
      inputMode="decimal"
      autoComplete="off"
      spellCheck={false}
      classNames={{ input: 'num' }}
      className={classes.short}
      leftSection="$"
      leftSectionPointerEvents="none"
    />
  )
}

/** An amount that is stored in quota units, typed as money; as units where the site shows no currency. */
export const MoneyControl = () => {
  const { quota_per_unit: perUnit, display_in_currency: inCurrency } = useStatus()
  return inCurrency && perUnit > 0 ? <MoneyInput perUnit={perUnit} /> : <NumberControl />
}
