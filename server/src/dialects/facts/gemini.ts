import type { GeminiFacts, ModelFacts } from './model-facts.ts'

/** Google's models, at AI Studio, Vertex and elsewhere. */

const source = 'https://ai.google.dev/gemini-api/docs/thinking'
const read = '2026-11-29'

const plain: GeminiFacts = { thinks: false, canStop: true }
/** Budgets of Gemini 3 are there for clients of earlier models only. */
const proBudget = { least: 128, most: 32_768 } as const
const flashBudget = { least: 1, most: 24_576 } as const
/** Levels, which cannot be switched off. */
const pro: GeminiFacts = { thinks: true, canStop: false, levels: ['low', 'medium', 'high'], budget: proBudget }
const flash: GeminiFacts = {
  thinks: true,
  canStop: false,
  levels: ['minimal', 'low', 'medium', 'high'],
  budget: flashBudget,
}

/** OpenAI's form of the API takes `reasoning_effort` (ai.google.dev/gemini-api/docs/openai#thinking). */
const asked = ({
  levels = ['minimal', 'low', 'medium', 'high'],
  canStop,
}: GeminiFacts): Pick<ModelFacts, 'thinking'> => ({
  thinking: {
    when: canStop ? 'default' : 'always',
    switch: 'reasoning_effort',
    efforts: canStop ? ['none', ...levels] : levels,
  },
})

/** The least prompts that are cached are in ai.google.dev/gemini-api/docs/caching. */
export const geminiModels: readonly ModelFacts[] = [
  {
    models: /gemini-(1(?!\d)|2\.0|.*(embedding|tts|transcribe))|gemini-2\.5-flash-image/,
    source,
    read,
    thinking: { when: 'never', switch: 'reasoning_effort' },
    gemini: plain,
  },
  {
    models: /gemini-2\.5-pro/,
    source,
    read,
    ...asked({ ...plain, canStop: false }),
    gemini: { thinks: true, canStop: false, budget: proBudget },
    cacheMinimum: 4096,
  },
  {
    models: /gemini-2\.5-flash-lite/,
    source,
    read,
    ...asked(plain),
    gemini: { thinks: true, canStop: true, budget: { least: 512, most: 24_576 } },
    cacheMinimum: 1024,
  },
  {
    models: /gemini-2\.5/,
    source,
    read,
    ...asked(plain),
    gemini: { thinks: true, canStop: true, budget: flashBudget },
    cacheMinimum: 1024,
  },
  {
    models: /gemini-3-pro/,
    source,
    read,
    ...asked({ ...pro, levels: ['low', 'high'] }),
    gemini: { ...pro, levels: ['low', 'high'] },
    cacheMinimum: 4096,
  },
  { models: /gemini-.*flash/, source, read, ...asked(flash), gemini: flash, cacheMinimum: 1024 },
  { models: /gemini-exp|gemini-(\d[^-]*-)?(ultra|nano)/, source, read },
  { models: /gemini-(\d|pro|ultra)/, source, read, ...asked(pro), gemini: pro, cacheMinimum: 4096 },
]

/** Models of others that are called in Google's dialect, and Google's open models. */
export const notGemini: GeminiFacts = { thinks: true, canStop: true }
