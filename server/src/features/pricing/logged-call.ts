import { type Receipt, receipt as receiptSchema } from '@tollgate/contract'
import { parseJson } from '@tollgate/contract/json'
import { z } from 'zod'
import { withToolsOf } from '../../billing/named-models/other-prices.ts'
import type { Price } from '../../billing/price.ts'
import { type LoggedTokens, reprice } from './reprice/reprice.ts'
import type { LoggedCharge } from './traffic-store.ts'

const count = z.int().min(0).catch(0)
const tokensOf = z.object({
  cache_tokens: count,
  cache_creation_tokens: count,
  audio_input: count,
  audio_output: count,
  upstream_model_name: z.string().catch(''),
})

/** A charge taken from its log: what it was, and what it would be. */
export interface LoggedCall {
  readonly charge: LoggedCharge
  /** Undefined for rows of other programs and of kinds that are not billed by receipts. */
  readonly receipt: Receipt | undefined
  readonly tokens: LoggedTokens
  /** The model that the upstream was asked for; empty where it is the caller's. */
  readonly upstreamModel: string
}

export const readCall = (charge: LoggedCharge): LoggedCall => {
  const other = parseJson(charge.other)
  const found = typeof other === 'object' && other !== null && 'receipt' in other ? other.receipt : undefined
  const { data: receipt } = receiptSchema.safeParse(found)
  const { data: logged } = tokensOf.safeParse(other)
  const tokens = {
    prompt: charge.prompt_tokens,
    completion: charge.completion_tokens,
    cacheRead: logged?.cache_tokens ?? 0,
    cacheWrite: logged?.cache_creation_tokens ?? 0,
    audioInput: logged?.audio_input ?? 0,
    audioOutput: logged?.audio_output ?? 0,
  }
  return { charge, receipt, tokens, upstreamModel: logged?.upstream_model_name ?? '' }
}

/** Quota units of the call at another price; as it was charged where there is nothing to compute from. */
export const costAt = ({ charge, receipt, tokens, upstreamModel }: LoggedCall, price: Price | undefined): number =>
  receipt === undefined || price === undefined
    ? charge.quota
    : reprice(receipt, withToolsOf(price, upstreamModel), tokens)
