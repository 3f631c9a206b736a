import { failureClasses } from '@tollgate/contract/channels/route-choices'
import type { BodyInputOf, createVirtualModel, VirtualModel } from '#web/lib/api/contract.ts'
import { formatPercent } from '#web/lib/text/format.ts'
import type { SayRoute } from './messages.ts'

/** Body of the call that makes a virtual model. */
export type VirtualSpec = BodyInputOf<typeof createVirtualModel>

/** The form's row of a model; everything as it is typed. */
export interface TargetValues {
  /** Only tells rows apart. */
  key: number
  model: string
  weight: number | string
  channels: string
  tag: string
  /** `2026-11-24`; empty for none. */
  from: string
  until: string
}

export interface StepValues {
  key: number
  targets: TargetValues[]
}

type Choice = '' | 'true' | 'false'

export interface RuleValues {
  key: number
  name: string
  groups: string[]
  keys: string
  teams: string
  tags: string
  header: string
  headerValues: string
  promptFrom: number | string
  promptBelow: number | string
  tools: Choice
  pictures: Choice
  stream: Choice
  hoursFrom: string
  hoursUntil: string
  /** Days of the week are edited as JSON only, and kept. */
  days: readonly number[]
  steps: StepValues[]
}

export interface RouteValues {
  name: string
  description: string
  enabled: boolean
  groups: string[]
  price: VirtualModel['price']
  choice: VirtualModel['choice']
  hedge: boolean
  falls_back_on: string[]
  steps: StepValues[]
  rules: RuleValues[]
}

let keys = 0
const nextKey = (): number => {
  keys += 1
  return keys
}

export const newTarget = (): TargetValues => ({
  key: nextKey(),
  model: '',
  weight: 1,
  channels: '',
  tag: '',
  from: '',
  until: '',
})

export const newStep = (): StepValues => ({ key: nextKey(), targets: [newTarget()] })

export const newRule = (): RuleValues => ({
  key: nextKey(),
  name: '',
  groups: [],
  keys: '',
  teams: '',
  tags: '',
  header: '',
  headerValues: '',
  promptFrom: '',
  promptBelow: '',
  tools: '',
  pictures: '',
  stream: '',
  hoursFrom: '',
  hoursUntil: '',
  days: [],
  steps: [newStep()],
})

export const newRoute = (): RouteValues => ({
  name: '',
  description: '',
  enabled: true,
  groups: [],
  price: 'answered',
  choice: 'priority',
  hedge: false,
  falls_back_on: failureClasses.filter((failure) => failure !== 'content'),
  steps: [newStep()],
  rules: [],
})

const dayOf = (seconds = 0): string => (seconds === 0 ? '' : new Date(seconds * 1000).toISOString().slice(0, 10))
const secondsOf = (day: string): number => (day === '' ? 0 : Math.floor(Date.parse(`${day}T00:00:00Z`) / 1000) || 0)
const partsOf = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
const idsOf = (text: string): number[] => partsOf(text).map(Number)
const choiceOf = (value: boolean | undefined): Choice => (value === undefined ? '' : value ? 'true' : 'false')

const stepValues = (steps: VirtualSpec['steps']): StepValues[] =>
  steps.map(({ targets }) => ({
    key: nextKey(),
    targets: targets.map(({ model, weight = 1, channels = [], tag = '', from, until }) => ({
      key: nextKey(),
      model,
      weight,
      channels: channels.join(', '),
      tag,
      from: dayOf(from),
      until: dayOf(until),
    })),
  }))

type Rule = NonNullable<VirtualSpec['rules']>[number]

const ruleValues = ({ name, when, steps }: Rule): RuleValues => ({
  key: nextKey(),
  name,
  groups: [...(when.groups ?? [])],
  keys: (when.keys ?? []).join(', '),
  teams: (when.teams ?? []).join(', '),
  tags: (when.tags ?? []).join(', '),
  header: when.header?.name ?? '',
  headerValues: (when.header?.values ?? []).join(', '),
  promptFrom: when.prompt_from ?? '',
  promptBelow: when.prompt_below ?? '',
  tools: choiceOf(when.tools),
  pictures: choiceOf(when.pictures),
  stream: choiceOf(when.stream),
  hoursFrom: when.hours?.from ?? '',
  hoursUntil: when.hours?.until ?? '',
  days: when.hours?.days ?? [],
  steps: stepValues(steps),
})

