import { createBoundedCache } from '../../lib/caches/bounded-cache.ts'
/** The most that one answer of a model can report, in tokens. */
export interface ModelSize {
  /** Prompt tokens: the whole context. */
  readonly context: number
  /** Completion tokens, reasoning included. */
  readonly output: number
}

/**
 * Size of models without a row. Larger than almost every model on sale: operators of open models choose any length, and refusing a
 * true report loses money.
 */
export const unknownSize: ModelSize = { context: 2_097_152, output: 1_048_576 }

const rows: readonly (readonly [prefixes: readonly string[], size: ModelSize])[] = [
  // Products with their own prompts, not models.
  [['gpt-4-gizmo', 'gpt-4o-gizmo', 'gpt-4-all', 'gpt-4o-all'], unknownSize],
  // platform.openai.com/docs/models, November 2026; the largest of each family.
  [['gpt-4.1'], { context: 1_047_576, output: 32_768 }],
  [['gpt-4.5', 'gpt-4o', 'chatgpt-4o'], { context: 128_000, output: 16_384 }],
  [['gpt-4-32k'], { context: 32_768, output: 32_768 }],
  [['gpt-4-turbo', 'gpt-4-1106', 'gpt-4-0125', 'gpt-4-vision'], { context: 128_000, output: 4096 }],
  [['gpt-4'], { context: 8192, output: 8192 }],
  [['gpt-3.5', 'gpt-35'], { context: 16_385, output: 4097 }],
  [['gpt-5.4', 'gpt-5.5', 'gpt-5.6', 'gpt-6'], { context: 1_050_000, output: 131_072 }],
  [['gpt-5'], { context: 400_000, output: 272_000 }],
  [['o1', 'o3', 'o4'], { context: 200_000, output: 100_000 }],
  [['gpt-audio', 'gpt-realtime'], { context: 128_000, output: 32_000 }],
  // platform.claude.com/docs/en/about-claude/models/overview, with the longest outputs that a beta header unlocks.
  [['claude-3', 'claude-2', 'claude-instant'], { context: 200_000, output: 128_000 }],
  [['claude-'], { context: 1_000_000, output: 300_000 }],
  // ai.google.dev/gemini-api/docs/models
  [['gemini-1.5', 'gemini-exp'], { context: 2_097_152, output: 65_536 }],
  [['gemini-2', 'gemini-3'], { context: 1_048_576, output: 65_536 }],
  // docs.x.ai/docs/models
  [['grok-'], { context: 2_000_000, output: 1_000_000 }],
  // Larger than `unknownSize`: help.aliyun.com/zh/model-studio, minimaxi.com, llama.com.
  [['qwen-long'], { context: 10_000_000, output: 1_048_576 }],
  [['minimax-text-01', 'minimax-01'], { context: 4_000_000, output: 1_048_576 }],
  [['llama-4-scout', 'llama4-scout'], { context: 10_485_760, output: 1_048_576 }],
]

/** The shortest context and the shortest output of all. */
export const leastSize: ModelSize = rows.reduce(
  (least, [, { context, output }]) => ({
    context: Math.min(least.context, context),
    output: Math.min(least.output, output),
  }),
  unknownSize,
)

/** `openai/gpt-4o`, `us.anthropic.claude-…` and `accounts/x/models/y` without the prefix of the model's name. */
const bareName = (model: string): string =>
  model
    .slice(model.lastIndexOf('/') + 1)
    .toLowerCase()
    .replace(/^(?:[a-z-]+\.)+/, '')

const find = (model: string): ModelSize => {
  const name = bareName(model)
  return rows.find(([prefixes]) => prefixes.some((prefix) => name.startsWith(prefix)))?.[1] ?? unknownSize
}

/** Models that search or research without a tool in the request. */
const researchModels = /search|research|sonar|compound|agent|online/

export interface NamedModelSize extends ModelSize {
  /** The provider may send the whole context to the model several times for one answer. */
  readonly researches: boolean
}

const mostNames = 10_000
/** Names come from callers, so the cache is bounded. */
const sizes = createBoundedCache<string, NamedModelSize>({ entries: mostNames })

/** Size of a model by its upstream name; `unknownSize` without a row. Results are cached. */
export const sizeOfModel = (model: string): NamedModelSize => {
  const cached = sizes.get(model)
  if (cached !== undefined) return cached
  const size = { ...find(model), researches: researchModels.test(model.toLowerCase()) }
  sizes.set(model, size)
  return size
}
