import { ownMember } from '@tollgate/contract/own-member'
import { anthropicMessages } from '../../dialects/anthropic/dialect.ts'
import { claudeFacts } from '../../dialects/anthropic/thinking.ts'
import { withoutSystemNoise } from '../../dialects/conversation/client-noise.ts'
import { isObject, listOf, membersOf } from '../../dialects/conversation/json.ts'
import type { UpstreamDialect } from '../../dialects/dialect.ts'
import { refusedSampling } from '../../dialects/facts/claude-sampling.ts'
import { hasCombinedRoot, plainRoot } from '../../dialects/tools/plain-root.ts'
import type { Adjustment, ModelOptions, OutgoingRequest, PlainCheck, PlainPlace } from '../provider.ts'
import { askedBetas, withKeptBetas } from './claude-betas.ts'
import { lacks } from './plain-rules.ts'

/** The operator's options for Claude, at Anthropic and at other hosts. */

const maxTokensOf = (model: string, { claude: { maxTokens } }: ModelOptions): number =>
  ownMember(maxTokens, model) ?? maxTokens.default ?? 8192

export const claudeDialect = (options: ModelOptions): UpstreamDialect =>
  anthropicMessages({ maxTokens: (model) => maxTokensOf(model, options) })

/** Headers that the operator sets for a model; several values are joined to one header. */
export const claudeHeaders = (model: string, { claude }: ModelOptions): Record<string, string> =>
  Object.fromEntries(
    Object.entries(ownMember(claude.headers, model) ?? {}).map(([name, values]) => [
      name.toLowerCase(),
      values.join(','),
    ]),
  )

const thinkingSuffix = '-thinking'
/** The least max_tokens for thinking: Anthropic's least budget is 1024, which is 0.8 of it. */
const leastMaxTokens = 1280

/** Members that turn thinking on for a name that ends in `-thinking`. Newer models take neither a budget nor a temperature. */
const thinkingMembers = (model: string, maxTokens: number, share: number): Record<string, unknown> => {
  const max = Math.max(leastMaxTokens, maxTokens)
  if (!claudeFacts(model).sampling)
    return { max_tokens: max, thinking: { type: 'adaptive' }, temperature: undefined, top_p: undefined }
  return {
    max_tokens: max,
    thinking: { type: 'enabled', budget_tokens: Math.trunc(max * share) },
    temperature: 1,
    top_p: undefined,
  }
}

/** Names of Anthropic's models; others at its address are those of makers that speak its language. */
const isClaudeModel = (model: string): boolean => model.includes('claude')

/**
 * Adds the `max_tokens` that Anthropic requires, turns thinking on for names that end in `-thinking`, and leaves out what only
 * Anthropic's own service reads.
 */
export const claudeAdjustment = (request: OutgoingRequest): Adjustment | undefined => {
  const adjusted = thinkingAdjustment(request)
  if (!isClaudeModel(request.model)) {
    const clean = withoutSystemNoise(request.body)
    return clean === undefined ? adjusted : { ...adjusted, members: { ...adjusted?.members, ...clean } }
  }
  return joined(adjusted, withPlainInputs(request.body.tools), withOfferedTools(request), withTakenSampling(request))
}

const setsNoSampling = lacks(['temperature', 'top_p', 'top_k'])
const boundsAnswer: PlainCheck = (body) => 'max_tokens' in body
const isFreeOfNoise: PlainCheck = (body) => withoutSystemNoise(body) === undefined

/** Plain bodies that `claudeAdjustment` leaves as they are; undefined for a name that turns thinking on. */
export const plainClaude = ({ model, path, options }: PlainPlace): readonly PlainCheck[] | undefined => {
  if (options.claude.thinkingAdapter && model.endsWith(thinkingSuffix)) return undefined
  const bounded = path.endsWith('/count_tokens') ? [] : [boundsAnswer]
  return [...bounded, isClaudeModel(model) ? setsNoSampling : isFreeOfNoise]
}

/** Several changes as one; undefined where there are none. */
const joined = (...changes: readonly (Adjustment | undefined)[]): Adjustment | undefined => {
  const made = changes.filter((change) => change !== undefined)
  if (made.length <= 1) return made[0]
  const unsupported = made.flatMap((change) => change.unsupported ?? [])
  const members = Object.assign({}, ...made.map((change) => change.members ?? {})) as Record<string, unknown>
  return { ...Object.assign({}, ...made), members, ...(unsupported.length === 0 ? {} : { unsupported }) }
}

const numberIn = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)

/** Without the sampling settings that the model refuses, which many clients send to all models alike. */
const withTakenSampling = ({ model, body, path }: OutgoingRequest): Adjustment | undefined => {
  const [temperature, top_p, top_k] = [body.temperature, body.top_p, body.top_k].map(numberIn)
  if (temperature === undefined && top_p === undefined && top_k === undefined) return undefined
  if (path.endsWith('/count_tokens')) return undefined
  const { type } = membersOf(body.thinking)
  const thinks = type === 'enabled' || type === 'adaptive'
  const { refused, lost } = refusedSampling({ temperature, top_p, top_k }, claudeFacts(model), thinks)
  if (refused.length === 0) return undefined
  return { members: Object.fromEntries(refused.map((name) => [name, undefined])), unsupported: lost }
}

