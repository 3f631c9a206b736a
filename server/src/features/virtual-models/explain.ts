import type { ChannelChoice, DataOf, ExplainedTarget, explainRoute, QueryOf, RoutingRow } from '@tollgate/contract'
import { type PrintedTags, tagsHeader, tagsOfCall } from '../../billing/call-tags.ts'
import type { ChannelSnapshot } from '../../relay/ports.ts'
import type { CallTraits } from '../../relay/routing/virtual/condition.ts'
import { routeOf } from '../../relay/routing/virtual/route-of-call.ts'
import type { CallRoute, RelayStep, RelayTarget } from '../../relay/routing/virtual/virtual-model.ts'

type Explained = DataOf<typeof explainRoute>
type Question = QueryOf<typeof explainRoute>

/** Facts about an API key. */
export interface ExplainedKey {
  readonly id: number
  readonly name: string
  readonly username: string
  readonly group: string
  readonly userGroup: string
  /** Team of the key's project; 0 for keys of people's own. */
  readonly teamId: number
  readonly tags: PrintedTags
  /** undefined means every model. */
  readonly modelLimits: ReadonlySet<string> | undefined
}

export interface RouteExplanationParts {
  snapshot(): Pick<ChannelSnapshot, 'virtual'>
  /** The channels that a call of a model would be sent to, and why the others are not used. */
  channelsOf(asked: { model: string; group: string; choice: ChannelChoice; fits?: RelayTarget['fits'] }): RoutingRow[]
  readonly clock: () => number
  /** The one with this id, else those with this name. */
  keysOf(idOrName: string): Promise<readonly ExplainedKey[]>
  isPriced(model: string): boolean
  /** How a group wants channels chosen. */
  choiceOf(group: string): ChannelChoice
}

/** Traits of such a call, for conditions. */
const traitsOf = (question: Question, key: ExplainedKey | undefined, group: string, now: number): CallTraits => {
  const [name = '', ...rest] = question.header.split(':')
  const [header, value] = [name.trim().toLowerCase(), rest.join(':').trim()]
  return {
    at: now,
    tokenId: key?.id ?? 0,
    teamId: key?.teamId ?? 0,
    group,
    tags: tagsOfCall(key?.tags, header === tagsHeader ? { [header]: value } : {}) ?? key?.tags ?? '',
    stream: question.stream === true,
    header: (asked) => (asked === header ? value : undefined),
    hasTools: () => question.tools === true,
    hasPictures: () => question.pictures === true,
    promptTokens: () => question.prompt,
  }
}

const isCurrent = ({ from, until }: RelayStep[number], now: number): boolean => from <= now && now < until

/** The targets of a way in their order, each with its channels. */
const targetsOf = (
  { steps }: CallRoute,
  { group, choice }: { readonly group: string; readonly choice: ChannelChoice },
  parts: RouteExplanationParts,
): ExplainedTarget[] => {
  const now = parts.clock()
  const first = steps.findIndex((step) => step.some((target) => isCurrent(target, now)))
  return steps.flatMap((step, index) => {
    const whole = step.reduce((sum, target) => sum + (isCurrent(target, now) ? target.weight : 0), 0)
    return step.map((target) => ({
      model: target.model,
      step: index,
      share: index === first && isCurrent(target, now) ? target.weight / whole : 0,
      priced: parts.isPriced(target.model),
      current: isCurrent(target, now),
      channels: parts.channelsOf({ model: target.model, group, choice, fits: target.fits }),
    }))
  })
}

const isUsable = ({ priced, current, channels }: ExplainedTarget, ownPrice: boolean): boolean =>
  (priced || ownPrice) && current && channels.some(({ reason }) => reason === 'chosen')

const refusalOf = (targets: readonly ExplainedTarget[], ownPrice: boolean): Explained['refusal'] => {
  if (targets.some((target) => isUsable(target, ownPrice))) return ''
  return targets.some((target) => isUsable(target, true)) ? 'no_price' : 'no_channel'
}

/** Route that a call would take now, from the same snapshot, rules and health that the relay uses. Sends nothing. */
export const explainRouteOf = async (question: Question, parts: RouteExplanationParts): Promise<Explained> => {
  const { model } = question
  const isKeyNamed = question.key !== '' && question.key !== '0'
  const found = isKeyNamed ? await parts.keysOf(question.key) : []
  const [key] = found
  const keys = found.map(({ id, name, username }) => ({ id, name, username }))
  const group = key === undefined ? question.group : key.group || key.userGroup
  const choice = parts.choiceOf(group)
  if (isKeyNamed && found.length !== 1) {
    const refusal = key === undefined ? 'key_not_found' : 'key_ambiguous'
    return { group, keys, refusal, virtual: null, choice, targets: [] }
  }
  const isAllowed = key?.modelLimits?.has(model) ?? true
  const virtual = parts.snapshot().virtual(group, model)
  if (virtual === undefined) {
    const channels = parts.channelsOf({ model, group, choice })
    const targets = [{ model, step: 0, share: 1, priced: parts.isPriced(model), current: true, channels }]
    const refusal = isAllowed ? refusalOf(targets, false) : 'model_not_allowed'
    return { group, keys, refusal, virtual: null, choice, targets }
  }
  const route = routeOf(virtual, traitsOf(question, key, group, parts.clock()))
  const ownChoice = virtual.choice === 'priority' ? choice : virtual.choice
  const targets = targetsOf(route, { group, choice: ownChoice }, parts)
  const ownPrice = virtual.ownPrice && parts.isPriced(virtual.name)
  return {
    group,
    keys,
    refusal: isAllowed ? refusalOf(targets, ownPrice) : 'model_not_allowed',
    virtual: { id: virtual.id, rule: route.rule, price: virtual.ownPrice ? 'own' : 'answered' },
    choice: ownChoice,
    targets,
  }
}
