import type { Database } from '../../server/src/db/database.ts'
import { openAudit } from '../../server/src/features/audit/audit.ts'
import { newChannel } from '../../server/src/features/channels/change.ts'
import { openChannelStore } from '../../server/src/features/channels/store.ts'
import { channelTypeOf } from '../../server/src/features/channels/types.ts'
import type { Secrets } from '../../server/src/lib/security/secrets.ts'
import { type BusyPlan, daySeconds, isFailing, type ModelName, models } from './plan.ts'

export interface BusyChannel {
  readonly id: number
  readonly name: string
  readonly models: readonly ModelName[]
  readonly fails: boolean
}

const places = ['Stockholm', 'Virginia', '上海', 'Frankfurt', 'Tokyo', 'São Paulo', 'Sydney', 'Mumbai']

/** Type numbers of providers with an address of their own: OpenAI, Anthropic, DeepSeek, OpenRouter. */
const types = [1, 14, 43, 20] as const

/** Models of a channel: each channel has half of them, and every model several channels. */
const modelsOf = (index: number): ModelName[] =>
  models.filter((_, at) => (at + index) % 2 === 0).map(({ name }) => name)

/** Writes the channels, and a change of one of them that root made a day before the end. */
export const writeChannels = async (
  { database, secrets }: { readonly database: Database; readonly secrets: Secrets },
  { channels, days, until }: BusyPlan,
): Promise<BusyChannel[]> => {
  const store = openChannelStore(database)
  const created = Math.floor(until / 1000) - days * daySeconds
  const made = await database.transaction(async (trx) => {
    const all: BusyChannel[] = []
    for (let index = 0; index < channels; index += 1) {
      const type = types[index % types.length] ?? 1
      const name = `${places[index % places.length]} ${Math.floor(index / places.length) + 1}`
      const served = modelsOf(index)
      const fields = {
        type,
        name,
        models: served.join(','),
        group: 'default,vip,internal',
        priority: index % 3,
        weight: 1 + (index % 5),
        tag: index % 4 === 0 ? 'primary' : '',
      }
      const key = `sk-generated-${index}`
      const parts = { typeOf: channelTypeOf, groupExists: () => true, secrets }
      const id = await store.insert(trx, newChannel(fields, key, created, parts))
      all.push({ id, name, models: served, fails: isFailing(index) })
    }
    return all
  })
  const [first] = made
  if (first !== undefined)
    await openAudit(database, () => until - daySeconds * 1000).record({
      actor: { id: 1, username: 'root' },
      action: 'channel.update',
      object: 'channel',
      objectId: String(first.id),
      before: { priority: 5 },
      after: { priority: 0 },
      ip: '192.0.2.1',
    })
  return made
}
