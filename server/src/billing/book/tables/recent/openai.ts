import type { PriceRow } from '../../price-table.ts'
import { source } from './source.ts'

export const openaiRows: readonly PriceRow[] = [
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
    tiers: { flex: 0.5, priority: 2 },
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
]
