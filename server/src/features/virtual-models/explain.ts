import type { IncomingHttpHeaders } from 'node:http'
import type { ChannelChoice, DataOf, ExplainedTarget, explainRoute, QueryOf } from '@tollgate/contract'
import type { Caller } from '../../relay/ports.ts'
import type { JudgedCall } from '../../relay/routing/virtual/condition.ts'
import { type CallRoute, routeOf } from '../../relay/routing/virtual/route-of-call.ts'
import type { RelayStep } from '../../relay/routing/virtual/virtual-model.ts'
import { type ExplainParts, explainRoutingOf } from '../channels/explain-routing.ts'

type Explained = DataOf<typeof explainRoute>
type Question = QueryOf<typeof explainRoute>

/** What is known of an API key. */
export interface ExplainedKey {
  readonly group: string
  readonly userGroup: string
  /** undefined means every model. */
  readonly modelLimits: ReadonlySet<string> | undefined
}

export interface RouteExplanationParts extends ExplainParts {
  readonly clock: () => number
  keyOf(id: number): Promise<ExplainedKey | undefined>
  isPriced(model: string): boolean
  /** How a group wants channels chosen. */
  choiceOf(group: string): ChannelChoice
}

const noBytes = Buffer.alloc(0)
const picture = { type: 'image_url', image_url: { url: 'data:,' } }

/** A call as far as conditions look at it. */
const judged = (question: Question, group: string, now: number): JudgedCall => {
  const { model, key, prompt, tools, pictures, stream } = question
  const caller: Caller = {
    ...{
      userId: 0,
      username: '',
      role: 1,
      userGroup: group,
      acceptsUnpricedModels: false,
      tokenId: key,
      tokenName: '',
    },
    ...{ tokenUnlimited: true, group, modelLimits: undefined, forcedChannel: undefined },
  }
  return {
    startedAt: now,
    caller,
    stream: stream === true,
    model,
    raw: noBytes,
    body: {
      messages: [{ role: 'user', content: pictures === true ? [picture] : '' }],
      ...(tools === true ? { tools: [{ type: 'function' }] } : {}),
    },
    dialect: undefined,
    survey: { model, tokens: prompt, textBytes: 0, words: [], hasWord: false, hasMarkedSignature: false },
  }
}

const headersOf = (text: string): IncomingHttpHeaders => {
  const [name = '', ...value] = text.split(':')
  return name.trim() === '' ? {} : { [name.trim().toLowerCase()]: value.join(':').trim() }
}

const isCurrent = ({ from, until }: RelayStep[number], now: number): boolean => from <= now && now < until

/** The targets of a way in their order, each with its channels. */
const targetsOf = ({ steps }: CallRoute, group: string, parts: RouteExplanationParts): ExplainedTarget[] => {
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
      channels: explainRoutingOf(parts, { model: target.model, group, fits: target.fits }),
    }))
  })
}

const isUsable = ({ priced, current, channels }: ExplainedTarget, ownPrice: boolean): boolean =>
  (priced || ownPrice) && current && channels.some(({ reason }) => reason === 'chosen')

const refusalOf = (targets: readonly ExplainedTarget[], ownPrice: boolean): Explained['refusal'] => {
  if (targets.some((target) => isUsable(target, ownPrice))) return ''
  return targets.some((target) => isUsable(target, true)) ? 'no_price' : 'no_channel'
}

/** Where a call would go now, from the same picture, rules and health that the relay uses. Sends nothing. */
export const explainRouteOf = async (question: Question, parts: RouteExplanationParts): Promise<Explained> => {
  const { model } = question
  const key = question.key === 0 ? undefined : await parts.keyOf(question.key)
  const group = key === undefined ? question.group : key.group || key.userGroup
  const choice = parts.choiceOf(group)
  if (question.key !== 0 && key === undefined) {
    return { group, refusal: 'key_not_found', virtual: null, choice, targets: [] }
  }
  const isAllowed = key?.modelLimits?.has(model) ?? true
  const virtual = parts.snapshot().virtual(group, model)
  if (virtual === undefined) {
    const channels = explainRoutingOf(parts, { model, group })
    const targets = [{ model, step: 0, share: 1, priced: parts.isPriced(model), current: true, channels }]
    const refusal = isAllowed ? refusalOf(targets, false) : 'model_not_allowed'
    return { group, refusal, virtual: null, choice, targets }
  }
  const route = routeOf(virtual, judged(question, group, parts.clock()), headersOf(question.header))
  const targets = targetsOf(route, group, parts)
  const ownPrice = virtual.ownPrice && parts.isPriced(virtual.name)
  return {
    group,
    refusal: isAllowed ? refusalOf(targets, ownPrice) : 'model_not_allowed',
    virtual: { id: virtual.id, rule: route.rule, price: virtual.ownPrice ? 'own' : 'answered' },
    choice: virtual.choice === 'priority' ? choice : virtual.choice,
    targets,
  }
}
