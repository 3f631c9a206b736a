import { createBoundedCache } from '../../lib/caches/bounded-cache.ts'
import { claudeModels } from './claude.ts'
import { geminiModels } from './gemini.ts'
import type { ClaudeFacts, ModelFacts } from './model-facts.ts'
import { openaiModels } from './openai.ts'
import { otherModels } from './other-models.ts'

/** The table of all models. The first match counts. */
export const modelFacts: readonly ModelFacts[] = [...openaiModels, ...claudeModels, ...geminiModels, ...otherModels]

interface Known {
  readonly own: ModelFacts | undefined
  readonly family: ModelFacts | undefined
}

/** Clients choose model names too, so the cache is bounded. */
const mostNames = 2000
const byName = createBoundedCache<string, Known>({ entries: mostNames })

/** Prefixes of Bedrock: `us.anthropic.claude-opus-4-7`, `moonshotai.kimi-k2.5`. */
const hostPrefix = /^(?:(?:us|us-gov|eu|apac|jp|au|global)\.)?(?:[a-z0-9-]+\.)(?=[a-z]+-?[a-z0-9])/

/** `Pro/deepseek-ai/DeepSeek-V4-Pro` → `deepseek-v4-pro`: the name without host and maker. */
const familyName = (model: string): string => {
  const last = model.slice(model.lastIndexOf('/') + 1).toLowerCase()
  const bare = last.replace(hostPrefix, '')
  return makers.test(bare) ? bare : last
}

const makers =
  /^(claude|deepseek|kimi|moonshot|glm|qwen|qwq|minimax|nova|gemini|gpt|o\d|mistral|mixtral|ministral|magistral)/

/** Names of Claude stand in longer names as well: `my-claude-opus-4-7`. */
const known = (model: string): Known => {
  const found = byName.get(model)
  if (found !== undefined) return found
  const name = familyName(model)
  const own = modelFacts.find(({ models }) => models.test(model))
  const entry = { own, family: name === model ? own : modelFacts.find(({ models }) => models.test(name)) }
  byName.set(model, entry)
  return entry
}

const closedRows: ReadonlySet<ModelFacts> = new Set([
  ...openaiModels.filter(({ models }) => !models.test('gpt-oss')),
  ...claudeModels,
  ...geminiModels,
])

/** False for models that only their maker and its licensees run. */
export const mayRunAnywhere = (model: string): boolean => {
  const family = familyOf(model)
  return family === undefined || !closedRows.has(family)
}

const openaiRows: ReadonlySet<ModelFacts> = new Set(openaiModels)

/** True for a row of another maker than OpenAI. */
export const isForeign = (facts: ModelFacts | undefined): boolean => facts !== undefined && !openaiRows.has(facts)

/** The row of a model under its maker's name; undefined if it has none. Its limits are those of the maker's API. */
export const rulesOf = (model: string): ModelFacts | undefined => known(model).own

/** The row of a model wherever it is hosted: `zai-org/GLM-4.6`, `us.anthropic.claude-opus-4-7`. */
export const familyOf = (model: string): ModelFacts | undefined => known(model).family

/** Binding of a model's thoughts (`ClaudeFacts.thoughts`); `free` for models of other makers. */
export const thoughtsAt = (model: string): ClaudeFacts['thoughts'] => familyOf(model)?.claude?.thoughts ?? 'free'