/** The form's values of a stored or typed definition. */
export const valuesOf = (spec: VirtualSpec): RouteValues => {
  const plain = newRoute()
  return {
    name: spec.name,
    description: spec.description ?? '',
    enabled: spec.enabled ?? true,
    groups: [...(spec.groups ?? [])],
    price: spec.price ?? plain.price,
    choice: spec.choice ?? plain.choice,
    hedge: spec.hedge ?? false,
    falls_back_on: [...(spec.falls_back_on ?? plain.falls_back_on)],
    steps: stepValues(spec.steps),
    rules: (spec.rules ?? []).map(ruleValues),
  }
}

const stepsOf = (steps: readonly StepValues[]): VirtualSpec['steps'] =>
  steps.map(({ targets }) => ({
    targets: targets.map(({ model, weight, channels, tag, from, until }) => ({
      model: model.trim(),
      weight: Number(weight) || 1,
      channels: idsOf(channels),
      tag: tag.trim(),
      from: secondsOf(from),
      until: secondsOf(until),
    })),
  }))

const flagOf = (choice: Choice): { readonly is?: boolean } => (choice === '' ? {} : { is: choice === 'true' })

const whenOf = (rule: RuleValues): Rule['when'] => {
  const when: { -readonly [K in keyof Rule['when']]: Rule['when'][K] } = {}
  if (rule.groups.length > 0) when.groups = rule.groups
  if (rule.keys.trim() !== '') when.keys = idsOf(rule.keys)
  if (rule.teams.trim() !== '') when.teams = idsOf(rule.teams)
  if (rule.tags.trim() !== '') when.tags = partsOf(rule.tags)
  if (rule.header.trim() !== '') when.header = { name: rule.header.trim(), values: partsOf(rule.headerValues) }
  if (rule.promptFrom !== '') when.prompt_from = Number(rule.promptFrom)
  if (rule.promptBelow !== '') when.prompt_below = Number(rule.promptBelow)
  const { is: tools } = flagOf(rule.tools)
  const { is: pictures } = flagOf(rule.pictures)
  const { is: stream } = flagOf(rule.stream)
  if (tools !== undefined) when.tools = tools
  if (pictures !== undefined) when.pictures = pictures
  if (stream !== undefined) when.stream = stream
  if (rule.hoursFrom !== '' && rule.hoursUntil !== '') {
    when.hours = { from: rule.hoursFrom, until: rule.hoursUntil, days: [...rule.days] }
  }
  return when
}

/** Body of the call from the form's values. */
export const specOf = (values: RouteValues): VirtualSpec => ({
  name: values.name.trim(),
  description: values.description.trim(),
  enabled: values.enabled,
  groups: values.groups,
  price: values.price,
  choice: values.choice,
  hedge: values.hedge,
  falls_back_on: failureClasses.filter((failure) => values.falls_back_on.includes(failure)),
  steps: stepsOf(values.steps),
  rules: values.rules.map((rule) => ({ name: rule.name.trim(), when: whenOf(rule), steps: stepsOf(rule.steps) })),
})

const stepRules = (say: SayRoute) => ({
  targets: { model: (value: string): string | null => (value.trim() === '' ? say('modelRequired') : null) },
})

export const routeRules = (say: SayRoute) => ({
  name: (value: string): string | null => (value.trim() === '' ? say('nameRequired') : null),
  steps: stepRules(say),
  rules: {
    name: (value: string): string | null => (value.trim() === '' ? say('nameRequired') : null),
    steps: stepRules(say),
  },
})

/** `gpt-5 90 % + gpt-5-mini 10 % → claude`, with the models of each step by share. */
export const summaryOf = (steps: VirtualModel['steps']): string =>
  steps
    .map(({ targets }) => {
      const whole = targets.reduce((sum, { weight }) => sum + weight, 0)
      return targets
        .map(({ model, weight }) => (targets.length === 1 ? model : `${model} ${formatPercent(weight / whole, 0)}`))
        .join(' + ')
    })
    .join(' → ')
