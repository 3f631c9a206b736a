import type { PriceRow } from '../../price-table.ts'
import { source } from './source.ts'

export const mistralRows: readonly PriceRow[] = [
  {
    models: ['codestral-mamba-latest'],
    provider: 'mistral',
    source,
    rates: { input: 0.25, cache_read: 0.025, output: 0.25 },
  },
  {
    models: ['deepseek-v4-1-flash-1017'],
    provider: 'mistral',
    source,
    rates: { input: 0.3, cache_read: 0.007, output: 1.2 },
  },
  {
    models: ['devstral-latest', 'devstral-medium-latest', 'mistral-code-agent-latest'],
    provider: 'mistral',
    source,
    rates: { input: 0.4, cache_read: 0.04, output: 2 },
  },
  {
    models: ['glm-5-2', 'zai-glm-5', 'zai-glm-5-2', 'zai-glm-5-3', 'zai-glm-latest'],
    provider: 'mistral',
    source,
    rates: { input: 1.4, cache_read: 0.14, output: 4.4 },
  },
  {
    models: ['labs-leanstral-1-5', 'labs-leanstral-1-5-1'],
    provider: 'mistral',
    source,
    rates: { input: 0, output: 0 },
  },
  {
    models: ['ministral-14b-latest', 'ministral-3-14b-2512'],
    provider: 'mistral',
    source,
    rates: { input: 0.2, cache_read: 0.02, output: 0.2 },
  },
  {
    models: ['ministral-3-3b-2512'],
    provider: 'mistral',
    source,
    rates: { input: 0.1, cache_read: 0.01, output: 0.1 },
  },
  {
    models: ['ministral-3-8b-2512'],
    provider: 'mistral',
    source,
    rates: { input: 0.15, cache_read: 0.015, output: 0.15 },
  },
  {
    models: ['mistral-code-fim-latest', 'mistral-code-latest'],
    provider: 'mistral',
    source,
    rates: { input: 0.3, cache_read: 0.03, output: 0.9 },
  },
  { models: ['mistral-large-3'], provider: 'mistral', source, rates: { input: 0.5, cache_read: 0.05, output: 1.5 } },
  {
    models: ['mistral-large-4', 'mistral-large-4-0'],
    provider: 'mistral',
    source,
    rates: { input: 1.36, cache_read: 0.14, output: 4.18 },
  },
  {
    models: ['mistral-medium-2604', 'mistral-vibe-cli-latest', 'mistral-vibe-cli-with-tools'],
    provider: 'mistral',
    source,
    rates: { input: 1.5, cache_read: 0.15, output: 7.5 },
  },
  { models: ['mistral-small'], provider: 'mistral', source, rates: { input: 0.1, cache_read: 0.01, output: 0.3 } },
  {
    models: ['mistral-vibe-cli-fast'],
    provider: 'mistral',
    source,
    rates: { input: 0.15, cache_read: 0.015, output: 0.6 },
  },
  { models: ['zai-glm-5-3-flash'], provider: 'mistral', source, rates: { input: 0.15, cache_read: 0.03, output: 0.5 } },
]
