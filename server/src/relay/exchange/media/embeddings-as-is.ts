import type { PassthroughDialect } from '../../../dialects/passthrough.ts'
import type { RelayCall } from '../../call.ts'
import type { RelayChannel } from '../../ports.ts'
import type { Exchange } from '../exchange.ts'
import { PassthroughExchange } from '../passthrough.ts'
import { passthroughOf } from '../passthrough-dialect.ts'

/** Embeddings asked for in another dialect than OpenAI's, at a provider that takes them as they are; else undefined. */
export const embeddingsAsIs = (call: RelayCall, channel: RelayChannel, model: string): Exchange | undefined => {
  const { embeds, query, accept } = call
  if (embeds === undefined || channel.provider.embedsIn !== embeds.client.dialect) return undefined
  const { client, raw, path } = embeds
  const body = call.model === model ? raw : client.withModel(raw, model)
  const request = { model, path, query, accept, contentType: 'application/json', body }
  const vectors = passthroughOf(call)
  const dialect: PassthroughDialect = {
    ...vectors,
    usage: (answer) => vectors.usage(answer) ?? client.usage(answer),
    isAnswer: () => true,
  }
  return new PassthroughExchange({ call, channel, dialect, request })
}
