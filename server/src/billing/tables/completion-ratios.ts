interface Rule {
  /** True if the rule applies to a model name. */
  readonly when: (model: string) => boolean
  readonly value: number
  /** Until price lists came, the option CompletionRatio did not change it. */
  readonly wasFixed: boolean
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

const rule = (when: Rule['when'], value: number): Rule => ({ when, value, wasFixed: true })
const open = (when: Rule['when'], value: number): Rule => ({ when, value, wasFixed: false })

const gpt4 = (model: string): boolean => model.startsWith('gpt-4') && !ends('-all', '-gizmo-*')(model)
const gpt35 = starts('gpt-3.5')

/** First match wins. */
const rules: readonly Rule[] = [
  rule(is('gpt-4o-2024-05-13'), 3),
  rule((model) => gpt4(model) && model.startsWith('gpt-4o'), 4),
  rule((model) => gpt4(model) && model.startsWith('gpt-4.5-preview'), 2),
  rule((model) => gpt4(model) && (starts('gpt-4-turbo')(model) || ends('gpt-4-1106', 'gpt-4-1105')(model)), 3),
  open(gpt4, 2),
  rule(starts('o1', 'o3'), 4),
  rule(is('chatgpt-4o-latest'), 3),
  rule(contains('claude-instant-1'), 3),
  rule(contains('claude-2'), 3),
  rule(contains('claude-3'), 5),
  rule((model) => model === 'gpt-3.5-turbo' || (gpt35(model) && model.endsWith('0125')), 3),
  rule((model) => gpt35(model) && model.endsWith('1106'), 2),
  rule(gpt35, 1.3333333333333333),
  rule(starts('mistral-'), 3),
  rule(starts('gemini-1.5', 'gemini-2.0'), 4),
  rule(starts('gemini-2.5-pro-preview'), 8),
  open(starts('gemini-'), 4),
  rule(is('command-r'), 3),
  rule(is('command-r-plus'), 5),
  rule(is('command-r-08-2024', 'command-r-plus-08-2024'), 4),
  open(starts('command'), 4),
  rule((model) => is('deepseek-chat', 'deepseek-reasoner')(model.toLowerCase()), 4),
  rule(starts('ERNIE-Speed-', 'ERNIE-Lite-', 'ERNIE-Character', 'ERNIE-Functions'), 2),
  rule(is('llama2-70b-4096'), 1.25),
  rule(is('llama3-8b-8192'), 2),
  rule(is('llama3-70b-8192'), 1.3389830508474576),
]

const nothingKnown = 1

/**
 * Price of completion tokens relative to prompt tokens by model name, where neither the operator nor a price list has one; 1 for unknown
 * names. The figures are those of April 2025. `model` is the wildcard for custom GPTs.
 */
export const completionRatioByName = (model: string): number =>
  rules.find(({ when }) => when(model))?.value ?? nothingKnown

/** The completion ratio that earlier versions billed whatever the option said; undefined where the option counted. */
export const formerlyFixedRatio = (model: string): number | undefined => {
  const found = rules.find(({ when }) => when(model))
  // A name with a vendor took the option's ratio first.
  return found?.wasFixed === true && !model.includes('/') ? found.value : undefined
}

/** Model name → completion ratio, as far as the built-in rules leave it open. */
export const completionRatios2025: Readonly<Record<string, number>> = {
  'gpt-4-gizmo-*': 2,
  'gpt-4o-gizmo-*': 3,
  'gpt-4-all': 2,
}
