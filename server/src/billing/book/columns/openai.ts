import type { PriceColumns } from './column-rows.ts'

export const openaiColumns: readonly PriceColumns[] = [
  {
    provider: 'openai',
    models: ['chatgpt-image-latest', 'gpt-image-1', 'gpt-image-1.5'],
    usual: 5,
    tiers: [{ names: ['batch', 'batches'], rates: { cache_read: 0.63 } }],
  },
  {
    provider: 'openai',
    models: ['ft:gpt-4.1-2025-04-14*'],
    usual: 3,
    tiers: [{ names: ['batch', 'batches'], rates: { cache_read: 0.5 } }],
  },
  {
    provider: 'openai',
    models: ['ft:gpt-4o-2024-08-06*'],
    usual: 3.75,
    tiers: [{ names: ['batch', 'batches'], rates: { output: 12.5, input: 2.225, cache_read: 0.9 } }],
  },
  {
    provider: 'openai',
    models: ['gpt-3.5-turbo-1106'],
    usual: 1,
    tiers: [{ names: ['batch', 'batches'], rates: { output: 2, input: 1 } }],
  },
  {
    provider: 'openai',
    models: ['gpt-4o-mini'],
    usual: 0.15,
    tiers: [{ names: ['priority', 'fast'], rates: { output: 1, input: 0.25, cache_read: 0.125 } }],
  },
  {
    provider: 'openai',
    models: ['gpt-5.4'],
    usual: 2.5,
    tiers: [{ names: ['batch', 'batches', 'flex'], rates: { cache_read: 0.13 } }],
  },
  { provider: 'openai', models: ['gpt-5.6-cyber'], usual: 12.5, longWrites: { 0: 31.25, 272000: 31.25 } },
  { provider: 'openai', models: ['gpt-5.6-luna'], usual: 0.2, longWrites: { 0: 0.5, 271999: 1 } },
  { provider: 'openai', models: ['gpt-5.6-sol'], usual: 4, longWrites: { 0: 10, 271999: 20 } },
  { provider: 'openai', models: ['gpt-5.6-terra'], usual: 2, longWrites: { 0: 5, 271999: 10 } },
  { provider: 'openai', models: ['gpt-6-astra'], usual: 10, longWrites: { 0: 25, 271999: 50 } },
  { provider: 'openai', models: ['gpt-6-luna'], usual: 0.1, longWrites: { 0: 0.25, 272000: 0.5 } },
  { provider: 'openai', models: ['gpt-6-rosalind'], usual: 15, longWrites: { 0: 37.5, 272000: 75 } },
  { provider: 'openai', models: ['gpt-6-sol', 'gpt-6.1-sol'], usual: 2, longWrites: { 0: 5, 272000: 10 } },
  { provider: 'openai', models: ['gpt-6.1-terra'], usual: 1, longWrites: { 0: 2.5, 272000: 5 } },
  {
    provider: 'openai',
    models: ['o4-mini'],
    usual: 1.1,
    tiers: [
      { names: ['flex'], rates: { cache_read: 0.138 } },
      { names: ['priority', 'fast'], rates: { output: 8, input: 2, cache_read: 0.5 } },
    ],
  },
  {
    provider: 'openai',
    models: ['text-embedding-ada-002'],
    usual: 0.1,
    tiers: [{ names: ['batch', 'batches'], rates: { input: 0.05 } }],
  },
]
