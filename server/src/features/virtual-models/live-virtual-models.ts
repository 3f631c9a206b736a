import type { VirtualModel } from '@tollgate/contract'
import type { Database } from '../../db/database.ts'
import type { Bus } from '../../lib/redis/bus.ts'
import { createSerialQueue } from '../../lib/serial-queue.ts'
import { type RelayVirtualModel, relayVirtualModel } from '../../relay/routing/virtual/virtual-model.ts'
import { readVirtualModels } from './store.ts'

export interface LiveVirtualModelParts {
  readonly database: Pick<Database, 'query'>
  readonly bus: Pick<Bus, 'publish' | 'subscribe'>
  /** Called with all enabled ones whenever one changes, on every node. */
  changed(models: readonly RelayVirtualModel[]): void
  warn(event: string, fields: Readonly<Record<string, unknown>>): void
}

export interface LiveVirtualModels {
  /** In the order of their names. */
  list(): Promise<VirtualModel[]>
  /** Reads all of them anew on this node: another process, such as a command, may have written some. */
  look(): Promise<void>
  /** Reads all of them anew, here and on the other nodes: something else has written some. */
  refresh(): Promise<void>
  /** Ends the watch over the other nodes. */
  close(): void
}

const topic = 'virtual_models'

/** Names that stand for lists of models and channels, known to the relay of every node. */
export const openLiveVirtualModels = async (parts: LiveVirtualModelParts): Promise<LiveVirtualModels> => {
  const { database, bus, warn } = parts
  const queue = createSerialQueue()

  let last = ''
  const read = async (): Promise<void> => {
    const enabled = (await readVirtualModels(database.query)).filter((model) => model.enabled)
    const text = JSON.stringify(enabled)
    if (text === last) return
    last = text
    parts.changed(enabled.map(relayVirtualModel))
  }
  const refresh = async (): Promise<void> => {
    bus.publish(topic)
    await queue.run(read)
  }
  const stop = bus.subscribe(topic, (notice) => {
    if (notice.kind === 'message' && notice.own) return
    queue.run(read).catch((error: unknown) => warn('virtual_models_not_read', { error }))
  })
  await queue.run(read)

  return { list: () => readVirtualModels(database.query), look: () => queue.run(read), refresh, close: stop }
}
