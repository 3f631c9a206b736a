import type { RefusedMembers, ThinkingBudget, ThinkingSwitch } from './model-facts.ts'
import { refusedByMistral } from './other-models.ts'

/** Facts about a provider with an OpenAI-compatible API, whatever the model: one row for each, by the provider's name. */
export interface HostFacts {
  readonly provider: string
  /** URL of the page or issue that documents it. */
  readonly source: string
  /** The day on which the page was read. */
  readonly read: string
  /** How thinking is switched there; as the model's maker does it when absent. */
  readonly thinking?: ThinkingSwitch
  /** Bounds of `thinking_budget` for all models. */
  readonly budget?: ThinkingBudget
  /** True if instructions may stand among the turns; others get them at the beginning, in one message. */
  readonly laterInstructions?: true
  /**
   * Members that may be null, at least for OpenAI's models: all, or those that OpenAI itself has (`openai-members.ts`). Others get no null
   * members, which mean the same as none.
   */
  readonly nulls?: 'all' | 'of OpenAI'
  /**
   * True if its Responses are OpenAI's: arguments of tools are encrypted where a schema asks for it, and reasoning items hold no text.
   */
  readonly ownResponses?: true
  /** True if it keeps thoughts in a form of its own, and models get them back from it. */
  readonly ownThoughts?: true
  readonly refused?: RefusedMembers
}

const read = '2026-11-29'

const rows: readonly HostFacts[] = [
  {
    provider: 'OpenAI',
    source: 'https://developers.openai.com/api/docs/api-reference/chat/create',
    read,
    laterInstructions: true,
    nulls: 'of OpenAI',
    ownResponses: true,
  },
  {
    provider: 'Azure',
    source: 'https://learn.microsoft.com/azure/ai-foundry/openai/reference',
    read,
    laterInstructions: true,
    nulls: 'of OpenAI',
    ownResponses: true,
  },
  {
    provider: 'OpenRouter',
    source: 'https://openrouter.ai/docs/use-cases/reasoning-tokens',
    read,
    thinking: 'reasoning_effort',
    laterInstructions: true,
    // Its schema allows null for most members (openrouter.ai/docs/api-reference/chat-completion).
    nulls: 'all',
    ownThoughts: true,
  },
  { provider: 'Xai', source: 'https://docs.x.ai/docs/guides/chat', read, laterInstructions: true },
  {
    provider: 'DeepSeek',
    source: 'https://api-docs.deepseek.com/api/create-chat-completion',
    read,
    laterInstructions: true,
  },
  { provider: 'Moonshot', source: 'https://platform.kimi.ai/docs/api/chat', read, laterInstructions: true },
  {
    provider: 'Mistral',
    source: 'https://docs.mistral.ai/api/endpoint/chat',
    read,
    refused: refusedByMistral,
  },
  {
    provider: 'Ali',
    source: 'https://help.aliyun.com/zh/model-studio/deep-thinking',
    read,
    thinking: 'enable_thinking',
  },
  {
    provider: 'SiliconFlow',
    source: 'https://docs.siliconflow.cn/en/api-reference/chat-completions/chat-completions',
    read,
    thinking: 'enable_thinking',
    budget: { least: 128, most: 32_768 },
  },
  {
    provider: 'VertexAi',
    source: 'https://docs.cloud.google.com/vertex-ai/generative-ai/docs/maas/capabilities/thinking',
    read,
    thinking: 'chat_template_kwargs',
  },
  {
    // Its efforts become switches of the template (`providers/dialects/engine-thinking.ts`).
    provider: 'OwnServer',
    source: 'https://docs.vllm.ai/en/latest/features/reasoning_outputs.html',
    read,
    thinking: 'reasoning_effort',
  },
]

const byProvider: ReadonlyMap<string, HostFacts> = new Map(rows.map((row) => [row.provider, row]))

const unknown: HostFacts = { provider: '', source: '', read: '' }

/** The row of a provider; an empty one, which takes nothing special, where there is none. */
export const hostOf = (provider: string): HostFacts => byProvider.get(provider) ?? unknown

/** The table of all providers. */
export const hostFacts = rows
