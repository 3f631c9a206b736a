import type { PriceRow } from '../price-table.ts'
import { source as litellm } from './second-source/source.ts'

/** Rerankers, most of which are sold by the search: one query with up to a hundred documents. */
export const rerankRows: readonly PriceRow[] = [
  {
    models: ['rerank-v3.5', 'rerank-english-v3.0', 'rerank-multilingual-v3.0', 'rerank-v4.0-fast'],
    provider: 'cohere',
    source: litellm,
    rates: { queries: 2000 },
  },
  {
    models: ['rerank-v4.0-pro'],
    provider: 'cohere',
    source: 'https://cohere.com/pricing (2026-06)',
    rates: { queries: 2500 },
  },
  {
    models: ['cohere.rerank-v3-5:0'],
    provider: 'aws',
    source: litellm,
    rates: { queries: 2000 },
  },
  {
    models: ['amazon.rerank-v1:0'],
    provider: 'aws',
    source: litellm,
    rates: { queries: 1000 },
  },
  {
    models: ['jina-reranker-v2-base-multilingual', 'jina-reranker-v2'],
    provider: 'jina',
    source: litellm,
    rates: { input: 0.05 },
  },
]
