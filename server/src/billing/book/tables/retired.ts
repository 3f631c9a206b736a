import type { PriceRow } from '../price-table.ts'

/** Models that their makers no longer sell, at their last prices: compatible upstreams still answer to the names. */
export const retiredRows: readonly PriceRow[] = [
  {
    models: ['claude-instant-1.2', 'claude-instant-1'],
    provider: 'anthropic',
    source: 'https://www.anthropic.com/pricing (2024-11)',
    rates: { input: 0.8, output: 2.4 },
  },
  {
    models: ['davinci-002'],
    provider: 'openai',
    source: 'https://platform.openai.com/docs/pricing (2025-12)',
    rates: { input: 2, output: 2 },
  },
  {
    models: ['babbage-002'],
    provider: 'openai',
    source: 'https://platform.openai.com/docs/pricing (2025-12)',
    rates: { input: 0.4, output: 0.4 },
  },
  {
    models: ['command-a-reasoning-08-2025'],
    provider: 'cohere',
    source: 'https://cohere.com/pricing (2025-08)',
    rates: { input: 2.5, output: 10 },
  },
  {
    models: ['grok-beta', 'grok-vision-beta'],
    provider: 'x-ai',
    source: 'https://docs.x.ai/docs/models (2024-12)',
    rates: { input: 5, output: 15 },
  },
]
