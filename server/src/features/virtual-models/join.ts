import type { ChannelChoice, RoutingRow } from '@tollgate/contract'
import type { ChannelDirectory, ExplainedModel, Scoring } from '../../app/noun-types.ts'
import type { FeatureKit } from '../../app/parts.ts'
import { routedModel } from '../../billing/routed-model.ts'
import { every } from '../../jobs/every.ts'
import { channelChoice, slackOf } from '../../relay/routing/choice/channel-choice.ts'
import { type ChannelFigures, openChannelFigures } from '../../relay/routing/choice/channel-figures.ts'
import { type HedgeBudget, openHedgeBudget } from '../../relay/routing/hedging/hedge-budget.ts'
import { readExplainedKeys } from './explained-key.ts'
import { refreshHedgeBudget } from './hedging.ts'
import { openLiveVirtualModels } from './live-virtual-models.ts'
import { virtualModelRoutes } from './routes.ts'

/** How often a node looks at what the others have spent for second channels. */
const refreshHedgesEveryMs = 30_000

export interface VirtualModelSide {
  /** Figures of channels in the relay of this node, which the explanation of routes reads, too. */
  readonly figures: ChannelFigures
  readonly hedgeBudget: HedgeBudget
  /** Reads all virtual models anew, on every node. */
  refresh(): Promise<void>
  /** Ends the watch over the other nodes. */
  close(): void
}

export interface VirtualModelNeeds {
  readonly directory: ChannelDirectory
  explainRouting(asked: ExplainedModel): RoutingRow[]
}

/** Joins the virtual models to the picture that the relay routes by. */
export const joinVirtualModels = async (
  { config, database, bus, clock, log, prices, costs, relayOptions, options, on }: FeatureKit,
  { directory, explainRouting }: VirtualModelNeeds,
): Promise<VirtualModelSide> => {
  let hasHedgedModel = false
  const models = await openLiveVirtualModels({
    database,
    bus,
    changed(all) {
      hasHedgedModel = all.some(({ hedge }) => hedge)
      directory.setVirtualModels(all)
    },
    warn: log.warn,
  })
  const limits = () => ({ perHour: options.get('HedgingCostPerHour'), perDay: options.get('HedgingCostPerDay') })
  const hedgeBudget = openHedgeBudget(limits)
  const hedging = {
    database,
    clock,
    limits,
    budget: hedgeBudget,
    isOn: () => hasHedgedModel || relayOptions().hedgedGroups.size > 0,
    channelName: (id: number) => directory.snapshot().byId(id)?.name ?? '',
  }
  const figures = openChannelFigures()
  const scoringOf = (choice: ChannelChoice, model: string): Scoring | undefined => {
    const compared = channelChoice(choice, routedModel(model), clock(), { figures, costs, random: Math.random })
    return compared && { scoreOf: compared.scoreOf, slack: slackOf(choice), measures: choice === 'latency' }
  }
  const late = (error: unknown): void => log.warn('hedge_costs_not_read', { error })
  const stops = [
    every(refreshHedgesEveryMs, () => refreshHedgeBudget(hedging), late),
    every(config.syncFrequencyMs, models.look, (error) => log.warn('virtual_models_not_read', { error })),
  ]
  virtualModelRoutes(on, {
    hedging,
    models,
    explanation: {
      snapshot: directory.snapshot,
      channelsOf: ({ choice, ...asked }) => explainRouting({ ...asked, scoring: scoringOf(choice, asked.model) }),
      clock,
      keysOf: (idOrName) => readExplainedKeys(database, idOrName),
      isPriced: (model) => prices.of(model, '', { acceptsUnpriced: false }) !== undefined,
      choiceOf: (group) => relayOptions().channelChoices.get(group) ?? 'priority',
    },
  })
  return {
    figures,
    hedgeBudget,
    refresh: models.refresh,
    close: () => {
      for (const stop of stops) stop()
      models.close()
    },
  }
}
