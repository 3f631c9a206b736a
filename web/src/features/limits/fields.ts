import {
  channelSubjects,
  type LimitSubject,
  limitActions,
  longestRolling,
} from '@tollgate/contract/limits/limit-choices'
import type { BodyInputOf, createLimit, Limit } from '../../lib/api/contract.ts'
import type { SayLimits } from './messages.ts'

/** Body of the call that makes a limit. */
export type LimitBody = BodyInputOf<typeof createLimit>

export interface SubjectValues {
  /** Empty for no second subject. */
  kind: LimitSubject | ''
  /** Empty for each one by itself. */
  value: string
}

export interface LimitValues {
  name: string
  enabled: boolean
  measure: Limit['measure']
  /** Quota units where money is counted. */
  amount: number | string
  window: Limit['window']
  hours: number | string
  zone: string
  first: SubjectValues
  second: SubjectValues
  action: Limit['action']
  /** Of the action `fallback`. */
  fallbackModel: string
  tellAt: string
  tellUnusual: boolean
  /** Mail addresses and webhooks, one per line. */
  alsoNotify: string
}

const noSubject: SubjectValues = { kind: '', value: '' }

export const newLimit = (subject: SubjectValues, zone: string): LimitValues => ({
  name: '',
  enabled: true,
  measure: 'requests',
  amount: '',
  window: 'minute',
  hours: 5,
  zone,
  first: subject.kind === '' ? { kind: 'key', value: '' } : subject,
  second: noSubject,
  action: 'refuse',
  fallbackModel: '',
  tellAt: '',
  tellUnusual: false,
  alsoNotify: '',
})

export const valuesOf = (limit: Limit): LimitValues => {
  const [first = noSubject, second = noSubject] = limit.subjects
  return {
    name: limit.name,
    enabled: limit.enabled,
    measure: limit.measure,
    amount: limit.amount,
    window: limit.window,
    hours: limit.hours,
    zone: limit.time_zone,
    first,
    second,
    action: limit.action,
    fallbackModel: limit.fallback_model,
    tellAt: limit.tell_at.join(', '),
    tellUnusual: limit.tell_unusual,
    alsoNotify: limit.also_notify.join('\n'),
  }
}

const percentsOf = (text: string): number[] =>
  text
    .split(/[,，\s]+/)
    .map((part) => part.replace('%', '').trim())
    .filter((part) => part !== '')
    .map(Number)

const linesOf = (text: string): string[] =>
  text
    .split(/[\s,，;；]+/)
    .map((part) => part.trim())
    .filter((part) => part !== '')

/** Windows whose usual pace is known. */
export const hasUsual = (window: Limit['window']): boolean => hasZone(window)

/** Windows of a measure: calls under way are counted now, all others in a time. */
export const windowOf = ({ measure, window }: Pick<LimitValues, 'measure' | 'window'>): Limit['window'] => {
  if (measure === 'running') return 'now'
  return window === 'now' ? 'minute' : window
}

export const hasZone = (window: Limit['window']): boolean => window === 'day' || window === 'week' || window === 'month'

export const subjectsOf = ({ first, second }: Pick<LimitValues, 'first' | 'second'>): LimitBody['subjects'] =>
  [first, second].flatMap(({ kind, value }) => (kind === '' ? [] : [{ kind, value: value.trim() }]))

/** Attempts at channels cannot go on with another model: the call has chosen it already. */
export const actionsFor = (values: Pick<LimitValues, 'first' | 'second'>): readonly Limit['action'][] =>
  subjectsOf(values).some(({ kind }) => channelSubjects.has(kind)) ? ['refuse', 'tell'] : limitActions

/** Body of the call from the form's values; `summary` is the name if none is typed. */
export const bodyOf = (values: LimitValues, summary: string): LimitBody => ({
  name: values.name.trim() || summary.slice(0, 200),
  enabled: values.enabled,
  measure: values.measure,
  amount: Number(values.amount),
  window: windowOf(values),
  hours: Number(values.hours) || 1,
  time_zone: values.zone,
  subjects: subjectsOf(values),
  action: values.action,
  fallback_model: values.action === 'fallback' ? values.fallbackModel.trim() : '',
  tell_at: percentsOf(values.tellAt),
  tell_unusual: values.tellUnusual && hasUsual(windowOf(values)),
  also_notify: linesOf(values.alsoNotify),
})

const isWhole = (value: number | string, most: number): boolean =>
  value !== '' && Number.isInteger(Number(value)) && Number(value) >= 1 && Number(value) <= most

const mostPercents = 5
const mostTargets = 5

/** Checks of the form's fields. Users must choose one of their keys. */
export const limitRules = (say: SayLimits, isAdmin: boolean) => ({
  amount: (value: number | string) => (isWhole(value, 1e15) ? null : say('needAmount')),
  hours: (value: number | string, { window }: LimitValues) =>
    window !== 'rolling' || isWhole(value, longestRolling) ? null : say('needAmount'),
  first: { value: (value: string) => (isAdmin || value !== '' ? null : say('needKey')) },
  fallbackModel: (value: string, { action }: LimitValues) =>
    action === 'fallback' && value.trim() === '' ? say('needModel') : null,
  alsoNotify: (text: string) => {
    const targets = linesOf(text)
    return targets.length <= mostTargets && targets.every((target) => /^https?:\/\/\S+$|^[^\s@]+@[^\s@]+$/.test(target))
      ? null
      : say('badTargets')
  },
  tellAt: (text: string) => {
    const percents = percentsOf(text)
    return percents.length <= mostPercents && percents.every((percent) => isWhole(percent, 100))
      ? null
      : say('badPercents')
  },
})
