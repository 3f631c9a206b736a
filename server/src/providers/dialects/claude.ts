import { ownMember } from '@tollgate/contract/own-member'
import { anthropicMessages } from '../../dialects/anthropic/dialect.ts'
import type { UpstreamDialect } from '../../dialects/dialect.ts'
import type { Adjustment, Ask, ModelOptions } from '../provider.ts'

/** What operators say about Claude, wherever it is hosted. */

const boundOf = (model: string, { claude: { maxTokens } }: ModelOptions): number =>
  ownMember(maxTokens, model) ?? maxTokens.default ?? 8192

export const claudeDialect = (options: ModelOptions): UpstreamDialect =>
  anthropicMessages({ maxTokens: (model) => boundOf(model, options) })

/** Headers that are replaced on calls of a model; several values make one header. */
export const claudeHeaders = (model: string, { claude }: ModelOptions): Record<string, string> =>
  Object.fromEntries(
    Object.entries(ownMember(claude.headers, model) ?? {}).map(([name, values]) => [
      name.toLowerCase(),
      values.join(','),
    ]),
  )

const suffix = '-thinking'
/** The provider takes no smaller budget than 1024, and 0.8 of this is just that. */
const leastBound = 1280

/** A name that ends in `-thinking` asks for thinking; whoever asked in words already keeps them. */
const thinking = (bound: number, share: number, asked: boolean): Record<string, unknown> => {
  if (asked) return {}
  const max = Math.max(leastBound, bound)
  return {
    max_tokens: max,
    thinking: { type: 'enabled', budget_tokens: Math.trunc(max * share) },
    temperature: 1,
    top_p: undefined,
  }
}

/** The bound that the dialect demands and the thinking adapter. */
export const claudeAdjustment = ({ model: named, body, options, path }: Ask): Adjustment | undefined => {
  const { thinkingAdapter, thinkingShare } = options.claude
  const thinks = thinkingAdapter && named.endsWith(suffix)
  const model = thinks ? named.slice(0, -suffix.length) : named
  if (path.endsWith('/count_tokens')) return thinks ? { model } : undefined
  const given = typeof body.max_tokens === 'number' && body.max_tokens > 0 ? body.max_tokens : undefined
  const bound = given ?? boundOf(model, options)
  if (!thinks) return given === undefined ? { members: { max_tokens: bound } } : undefined
  return { model, members: { max_tokens: bound, ...thinking(bound, thinkingShare, body.thinking !== undefined) } }
}

/** Claude at a host of many makers' models: pictures as bytes only, and none of Anthropic's tiers. */
export const hostedClaude = (options: ModelOptions): UpstreamDialect => {
  const dialect = anthropicMessages({ maxTokens: (model) => boundOf(model, options), urls: false })
  return {
    ...dialect,
    writeRequest({ serviceTier, ...conversation }, unsupported) {
      if (serviceTier !== undefined && serviceTier !== 'auto') unsupported.add('service_tier')
      return dialect.writeRequest(conversation, unsupported)
    },
  }
}

/** Hosts want their version of the dialect in the body, and the model nowhere but in the address. */
export const hostedClaudeAdjustment = (ask: Ask, version: string): Adjustment => {
  const adjusted = claudeAdjustment(ask)
  return { ...adjusted, members: { ...adjusted?.members, anthropic_version: version, model: undefined } }
}
