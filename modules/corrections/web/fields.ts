import type { BodyInputOf } from '@tollgate/contract'
import { parseObject } from '@tollgate/contract/json'
import { decimal, divide, printDecimal } from '#web/lib/decimal.ts'
import { readPicked } from '#web/lib/time/written-moment.ts'
import type { SayCorrection } from './messages.ts'

export interface CorrectionValues {
  readonly from: string
  readonly to: string
  readonly models: string[]
  readonly channels: string[]
  readonly users: string[]
  readonly mode: 'tokens' | 'call'
  readonly input: string | number
  readonly output: string | number
  readonly cached: string | number
  readonly perCall: string | number
  readonly note: string
}

export const blankCorrection: CorrectionValues = {
  from: '',
  to: '',
  models: [],
  channels: [],
  users: [],
  mode: 'tokens',
  input: '',
  output: '',
  cached: '',
  perCall: '',
  note: '',
}

const isGiven = (value: string | number): boolean => value !== '' && Number(value) >= 0

/** Checks of the form's fields. */
export const correctionRules = (say: SayCorrection, zone: string | undefined) => ({
  models: (models: string[]) => (models.length > 0 ? null : say('needModel')),
  from: (text: string) => (readPicked(text, zone) === undefined ? say('needWindow') : null),
  to: (text: string, { from }: CorrectionValues) =>
    (readPicked(text, zone) ?? 0) > (readPicked(from, zone) ?? 0) ? null : say('needWindow'),
  input: (value: string | number, { mode }: CorrectionValues) =>
    mode === 'call' || isGiven(value) ? null : say('needPrice'),
  output: (value: string | number, { mode }: CorrectionValues) =>
    mode === 'call' || isGiven(value) ? null : say('needPrice'),
  perCall: (value: string | number, { mode }: CorrectionValues) =>
    mode === 'tokens' || isGiven(value) ? null : say('needPrice'),
})

/** Ratio 1 is 2 dollars per million prompt tokens. */
const dollarsPerRatio = 2
const places = 10

const ratio = (value: string | number, by: string | number): number =>
  Number(printDecimal(divide(decimal(value), decimal(by), places), 0, places).replaceAll(',', ''))

type Figures = Readonly<Record<string, unknown>>
type Body = BodyInputOf<typeof import('@tollgate/contract').createCorrection>
type Options = readonly { readonly key: string; readonly value: string }[]

const withModels = (map: Figures, models: readonly string[], value: number | undefined): string => {
  const named = new Set(models)
  const others = Object.entries(map).filter(([model]) => !named.has(model))
  const own = value === undefined ? [] : models.map((model) => [model, value] as const)
  return JSON.stringify(Object.fromEntries([...others, ...own]))
}

/** The price options with the models of the form at its price; a fixed price would win over ratios, so it is taken out. */
const changesOf = (values: CorrectionValues, models: readonly string[], options: Options): Body['changes'] => {
  const map = (key: string): Figures => parseObject(options.find((option) => option.key === key)?.value ?? '{}')
  if (values.mode === 'call') {
    return [{ key: 'ModelPrice', value: withModels(map('ModelPrice'), models, Number(values.perCall)) }]
  }
  const { input, output, cached } = values
  const free = Number(input) === 0
  return [
    { key: 'ModelPrice', value: withModels(map('ModelPrice'), models, undefined) },
    { key: 'ModelRatio', value: withModels(map('ModelRatio'), models, ratio(input, dollarsPerRatio)) },
    ...(free
      ? []
      : [{ key: 'CompletionRatio', value: withModels(map('CompletionRatio'), models, ratio(output, input)) } as const]),
    ...(free || !isGiven(cached)
      ? []
      : [{ key: 'CacheRatio', value: withModels(map('CacheRatio'), models, ratio(cached, input)) } as const]),
  ]
}

export const bodyOf = (values: CorrectionValues, options: Options, zone: string | undefined): Body => {
  const { models } = values
  return {
    from: readPicked(values.from, zone) ?? 0,
    to: readPicked(values.to, zone) ?? 0,
    models,
    channels: values.channels.map(Number),
    users: values.users.map(Number),
    changes: changesOf(values, models, options),
    note: values.note.trim(),
  }
}
