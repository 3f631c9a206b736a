import type { Price } from '../../billing/price.ts'
import { priceOf } from '../../relay/exchange/call-price.ts'
import type { CallPlan, PlanKind } from '../../relay/plan/call-plan.ts'
import type { Caller, Channels, Prices, RelayOptions } from '../../relay/ports.ts'
import { lacksChannel } from '../../relay/routing/no-channel.ts'
import { taskPrice } from '../../relay/tasks/task-price.ts'
import { checkChannel, checkModel, checkModelName, checkNotVirtual } from '../auth/model-checks.ts'
import { meantModel, modelEndOf } from '../auth/model-names.ts'

type Names = Pick<RelayOptions, 'modelAliases' | 'modelEnds'>

/** Rules that resolve model names. */
interface NameRules {
  /** The model that a name resolves to for a group at a moment (milliseconds since 1970). Throws AppError for an invalid name. */
  modelOf(name: string, group: string, now: number, options: Names): string
  /** Milliseconds since 1970 from which the name resolves to another model. */
  endOf(name: string, group: string, now: number, options: Names): number
}

/** Aliases of groups, and models that follow those that have ended. */
const meant: NameRules = {
  modelOf(name, group, now, options) {
    checkModelName(name)
    return meantModel(name, group, now, options)
  },
  endOf: modelEndOf,
}

const written: NameRules = { modelOf: (name) => name, endOf: () => Number.POSITIVE_INFINITY }

/** The difference between the kinds of plans. */
export interface PlanRules {
  readonly names: NameRules
  /** Checks that the caller may call the model on this kind of route. Throws AppError. */
  check(caller: Caller, model: string, channels: Channels): void
  /** False where virtual models are not served, and such a name means the model of the same name. */
  readonly takesVirtual: boolean
  /** True where calls may be made in another lane until their deadline. */
  readonly hasLanes: boolean
  price(prices: Prices, model: string, caller: Caller): Price | undefined
}

const checkServed: PlanRules['check'] = (caller, model, channels) => {
  checkModel(caller, model)
  checkChannel(caller, model, channels)
}

const relay: PlanRules = { names: meant, check: checkServed, takesVirtual: true, hasLanes: true, price: priceOf }

export const planRules: Readonly<Record<PlanKind, PlanRules>> = {
  relay,
  written: { ...relay, names: written },
  session: {
    ...relay,
    takesVirtual: false,
    hasLanes: false,
    check(caller, model, channels) {
      checkModel(caller, model)
      checkNotVirtual(caller, model, channels)
      checkChannel(caller, model, channels)
    },
  },
  kept: { ...relay, takesVirtual: false, hasLanes: false, check: checkModel },
  task: {
    names: written,
    takesVirtual: false,
    hasLanes: false,
    check(caller, model, channels) {
      checkModel(caller, model)
      checkNotVirtual(caller, model, channels)
      // Their models follow from the path, so none is misspelt.
      checkChannel(caller, model, channels, lacksChannel)
    },
    price: taskPrice,
  },
  raw: {
    names: written,
    takesVirtual: false,
    hasLanes: false,
    check: checkModel,
    price: (prices, model, { group }) => prices.of(model, group, { acceptsUnpriced: true }),
  },
}

/** True while a plan's price and model are those of the moment (milliseconds since 1970). */
export const lasts = ({ until }: Pick<CallPlan, 'until'>, now: number): boolean =>
  // Prices use the system clock, even where calls have a test clock.
  until === Number.POSITIVE_INFINITY || (now < until && Date.now() < until)
