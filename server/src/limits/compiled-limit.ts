import {
  channelSubjects,
  type Limit,
  type LimitedSubject,
  type LimitMeasure,
  type LimitSubject,
} from '@tollgate/contract'
import { limitKey } from '../lib/security/client-address.ts'
import type { CallNeed, LimitedCall, UsedCounts } from './call-limits.ts'
import { type WindowShape, windowOf } from './window.ts'

/** End users are separate per account, so that no account can exhaust another's limit by using the same names. */
const endUserValue = (userId: number, name: string): string => `${userId}/${name}`

/** The name in a value of the subject `end_user`. */
export const nameOfEndUser = (value: string): string => value.slice(value.indexOf('/') + 1)

const tagsOf = ({ tags, caller }: LimitedCall): string => tags ?? caller.tags ?? ''

/** The tag that a subject names, as a call has it: `name=value` for a subject of either form. */
const tagFor = (tags: string, named: string): string | undefined => {
  const mark = named.includes('=') ? `;${named};` : `;${named}=`
  const at = tags.indexOf(mark)
  return at === -1 ? undefined : tags.slice(at + 1, tags.indexOf(';', at + 1))
}

/** Subject of a call for each kind of limit; undefined if the call has none. A call has several tags. */
export const subjectOf: Readonly<Record<LimitSubject, (call: LimitedCall) => string | undefined>> = {
  key: ({ caller }) => (caller.tokenId === 0 ? undefined : String(caller.tokenId)),
  user: ({ caller }) => String(caller.userId),
  team: ({ caller: { project } }) => (project === undefined ? undefined : String(project.teamId)),
  project: ({ caller: { project } }) => (project === undefined ? undefined : String(project.id)),
  // A machine's key has no member.
  member: ({ caller: { project } }) => (project?.memberId ? String(project.memberId) : undefined),
  end_user: ({ caller, endUser }) => (endUser === undefined ? undefined : endUserValue(caller.userId, endUser)),
  tag: tagsOf,
  group: ({ caller }) => caller.group,
  model: ({ model, route, target }) => (route === undefined ? model : target?.model),
  virtual_model: ({ model, route }) => (route === undefined ? undefined : model),
  address: ({ ip }) => limitKey(ip),
  deadline: ({ lane }) => (lane?.leavesTime === true ? 'with' : 'without'),
  channel: ({ channel }) => (channel === undefined ? undefined : String(channel.id)),
  upstream_key: ({ channel }) => (channel?.seed === undefined ? undefined : upstreamKeyValue(channel.id, channel.seed)),
}

/** One key of a channel as limits name it. */
export const upstreamKeyValue = (channelId: number, seed: number): string => `${channelId}:${seed}`

interface Amounts {
  reserved(need: CallNeed): number
  /** Use that stays counted; of a failed call the request alone. */
  used(use: UsedCounts | undefined): number
}

const nothing = (): number => 0
const one = (): number => 1

export const amounts: Readonly<Record<LimitMeasure, Amounts>> = {
  requests: { reserved: one, used: one },
  input_tokens: { reserved: ({ input }) => input, used: (use) => use?.promptTokens ?? 0 },
  output_tokens: { reserved: ({ output }) => output, used: (use) => use?.completionTokens ?? 0 },
  tokens: {
    reserved: ({ input, output }) => input + output,
    used: (use) => (use === undefined ? 0 : use.promptTokens + use.completionTokens),
  },
  money: { reserved: ({ money }) => money, used: (use) => use?.quota ?? 0 },
  running: { reserved: one, used: nothing },
}

/** A limit, ready to count. */
export interface CompiledLimit {
  readonly limit: Limit
  readonly window: WindowShape
  readonly amounts: Amounts
  readonly refuses: boolean
  /** True if refused calls may fall back to another model. */
  readonly fallsBack: boolean
  /** True if it counts attempts at channels, and not calls. */
  readonly ofChannels: boolean
  /** Place of the model among its subjects; -1 where it counts all models together. */
  readonly modelAt: number
  /** Differs where counts of before do not fit any more. */
  readonly shape: string
}

const zoned: ReadonlySet<Limit['window']> = new Set(['day', 'week', 'month'])

/** Counts continue as long as this stays the same. */
const shapeOf = ({ measure, window, hours, time_zone: zone, subjects }: Limit): string =>
  JSON.stringify([
    measure,
    window,
    window === 'rolling' ? hours : 0,
    zoned.has(window) ? zone : '',
    subjects.map(({ kind, value }) => [kind, value]),
  ])

export const compiledLimit = (limit: Limit): CompiledLimit => ({
  limit,
  window: windowOf(limit),
  amounts: amounts[limit.measure],
  refuses: limit.action !== 'tell',
  fallsBack: limit.action === 'fallback',
  ofChannels: limit.subjects.some(({ kind }) => channelSubjects.has(kind)),
  modelAt: limit.subjects.findIndex(({ kind }) => kind === 'model'),
  shape: shapeOf(limit),
})

const isMeant = (kind: LimitSubject, value: string, own: string): boolean => {
  if (value === '' || kind === 'tag') return true
  return value === (kind === 'end_user' ? nameOfEndUser(own) : own)
}

/** True if the value of a subject is the one under which calls are counted, and not one for several. */
export const isWholeSubject = ({ kind, value }: LimitedSubject): boolean =>
  value !== '' && kind !== 'end_user' && (kind !== 'tag' || value.includes('='))

/** The call as counted for an additional model that worked on it. */
export const asCallOf = (call: LimitedCall, model: string): LimitedCall =>
  call.route === undefined ? { ...call, model } : { ...call, target: { model } }

/** Key under which a subject of a limit counts this call; undefined where it does not. */
const countedAs = ({ kind, value }: LimitedSubject, call: LimitedCall): string | undefined => {
  const own = kind === 'tag' ? tagFor(tagsOf(call), value) : subjectOf[kind](call)
  return own === undefined || own === '' || !isMeant(kind, value, own) ? undefined : own
}

/** Keys under which a limit counts this call: a text for each subject. */
export const countedOf = ({ limit }: CompiledLimit, call: LimitedCall): readonly string[] | undefined => {
  const values: string[] = []
  for (const subject of limit.subjects) {
    const counted = countedAs(subject, call)
    if (counted === undefined) return undefined
    values.push(counted)
  }
  return values
}

/** True unless one of the decided subjects rules out that a limit counts calls like this one. */
export const mayCount = ({ limit }: CompiledLimit, call: LimitedCall, decided: ReadonlySet<LimitSubject>): boolean =>
  limit.subjects.every((subject) => !decided.has(subject.kind) || countedAs(subject, call) !== undefined)
