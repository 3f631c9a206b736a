import { z } from 'zod'
import { longestModelName, longestTimeZone } from '../sizes.ts'
import { isTimeZone } from '../time-zone.ts'
import {
  channelSubjects,
  isLimitDeadline,
  type LimitMeasure,
  type LimitWindow,
  limitActions,
  limitMeasures,
  limitSubjects,
  limitWindows,
  longestRolling,
} from './limit-choices.ts'

export const mostLimits = 1000
/** Of one user, on own keys. */
export const mostOwnLimits = 50
const largestAmount = 1e15
const longestText = 200
const longestTarget = 500

const value = z.string().trim().max(longestModelName).default('')

/** One subject: with a value the one of that id or name, without one each of them counts by itself. */
const subject = z
  .strictObject({ kind: z.enum(limitSubjects), value })
  .refine((one) => one.kind !== 'tag' || one.value !== '', { path: ['value'], message: 'a tag is named' })
  .refine((one) => one.kind !== 'deadline' || one.value === '' || isLimitDeadline(one.value), {
    path: ['value'],
    message: 'calls are with or without a deadline',
  })
export type LimitedSubject = z.output<typeof subject>

/** A mail address, or an address of a webhook, with which chats take notices, too. */
const notifyTarget = z
  .string()
  .trim()
  .max(longestTarget)
  .pipe(z.union([z.email(), z.url({ protocol: /^https?$/ })]))

const zone = z.string().max(longestTimeZone).refine(isTimeZone)

const usualWindows: ReadonlySet<LimitWindow> = new Set(['day', 'week', 'month'])

const shape = {
  name: z.string().trim().min(1).max(longestText),
  enabled: z.boolean().default(true),
  measure: z.enum(limitMeasures),
  /** The most that is let through. */
  amount: z.int().min(1).max(largestAmount),
  window: z.enum(limitWindows),
  /** Length of a rolling window. */
  hours: z.int().min(1).max(longestRolling).default(1),
  /** By whose clock days, weeks (from Monday) and months begin. */
  time_zone: zone.default('UTC'),
  /** One or two that must both fit. */
  subjects: z.array(subject).min(1).max(2),
  action: z.enum(limitActions).default('refuse'),
  /** The model, mostly a cheaper or a virtual one, that answers calls above the amount; of the action `fallback` alone. */
  fallback_model: value,
  /** Percentages of the amount at which the operator, and the user whose calls are counted, get a notice. */
  tell_at: z.array(z.int().min(1).max(100)).max(5).default([]),
  /** True if a pace far above that of earlier windows sends a notice; of days, weeks and months. */
  tell_unusual: z.boolean().default(false),
  /** Mail addresses and addresses of webhooks that get the same notices. */
  also_notify: z.array(notifyTarget).max(5).default([]),
}

interface Checked {
  readonly measure: LimitMeasure
  readonly window: LimitWindow
  readonly subjects: readonly LimitedSubject[]
}

interface LimitWithAction {
  readonly action: (typeof limitActions)[number]
  readonly fallback_model: string
  readonly subjects: readonly LimitedSubject[]
}

const fitsTogether = ({ measure, window }: Checked): boolean => (measure === 'running') === (window === 'now')
const areDifferent = ({ subjects: [first, second] }: Checked): boolean => first?.kind !== second?.kind

const namesFallback = ({ action, fallback_model: model, subjects }: LimitWithAction): boolean =>
  action === 'fallback' ? model !== '' && subjects.every(({ kind }) => !channelSubjects.has(kind)) : model === ''

export const limitChange = z
  .strictObject(shape)
  .refine(namesFallback, {
    path: ['fallback_model'],
    message: 'the action fallback names a model and counts no channels, and other actions name none',
  })
  .refine(({ tell_unusual: tells, window }) => !tells || usualWindows.has(window), {
    path: ['tell_unusual'],
    message: 'days, weeks and months have a usual pace',
  })
  .refine(fitsTogether, { path: ['window'], message: 'calls under way have the window now, and nothing else has' })
  .refine(areDifferent, { path: ['subjects'], message: 'two subjects must differ' })
export type LimitChange = z.output<typeof limitChange>

/** A user's own: channels are not theirs to know, and notices go where the user has set. */
export const ownLimitChange = limitChange
  .refine(({ also_notify: targets }) => targets.length === 0, {
    path: ['also_notify'],
    message: 'administrators alone name further readers',
  })
  .refine(({ subjects }) => subjects.every(({ kind }) => !channelSubjects.has(kind)), {
    path: ['subjects'],
    message: 'channels are limited by administrators',
  })

export const limit = z.strictObject({
  ...shape,
  id: z.int(),
  /** The user whose limit on an own key it is; 0 for the site's. */
  owner_id: z.int(),
  /** Unix seconds. */
  changed_time: z.int(),
})
export type Limit = z.output<typeof limit>
