import { ownMember } from '@tollgate/contract/own-member'
import type { ListRates } from '../book/list-price.ts'
import { decimal, multiply } from '../decimal.ts'
import { familyOf } from '../declared/families.ts'
import type { Decimal } from '../price.ts'

interface CacheRule {
  readonly explicit_cache_read: string
  readonly cache_write: string
  readonly cache_write_1h: string
}

/** Makers' prices for explicit caches, as factors of the price of a prompt, for all of their models. */
const rules: Readonly<Record<string, CacheRule>> = {
  // alibabacloud.com/help/en/model-studio/context-cache: writes 125 %, reads of an explicit cache 10 %. Qwen4 keeps what is asked for an
  // hour (…/explicit-cache-qwen4); no page that could be read says at what price. Twice the prompt is what such writes cost at Anthropic and
  // Bedrock, so it is charged provisionally (`declared/assumed-writes.ts`).
  alibaba: { explicit_cache_read: '0.1', cache_write: '1.25', cache_write_1h: '2' },
}

/** Price of a read from an explicit cache relative to a prompt, by the rule of the model's maker; undefined without a rule. */
export const explicitReadOf = (model: string): Decimal | undefined => {
  const rule = ownMember(rules, familyOf(model))
  return rule && decimal(rule.explicit_cache_read)
}

/** The maker's own list; other hosts of its models have caches and prices of their own. */
const ownLists: Readonly<Record<string, string>> = { dashscope: 'alibaba' }

/** A list's rates with those of explicit caches by the rule of the model's maker, where it is its own list and names none. */
export const withMakersCache = (rates: ListRates, provider: string): ListRates => {
  const { input } = rates
  const maker = ownMember(ownLists, provider)
  const rule = input === undefined || maker === undefined ? undefined : ownMember(rules, maker)
  if (input === undefined || rule === undefined) return rates
  return {
    explicit_cache_read: multiply(input, decimal(rule.explicit_cache_read)),
    cache_write: multiply(input, decimal(rule.cache_write)),
    cache_write_1h: multiply(input, decimal(rule.cache_write_1h)),
    ...rates,
  }
}
