import type { Price } from '../../billing/price.ts'
import { routedModel } from '../../billing/routed-model.ts'
import { AppError } from '../../lib/app-error.ts'
import type { CallLimits } from '../../limits/call-limits.ts'
import { madeModelOf } from '../../relay/direct/created-models.ts'
import { isFenced } from '../../relay/direct/direct-fence.ts'
import { reachableBy } from '../../relay/direct/file-fence.ts'
import type { CallPlan, DirectPlan, PlanKind } from '../../relay/plan/call-plan.ts'
import type { Caller, Channels, Prices, RelayOptions } from '../../relay/ports.ts'
import { scopeOf } from '../../relay/reader.ts'
import { candidateTable } from '../../relay/routing/candidate-tiers.ts'
import { openTo, servingTo } from '../../relay/routing/channel-fence.ts'
import { type RelayTarget, targetsOf } from '../../relay/routing/virtual/virtual-model.ts'
import type { DeadlineCalls } from '../deadlines/deadline-calls.ts'
import { planRules } from './plan-rules.ts'

export interface CallPlanParts {
  readonly channels: Channels
  readonly options: () => RelayOptions
  readonly prices: Prices
  /** Absent where calls have no deadlines. */
  readonly deadlines?: Pick<DeadlineCalls, 'assertStated'> | undefined
  /** Absent where nothing is limited. */
  readonly callLimits?: Pick<CallLimits, 'plannedFor'> | undefined
}

/** A model name in calls of one kind of route. */
export interface AskedName {
  readonly kind: PlanKind
  readonly name: string
}

/** The moment of a call (milliseconds since 1970), and its record: the model is noted there before it is checked. */
interface AskedAt {
  readonly startedAt: number
  model?: string
}

const pricesOf = (
  targets: readonly RelayTarget[],
  priceOf: (target: RelayTarget) => Price | undefined,
): ReadonlyMap<RelayTarget, Price> => {
  const priced = new Map<RelayTarget, Price>()
  for (const target of targets) {
    const price = priceOf(target)
    if (price !== undefined) priced.set(target, price)
  }
  return priced
}

/** The plan of a caller's calls for a name. Throws AppError where the caller may not call the model, as every call does. */
export const compilePlan = (
  caller: Caller,
  { kind, name }: AskedName,
  context: AskedAt,
  { channels, prices, callLimits, deadlines, ...parts }: CallPlanParts,
): CallPlan => {
  const { group, forcedChannel } = caller
  const { startedAt: now } = context
  const options = parts.options()
  const { names, check, takesVirtual, hasLanes, price } = planRules[kind]
  const model = names.modelOf(name, group, now, options)
  context.model = model
  check(caller, model, channels)
  if (caller.deadlineOnly === true && !hasLanes) deadlines?.assertStated()
  const snapshot = channels.snapshot()
  const virtual = takesVirtual ? snapshot.virtual(group, model) : undefined
  const serving = servingTo(caller, routedModel(model), snapshot)
  const forced = forcedChannel === undefined ? undefined : snapshot.byId(forcedChannel)
  const reachable = forced === undefined ? reachableBy({ caller, model, virtual }, snapshot) : [forced]
  const fenced = reachable.some(isFenced)
  const hasPrice = virtual === undefined || virtual.ownPrice
  const targets = hasPrice ? [] : targetsOf(virtual)
  // The ends first: a price that begins between the two questions only ends the plan too early.
  const priceEnds = [model, ...targets.map((target) => target.model)].map(
    (one) => prices.until?.(one, group) ?? Number.POSITIVE_INFINITY,
  )
  return Object.freeze({
    kind,
    caller,
    name,
    model,
    options,
    snapshot,
    serving,
    table: candidateTable(serving),
    forced,
    virtual,
    fenced,
    fencesObjects: fenced || madeModelOf(name) !== undefined,
    scope: scopeOf(caller),
    price: hasPrice ? price(prices, model, caller) : undefined,
    targetPrices: hasPrice ? undefined : pricesOf(targets, (target) => price(prices, target.model, caller)),
    limits: callLimits?.plannedFor({ caller, model, route: virtual }),
    until: Math.min(...priceEnds, names.endOf(name, group, now, options)),
  })
}

/**
 * The plan of a caller's direct calls to a channel. Throws AppError('passthrough_denied') where the caller may not make any, also where there
 * is no such channel.
 */
export const compileDirect = (
  caller: Caller,
  id: number,
  { channels, deadlines }: { readonly channels: Pick<Channels, 'snapshot'> } & Pick<CallPlanParts, 'deadlines'>,
): DirectPlan => {
  const channel = openTo(caller, channels.snapshot().byId(id))
  const permission = channel?.enabled === true ? channel.passthrough : undefined
  if (channel === undefined || permission === undefined) throw new AppError('passthrough_denied')
  const { groups, keys } = permission
  if (!(groups.has(caller.group) || keys.has(caller.tokenId))) throw new AppError('passthrough_denied')
  if (caller.deadlineOnly === true) deadlines?.assertStated()
  const { baseUrl, provider } = channel
  // A channel may reach the API by another address than the one that the API itself writes.
  const origins = [baseUrl, provider.baseUrl.replace(/\/+$/, '')].filter((one) => /^https?:\/\/[^{]+$/.test(one))
  const held = Object.freeze({ ...caller, forcedChannel: id })
  return Object.freeze({ caller, held, channel, permission, fenced: isFenced(channel), origins })
}