/** A tool that the request forces is only offered to models that may not be forced. */
const withOfferedTools = ({ model, body }: OutgoingRequest): Adjustment | undefined => {
  if (!isForced(body) || claudeFacts(model).forcesTools) return undefined
  const { name: _, ...choice } = membersOf(body.tool_choice)
  return { members: { tool_choice: { ...choice, type: 'auto' } }, unsupported: ['tool_choice'] }
}

const isForced = ({ tool_choice: choice }: OutgoingRequest['body']): boolean =>
  ['any', 'tool'].includes(String(membersOf(choice).type))

const plainInput = (tool: unknown): unknown =>
  isObject(tool) && hasCombinedRoot(tool.input_schema) ? { ...tool, input_schema: plainRoot(tool.input_schema) } : tool

/** Tools whose schemas are one object each, which Claude requires; undefined where they are. */
const withPlainInputs = (offered: unknown): Adjustment | undefined => {
  const tools = listOf(offered)
  if (!tools.some((tool) => isObject(tool) && hasCombinedRoot(tool.input_schema))) return undefined
  return { members: { tools: tools.map(plainInput) }, unsupported: ['tools.input_schema'] }
}

const thinkingAdjustment = ({
  model: requestedModel,
  body,
  options,
  path,
}: OutgoingRequest): Adjustment | undefined => {
  const { thinkingAdapter, thinkingShare } = options.claude
  const thinks = thinkingAdapter && requestedModel.endsWith(thinkingSuffix)
  const model = thinks ? requestedModel.slice(0, -thinkingSuffix.length) : requestedModel
  if (path.endsWith('/count_tokens')) return thinks ? { model } : undefined
  const requested = typeof body.max_tokens === 'number' && body.max_tokens > 0 ? body.max_tokens : undefined
  const maxTokens = requested ?? maxTokensOf(model, options)
  if (!thinks) return requested === undefined ? { members: { max_tokens: maxTokens } } : undefined
  return {
    model,
    members: {
      max_tokens: maxTokens,
      ...(body.thinking === undefined ? thinkingMembers(model, maxTokens, thinkingShare) : {}),
    },
  }
}

/** Claude at Bedrock and Vertex, which take pictures as bytes only, have no service tiers, and take instructions first only. */
export const hostedClaude = (options: ModelOptions): UpstreamDialect => {
  const dialect = anthropicMessages({
    maxTokens: (model) => maxTokensOf(model, options),
    urls: false,
    laterInstructions: () => false,
    forcedBesideThinking: false,
  })
  return {
    ...dialect,
    writeRequest({ serviceTier, ...conversation }, unsupported) {
      if (serviceTier !== undefined && serviceTier !== 'auto') unsupported.add('service_tier')
      return dialect.writeRequest(conversation, unsupported)
    },
  }
}

/** Some models refuse a forced tool beside thinking at hosts other than Anthropic: the tool wins. */
const withoutForcedThought = ({ model, body }: OutgoingRequest): Adjustment | undefined => {
  if (!claudeFacts(model).hostsForceOrThink || !isForced(body)) return undefined
  const { type } = membersOf(body.thinking)
  return type === 'adaptive' || type === 'enabled'
    ? { members: { thinking: undefined }, unsupported: ['reasoning'] }
    : undefined
}

/**
 * As `claudeAdjustment`, with the host's version of the dialect, with what the host takes of the client's beta features, and
 * without the model, which is part of the address. `betas` are the features that the call will name.
 */
export const hostedClaudeAdjustment = (
  request: OutgoingRequest,
  { version, betas }: { version: string; betas: readonly string[] },
): Adjustment => {
  const adjusted = thinkingAdjustment(request)
  const thought = withoutForcedThought(request)
  const clean = withoutSystemNoise(request.body)
  const body = clean === undefined ? request.body : { ...request.body, ...clean }
  const kept = withKeptBetas(body, askedBetas(request), betas)
  const roots = withPlainInputs(kept.members.tools ?? body.tools)
  const offered = withOfferedTools(request)
  const sampled = withTakenSampling(request)
  const unsupported = [kept, thought, roots, offered, sampled].flatMap((part) => part?.unsupported ?? [])
  return {
    ...adjusted,
    members: {
      ...adjusted?.members,
      ...sampled?.members,
      ...clean,
      ...kept.members,
      ...thought?.members,
      ...roots?.members,
      ...offered?.members,
      ...(body.anthropic_beta === undefined ? {} : { anthropic_beta: undefined }),
      anthropic_version: version,
      model: undefined,
    },
    ...(unsupported.length === 0 ? {} : { unsupported }),
  }
}
