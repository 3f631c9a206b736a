import { NativeSelect, NumberInput, Skeleton, Switch, Textarea, TextInput } from '@mantine/core'
import { ownMember } from '@tollgate/contract/own-member'
import { JsonField } from '../../../components/form/json-field.tsx'
import { textIn } from '../../../lib/i18n.ts'
import { onDemand } from '../../../lib/loading/on-demand.tsx'
import { useStatus } from '../../../lib/status.ts'
import { formatMoney } from '../../../lib/text/format.ts'
import type { SaySetting } from '../messages.ts'
import classes from '../settings.module.css'
import { useControl } from './control.ts'

const FlagControl = () => {
  const { label, help, text, error, writable, edit, leave } = useControl()
  return (
    <Switch
      label={label}
      description={help}
      error={error}
      checked={text === 'true'}
      disabled={!writable}
      onChange={(event) => edit(String(event.currentTarget.checked))}
      onBlur={leave}
    />
  )
}

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

const NumberControl = () => {
  const { option, label, help, text, error, writable, edit, leave, say } = useControl()
  const { quota_per_unit: perUnit } = useStatus()
  const unit = unitText(option.unit, say)
  const worth =
    option.unit === 'quota' && option.control === 'integer' && text.trim() !== '' && Number.isFinite(Number(text))
      ? say('equivalent', { amount: formatMoney(Number(text) / perUnit) })
      : undefined
  return (
    <NumberInput
      label={label}
      description={[help, worth].filter(Boolean).join(' · ') || undefined}
      error={error}
      value={text}
      onChange={(value) => edit(String(value))}
      onBlur={leave}
      readOnly={!writable}
      allowDecimal={option.control === 'decimal'}
      allowNegative={(option.min ?? -1) < 0}
      clampBehavior="none"
      {...(option.min === undefined ? {} : { min: option.min })}
      {...(option.max === undefined ? {} : { max: option.max })}
      thousandSeparator=","
      hideControls
      classNames={{ input: 'num' }}
      className={classes.short}
      rightSection={unit ? <span className={classes.unit}>{unit}</span> : null}
      rightSectionWidth={unit ? 76 : 0}
      rightSectionPointerEvents="none"
    />
  )
}

const TextControl = () => {
  const { label, help, text, error, writable, edit, leave } = useControl()
  return (
    <TextInput
      label={label}
      description={help}
      error={error}
      value={text}
      onChange={(event) => edit(event.currentTarget.value)}
      onBlur={leave}
      readOnly={!writable}
      spellCheck={false}
    />
  )
}

export const LongTextControl = () => {
  const { option, label, help, text, error, writable, edit, leave } = useControl()
  return (
    <Textarea
      label={label}
      description={help}
      error={error}
      value={text}
      onChange={(event) => edit(event.currentTarget.value)}
      onBlur={leave}
      readOnly={!writable}
      spellCheck={false}
      autosize
      minRows={option.control === 'lines' ? 4 : 6}
      maxRows={12}
      classNames={{ input: 'mono' }}
    />
  )
}

const TagsControl = onDemand(
  async () => (await import('./tags-control.tsx')).TagsControl,
  () => <Skeleton h={84} />,
)

const ChoiceControl = () => {
  const { option, label, help, text, error, writable, edit, language } = useControl()
  return (
    <NativeSelect
      label={label}
      description={help}
      error={error}
      value={text}
      data={(option.choices ?? []).map((choice) => ({ value: choice.value, label: textIn(choice.label, language) }))}
      onChange={(event) => edit(event.currentTarget.value)}
      disabled={!writable}
      className={classes.short}
    />
  )
}

export const JsonControl = () => {
  const { label, help, text, error, writable, edit, leave } = useControl()
  return (
    <JsonField
      label={label}
      description={help}
      error={error}
      value={text}
      onChange={edit}
      onBlur={leave}
      readOnly={!writable}
    />
  )
}

/** One renderer per kind of option; a kind that is added to the registry without one does not compile. */
export const plainControls = {
  flag: FlagControl,
  integer: NumberControl,
  decimal: NumberControl,
  text: TextControl,
  longText: LongTextControl,
  lines: LongTextControl,
  tags: TagsControl,
  choice: ChoiceControl,
  json: JsonControl,
}
