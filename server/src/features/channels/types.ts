import type { ChannelType } from '@tollgate/contract'
import { providerOf, typesInSelectOrder, unbuiltProviderOf } from '../../providers/index.ts'
import { hasBalance } from './balance.ts'

/** OpenAI and Gemini: developers.openai.com/api/docs/guides/webhooks, ai.google.dev/gemini-api/docs/webhooks. */
const accountWebhookTypes: ReadonlySet<number> = new Set([1, 24])

/** True where accounts of a channel's provider have webhooks that name the work which has ended. */
export const hasAccountWebhooks = (type: number): boolean => accountWebhookTypes.has(type)

/** Channel type for the console; undefined for numbers without a meaning. */
export const channelTypeOf = (type: number): ChannelType | undefined => {
  const built = providerOf(type)
  const provider = built ?? unbuiltProviderOf(type)
  if (!provider) return undefined
  return {
    type,
    name: provider.name,
    ...provider.console,
    fields: [...provider.console.fields],
    base_url: provider.baseUrl,
    models: [...provider.models],
    lists_models: built?.modelList !== undefined,
    bills_aborted: built?.billsAborted === true,
    ...(built?.keyOptional === true ? { key_optional: true } : {}),
    has_balance: hasBalance(type),
    relays: built !== undefined,
    ...('reason' in provider ? { reason: provider.reason } : {}),
  }
}

/** Every type that the console offers, in the order of its select. */
export const offeredTypes = (): ChannelType[] =>
  typesInSelectOrder.map(channelTypeOf).filter((type) => type !== undefined)
