import { type SecondSourceRow, source } from './source.ts'

/** LiteLLM's note on the release; the same figures as in the announcements of resellers that follow OpenAI's page. */
const newest = 'https://github.com/BerriAI/litellm/discussions/52347 (2026-11)'

export const openaiRows: readonly SecondSourceRow[] = [
  { models: ['chat-latest'], provider: 'openai', source, rates: { input: 5, cache_read: 0.5, output: 30 } },
  {
    models: ['daybreak-blue-latest', 'gpt-daybreak-blue-latest'],
    provider: 'openai',
    source,
    rates: { input: 4, cache_read: 0.4, cache_write: 5, output: 20 },
    contexts: [{ above: 272000, rates: { input: 8, cache_read: 0.8, cache_write: 10, output: 30 } }],
  },
  {
    models: ['daybreak-red-latest', 'gpt-5.6-cyber', 'gpt-daybreak-red-latest'],
    provider: 'openai',
    source,
    rates: { input: 12.5, cache_read: 1.25, cache_write: 15.625, output: 75 },
    contexts: [{ above: 272000, rates: { input: 25, cache_read: 2.5, cache_write: 31.25, output: 112.5 } }],
  },
  {
    models: ['gpt-5-search-api', 'gpt-5-search-api-2025-10-14'],
    provider: 'openai',
    source,
    rates: { input: 1.25, cache_read: 0.125, output: 10 },
  },
  {
    models: ['gpt-5.5-cyber', 'gpt-5.5-cyber-preview'],
    provider: 'openai',
    source,
    rates: { input: 12.5, cache_read: 1.25, output: 75 },
  },
  { models: ['gpt-6-astra-law'], provider: 'openai', source, rates: { input: 10, cache_read: 1, output: 50 } },
  {
    models: ['gpt-6-rosalind'],
    provider: 'openai',
    source,
    rates: { input: 15, cache_read: 1.5, cache_write: 18.75, output: 75 },
    contexts: [{ above: 272000, rates: { input: 30, cache_read: 3, cache_write: 37.5, output: 112.5 } }],
  },
  {
    models: ['gpt-6.1-sol'],
    provider: 'openai',
    source,
    rates: { input: 2, cache_read: 0.1, cache_write: 2.5, output: 10 },
    contexts: [{ above: 272000, rates: { input: 4, cache_read: 0.2, cache_write: 5, output: 15 } }],
    tiers: { flex: 0.5, priority: 2, ultrafast: 6 },
  },
  {
    // Four public statements of 17 and 18 November agree; writes and long prompts as in every model of the family.
    models: ['gpt-6.2-astra'],
    provider: 'openai',
    source: newest,
    rates: { input: 8, cache_read: 0.4, cache_write: 10, cache_write_1h: 20, output: 40 },
    contexts: [
      { above: 272000, rates: { input: 16, cache_read: 0.8, cache_write: 20, cache_write_1h: 40, output: 60 } },
    ],
  },
  {
    models: ['gpt-6.2-sol'],
    provider: 'openai',
    source: newest,
    rates: { input: 2, cache_read: 0.1, cache_write: 2.5, cache_write_1h: 5, output: 10 },
    contexts: [{ above: 272000, rates: { input: 4, cache_read: 0.2, cache_write: 5, cache_write_1h: 10, output: 15 } }],
  },
  {
    models: ['gpt-6.1-terra'],
    provider: 'openai',
    source,
    rates: { input: 1, cache_read: 0.05, cache_write: 1.25, output: 5 },
    contexts: [{ above: 272000, rates: { input: 2, cache_read: 0.1, cache_write: 2.5, output: 7.5 } }],
    tiers: { flex: 0.5, priority: 2 },
  },
  {
    models: ['gpt-rosalind-discovery', 'gpt-rosalind-research'],
    provider: 'openai',
    source,
    rates: { input: 5, cache_read: 0.5, output: 25 },
  },
  {
    models: ['chatgpt-image-latest'],
    provider: 'openai',
    source,
    rates: { input: 5, cache_read: 1.25, output: 10, image_input: 8, image_cache_read: 2, image_output: 32 },
  },
  {
    models: ['gpt-image-2.5-flare*', 'gpt-image-2.5-sunburst*'],
    provider: 'openai',
    source,
    rates: { input: 5, cache_read: 1.25, output: 30, image_input: 8, image_cache_read: 2 },
  },
  // A tuned model is named after the model that was tuned: `ft:gpt-4.1-2025-04-14:organisation:name:id`.
  {
    models: ['ft:gpt-4.1-2025-04-14*'],
    provider: 'openai',
    source,
    rates: { input: 3, cache_read: 0.75, output: 12 },
  },
  {
    models: ['ft:gpt-4.1-mini-2025-04-14*'],
    provider: 'openai',
    source,
    rates: { input: 0.8, cache_read: 0.2, output: 3.2 },
  },
  {
    models: ['ft:gpt-4.1-nano-2025-04-14*'],
    provider: 'openai',
    source,
    rates: { input: 0.2, cache_read: 0.05, output: 0.8 },
  },
  {
    models: ['ft:o4-mini-2025-04-16*'],
    provider: 'openai',
    source,
    rates: { input: 4, cache_read: 1, output: 16 },
  },
  { models: ['ft:babbage-002*'], provider: 'openai', source, rates: { input: 1.6, output: 1.6 } },
  { models: ['ft:davinci-002*'], provider: 'openai', source, rates: { input: 12, output: 12 } },
  {
    models: ['ft:gpt-4o-2024-08-06*'],
    provider: 'openai',
    source,
    isCorrection: true,
    rates: { input: 3.75, cache_read: 1.875, output: 15 },
  },
  {
    models: ['ft:gpt-4o-2024-11-20*'],
    provider: 'openai',
    source,
    isCorrection: true,
    rates: { input: 3.75, cache_read: 1.875, cache_write: 1.875, output: 15 },
  },
  {
    models: ['ft:gpt-4o-mini-2024-07-18*'],
    provider: 'openai',
    source,
    isCorrection: true,
    rates: { input: 0.3, cache_read: 0.15, output: 1.2 },
  },
]
