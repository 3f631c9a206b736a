import type { ChannelChoice } from '@tollgate/contract'
import { routedModel } from '../../billing/routed-model.ts'
import { explainRoutingOf, type Scoring } from '../../features/channels/explain-routing.ts'
import { readExplainedKeys } from '../../features/virtual-models/explained-key.ts'
import { refreshHedgeBudget } from '../../features/virtual-models/hedging.ts'
import { openRulePreview } from '../../features/virtual-models/preview.ts'
import { virtualModelRoutes } from '../../features/virtual-models/routes.ts'
import { openVirtualModels } from '../../features/virtual-models/virtual-models.ts'
import type { On } from '../../http/route.ts'
import { every } from '../../jobs/every.ts'
import { channelChoice, slackOf } from '../../relay/routing/choice/channel-choice.ts'
import { type ChannelFigures, openChannelFigures } from '../../relay/routing/choice/channel-figures.ts'
import { type HedgeBudget, openHedgeBudget } from '../../relay/routing/hedging/hedge-budget.ts'
import type { SharedParts } from '../parts.ts'
import type { ChannelSide } from './console-channels.ts'

/** How often a node looks at what the others have spent for second channels. */
const refreshHedgesEveryMs = 30_000

export interface VirtualModelSide {
  /** What the relay of this node sees of its channels, and the explanation of routes looks at. */
  readonly figures: ChannelFigures
  readonly hedgeBudget: HedgeBudget
  /** Reads all virtual models anew, on every node. */
  refresh(): Promise<void>
  /** Ends the watch over the other nodes. */
  close(): void
}

/** Joins the virtual models to the picture that the relay routes by. */
export const joinVirtualModels = async (
  { config, database, logDatabase, audit, bus, clock, log, prices, costs, relayOptions, options }: SharedParts,
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
    preview: openRulePreview(logDatabase, clock),
    explanation: {
      snapshot: directory.snapshot,
      channelsOf: ({ choice, ...asked }) =>
        explainRoutingOf(
          { snapshot: directory.snapshot, stateOf },
          { ...asked, scoring: scoringOf(choice, asked.model) },
        ),
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
