import { explainRoutingOf } from '../../features/channels/explain-routing.ts'
import { readExplainedKey } from '../../features/virtual-models/explained-key.ts'
import { refreshHedgeBudget } from '../../features/virtual-models/hedging.ts'
import { openRulePreview } from '../../features/virtual-models/preview.ts'
import { virtualModelRoutes } from '../../features/virtual-models/routes.ts'
import { openVirtualModels } from '../../features/virtual-models/virtual-models.ts'
import type { On } from '../../http/route.ts'
import { every } from '../../jobs/every.ts'
import { type HedgeBudget, openHedgeBudget } from '../../relay/routing/hedging/hedge-budget.ts'
import type { SharedParts } from '../parts.ts'
import type { ChannelSide } from './console-channels.ts'

/** How often a node looks at what the others have spent for second channels. */
const refreshHedgesEveryMs = 30_000

export interface VirtualModelSide {
  readonly hedgeBudget: HedgeBudget
  /** Ends the watch over the other nodes. */
  close(): void
}

/** Joins the virtual models to the picture that the relay routes by. */
export const joinVirtualModels = async (
  { database, logDatabase, audit, bus, clock, log, prices, relayOptions, options }: SharedParts,
  { directory, stateOf }: Pick<ChannelSide, 'directory' | 'stateOf'>,
  on: On,
): Promise<VirtualModelSide> => {
  let hasHedgedModel = false
  const models = await openVirtualModels({
    database,
    audit,
    bus,
    clock,
    changed(all) {
      hasHedgedModel = all.some(({ hedge }) => hedge)
      directory.setVirtualModels(all)
    },
    warn: log.warn,
  })
  const limits = () => ({ perHour: options.get('HedgingCostPerHour'), perDay: options.get('HedgingCostPerDay') })
  const hedgeBudget = openHedgeBudget(limits)
  const hedging = {
    ...{ database, clock, limits, budget: hedgeBudget },
    isOn: () => hasHedgedModel || relayOptions().hedgedGroups.size > 0,
    channelName: (id: number) => directory.snapshot().byId(id)?.name ?? '',
  }
  const late = (error: unknown): void => log.warn('hedge_costs_not_read', { error })
  const stopRefreshing = every(refreshHedgesEveryMs, () => refreshHedgeBudget(hedging), late)
  virtualModelRoutes(on, {
    hedging,
    models,
    preview: openRulePreview(logDatabase, clock),
    explanation: {
      snapshot: directory.snapshot,
      channelsOf: (asked) => explainRoutingOf({ snapshot: directory.snapshot, stateOf }, asked),
      clock,
      keyOf: (id) => readExplainedKey(database, id),
      isPriced: (model) => prices.of(model, '', { acceptsUnpriced: false }) !== undefined,
      choiceOf: (group) => relayOptions().channelChoices.get(group) ?? 'priority',
    },
  })
  return {
    hedgeBudget,
    close: () => {
      stopRefreshing()
      models.close()
    },
  }
}
