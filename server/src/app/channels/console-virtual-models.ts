import { explainRoutingOf } from '../../features/channels/explain-routing.ts'
import { readExplainedKey } from '../../features/virtual-models/explained-key.ts'
import { openRulePreview } from '../../features/virtual-models/preview.ts'
import { virtualModelRoutes } from '../../features/virtual-models/routes.ts'
import { openVirtualModels } from '../../features/virtual-models/virtual-models.ts'
import type { On } from '../../http/route.ts'
import type { SharedParts } from '../parts.ts'
import type { ChannelSide } from './console-channels.ts'

/** Joins the virtual models to the picture that the relay routes by. Returns the function that ends their watch. */
export const joinVirtualModels = async (
  { database, logDatabase, audit, bus, clock, log, prices, relayOptions }: SharedParts,
  { directory, stateOf }: Pick<ChannelSide, 'directory' | 'stateOf'>,
  on: On,
): Promise<() => void> => {
  const models = await openVirtualModels({
    database,
    audit,
    bus,
    clock,
    changed: directory.setVirtualModels,
    warn: log.warn,
  })
  virtualModelRoutes(on, {
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
  return models.close
}
