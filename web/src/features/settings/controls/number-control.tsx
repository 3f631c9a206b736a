import { TextInput } from '@mantine/core'
import { ownMember } from '@tollgate/contract/own-member'
import { useState } from 'react'
import { useStatus } from '../../../lib/status.ts'
import { formatMoney } from '../../../lib/text/format.ts'
import type { SaySetting } from '../messages.ts'
import { useControl } from './control.ts'
import classes from './controls.module.css'

const unitWords = {
  quota: 'unit_quota',
  minutes: 'unit_minutes',
  seconds: 'unit_seconds',
  days: 'unit_days',
  tokens: 'unit_tokens',
  requests: 'unit_requests',
  dollars: 'unit_dollars',
} as const

const unitText = (unit: string | undefined, say: SaySetting): string | undefined => {
  const word = unit && ownMember<Parameters<SaySetting>[0]>(unitWords, unit)
  return word ? say(word) : unit
}

/** With separators between thousands; what is no plain number stays as it is. */
export const grouped = (text: string): string =>
  /^-?\d+(\.\d+)?$/.test(text)
    ? text.replace(/^(-?)(\d+)/, (_, sign: string, digits: string) => sign + digits.replace(/\B(?=(\d{3})+$)/g, ','))
    : text

/** Digits, point and sign of a typed or pasted number; separators and letters are dropped. */
export const numeralsOf = (text: string, kinds: { decimal: boolean; negative: boolean }): string => {
  const digits = text.replace(/[^\d.-]/g, '')
  const whole = kinds.decimal ? digits : digits.replace(/\..*$/, '')
  return (kinds.negative && whole.startsWith('-') ? '-' : '') + whole.replaceAll('-', '')
}

/** A number with its unit, grouped by thousands while nobody types. The component library's own would be a twentieth of the screen. */
export const NumberControl = () => {
  const { option, label, help, text, error, writable, edit, leave, say } = useControl()
  const [typing, setTyping] = useState(false)
  const { quota_per_unit: perUnit } = useStatus()
  const unit = unitText(option.unit, say)
  const decimal = option.control === 'decimal'
  const negative = (option.min ?? -1) < 0
  const worth =
    option.unit === 'quota' && !decimal && text.trim() !== '' && Number.isFinite(Number(text))
      ? say('equivalent', { amount: formatMoney(Number(text) / perUnit) })
      : undefined
  return (
    <TextInput
      label={label}
      description={[help, worth].filter(Boolean).join(' · ') || undefined}
      error={error}
      value={typing ? text : grouped(text)}
      onChange={({ currentTarget }) => edit(numeralsOf(currentTarget.value, { decimal, negative }))}
      onFocus={() => setTyping(writable)}
      onBlur={() => {
        setTyping(false)
        leave()
      }}
      readOnly={!writable}
      // The digits of phones have no sign.
      inputMode={negative ? 'text' : decimal ? 'decimal' : 'numeric'}
      autoComplete="off"
      spellCheck={false}
      classNames={{ input: 'num' }}
      className={classes.short}
      rightSection={unit ? <span className={classes.unit}>{unit}</span> : null}
      rightSectionWidth={unit ? 76 : 0}
      rightSectionPointerEvents="none"
    />
  )
}
