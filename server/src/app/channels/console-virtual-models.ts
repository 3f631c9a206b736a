import type { ChannelDirectory } from '../../features/channels/directory.ts'
import { openRulePreview } from '../../features/virtual-models/preview.ts'
import { virtualModelRoutes } from '../../features/virtual-models/routes.ts'
import { openVirtualModels } from '../../features/virtual-models/virtual-models.ts'
import type { On } from '../../http/route.ts'
import type { SharedParts } from '../parts.ts'

/** Joins the virtual models to the picture that the relay routes by. Returns the function that ends their watch. */
export const joinVirtualModels = async (
  { database, logDatabase, audit, bus, clock, log }: SharedParts,
  directory: Pick<ChannelDirectory, 'setVirtualModels'>,
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
  virtualModelRoutes(on, { models, preview: openRulePreview(logDatabase, clock) })
  return models.close
}
