import { isObject } from '../../../dialects/conversation/json.ts'
import type { RelayCall } from '../../call.ts'
import type { RelayChannel } from '../../ports.ts'
import type { Exchange } from '../exchange.ts'
import { PassthroughExchange } from '../passthrough.ts'
import { passthroughOf } from '../passthrough-dialect.ts'

/** Gemini's own embeddings at a provider that takes them. The model stands in the address, and in each of several requests. */
export const geminiEmbeddings = (call: RelayCall, channel: RelayChannel, model: string): Exchange | undefined => {
  const { embeds, query, accept } = call
  if (embeds === undefined || channel.provider.embedsContents !== true) return undefined
  const { raw, path } = embeds
  const body = call.model === model ? raw : withModel(raw, `models/${model}`)
  const request = { model, path, query, accept, contentType: 'application/json', body }
  return new PassthroughExchange({ call, channel, dialect: passthroughOf(call), request })
}

const withModel = (raw: Buffer, model: string): Buffer => {
  const { requests, ...rest } = JSON.parse(raw.toString()) as Record<string, unknown>
  const body = Array.isArray(requests)
    ? {
        ...rest,
        requests: (requests as unknown[]).map((request) => (isObject(request) ? { ...request, model } : request)),
      }
    : { ...rest, ...(rest.model === undefined ? {} : { model }) }
  return Buffer.from(JSON.stringify(body))
}
