import type { Disagreement } from './disagreement.ts'

/** Models on Azure. */
export const azure: readonly Disagreement[] = [
  {
    follow: 'catalogue',
    why: 'Azure asks what the maker asks; regions and partners’ models differ, and no page of theirs was read.',
    models: {
      'azure/command-r-plus': { input: [2.5, 3], output: [10, 15] },
      'azure/eu/o4-mini': { input: [1.1, 1.21], output: [4.4, 4.84], cache_read: [0.28, 0.303] },
      'azure/eu/o4-mini-2025-04-16': { input: [1.1, 1.21], output: [4.4, 4.84], cache_read: [0.28, 0.303] },
      'azure/gpt-4-turbo': { input: [10, 11], output: [30, 33] },
      'azure/gpt-4-turbo-2024-04-09': { input: [10, 11], output: [30, 33] },
      'azure/gpt-5.4-pro': { cache_read: [30, 3] },
      'azure/gpt-5.4-pro-2026-03-05': { cache_read: [30, 3] },
      'azure/gpt-5.5-pro': { cache_read: [30, 3] },
      'azure/gpt-5.5-pro-2026-04-23': { cache_read: [30, 3] },
      'azure/o4-mini': { cache_read: [0.28, 0.275] },
      'azure/o4-mini-2025-04-16': { cache_read: [0.28, 0.275] },
      'azure/us/o4-mini': { input: [1.1, 1.21], output: [4.4, 4.84], cache_read: [0.28, 0.303] },
      'azure/us/o4-mini-2025-04-16': { input: [1.1, 1.21], output: [4.4, 4.84], cache_read: [0.28, 0.303] },
      'azure_ai/Phi-3-medium-128k-instruct': { input: [1, 0.17], output: [1, 0.68] },
      'azure_ai/Phi-3-mini-128k-instruct': { input: [0.1, 0.13], output: [0.1, 0.52] },
      'azure_ai/Phi-4': { input: [0.07, 0.125], output: [0.14, 0.5] },
      'azure_ai/Phi-4-mini-instruct': { input: [0.08, 0.075], output: [0.35, 0.3] },
      'azure_ai/Phi-4-multimodal-instruct': { input: [0.05, 0.08], output: [0.1, 0.32] },
      'azure_ai/deepseek-r1': { input: [0.55, 1.35], output: [2.19, 5.4] },
      'azure_ai/gpt-5.4-pro': { cache_read: [30, 3] },
      'azure_ai/gpt-5.4-pro-2026-03-05': { cache_read: [30, 3] },
      'azure_ai/gpt-oss-120b': { input: [0.039, 0.15], output: [0.18, 0.6] },
      'azure_ai/grok-3-mini': { input: [0.3, 0.25], output: [0.5, 1.27] },
      'azure_ai/mistral-large': { input: [2, 4], output: [6, 12] },
    },
  },
  {
    follow: 'provider',
    why: 'Azure asks what the maker asks for the model that the alias means today.',
    models: {
      'azure/mistral-large-latest': { input: [2, 8], output: [6, 24] },
    },
  },
]
