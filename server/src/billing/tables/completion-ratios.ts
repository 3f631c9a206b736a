/** Built-in completion ratio of a model. The option CompletionRatio cannot change a locked one. */
export interface BuiltInRatio {
  readonly value: number
  readonly locked: boolean
}

interface Rule {
  /** Whether the rule applies to a model name. */
  readonly when: (model: string) => boolean
  readonly value: number
  readonly locked: boolean
}

const starts =
  (...prefixes: string[]) =>
  (model: string): boolean =>
    prefixes.some((prefix) => model.startsWith(prefix))
const ends =
  (...suffixes: string[]) =>
  (model: string): boolean =>
    suffixes.some((suffix) => model.endsWith(suffix))
const contains =
  (part: string) =>
  (model: string): boolean =>
    model.includes(part)
const is =
  (...names: string[]) =>
  (model: string): boolean =>
    names.includes(model)

const locked = (when: Rule['when'], value: number): Rule => ({ when, value, locked: true })
const open = (when: Rule['when'], value: number): Rule => ({ when, value, locked: false })

const gpt4 = (model: string): boolean => model.startsWith('gpt-4') && !ends('-all', '-gizmo-*')(model)
const gpt35 = starts('gpt-3.5')

/** First match wins. */
const rules: readonly Rule[] = [
  locked(is('gpt-4o-2024-05-13'), 3),
  locked((model) => gpt4(model) && model.startsWith('gpt-4o'), 4),
  locked((model) => gpt4(model) && model.startsWith('gpt-4.5-preview'), 2),
  locked((model) => gpt4(model) && (starts('gpt-4-turbo')(model) || ends('gpt-4-1106', 'gpt-4-1105')(model)), 3),
  open(gpt4, 2),
  locked(starts('o1', 'o3'), 4),
  locked(is('chatgpt-4o-latest'), 3),
  locked(contains('claude-instant-1'), 3),
  locked(contains('claude-2'), 3),
  locked(contains('claude-3'), 5),
  locked((model) => model === 'gpt-3.5-turbo' || (gpt35(model) && model.endsWith('0125')), 3),
  locked((model) => gpt35(model) && model.endsWith('1106'), 2),
  locked(gpt35, 1.3333333333333333),
  locked(starts('mistral-'), 3),
  locked(starts('gemini-1.5', 'gemini-2.0'), 4),
  locked(starts('gemini-2.5-pro-preview'), 8),
  open(starts('gemini-'), 4),
  locked(is('command-r'), 3),
  locked(is('command-r-plus'), 5),
  locked(is('command-r-08-2024', 'command-r-plus-08-2024'), 4),
  open(starts('command'), 4),
  locked((model) => is('deepseek-chat', 'deepseek-reasoner')(model.toLowerCase()), 4),
  locked(starts('ERNIE-Speed-', 'ERNIE-Lite-', 'ERNIE-Character', 'ERNIE-Functions'), 2),
  locked(is('llama2-70b-4096'), 1.25),
  locked(is('llama3-8b-8192'), 2),
  locked(is('llama3-70b-8192'), 1.3389830508474576),
]

const nothingKnown: BuiltInRatio = { value: 1, locked: false }

/** The built-in completion ratio of a model whose custom-GPT name is already its wildcard. */
export const builtInCompletionRatio = (model: string): BuiltInRatio =>
  rules.find((rule) => rule.when(model)) ?? nothingKnown
