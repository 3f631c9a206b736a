import { type PriceRow, yuan } from '../price-table.ts'
import { source as litellm } from './second-source/source.ts'

/** Embeddings, sold by the tokens of the text. */
export const embeddingRows: readonly PriceRow[] = [
  {
    models: [
      'embed-english-v3.0',
      'embed-multilingual-v3.0',
      'embed-english-light-v3.0',
      'embed-multilingual-light-v3.0',
    ],
    provider: 'cohere',
    source: litellm,
    rates: { input: 0.1 },
  },
  {
    models: ['cohere.embed-v4:0'],
    provider: 'aws',
    source: litellm,
    rates: { input: 0.12 },
  },
  {
    models: ['amazon.nova-2-multimodal-embeddings-v1:0'],
    provider: 'aws',
    source: litellm,
    rates: { input: 0.135 },
  },
  {
    models: ['text-embedding-004'],
    provider: 'google',
    source: litellm,
    rates: { input: 0.1 },
  },
  {
    models: ['text-embedding-v1', 'text-embedding-v2'],
    provider: 'alibaba',
    source: 'https://help.aliyun.com/zh/model-studio/billing-for-model-studio (2024-12)',
    rates: { input: yuan(0.7) },
  },
]
