import type { Disagreement } from './disagreement.ts'

/** Models on the services of their makers. */
export const makers: readonly Disagreement[] = [
  {
    follow: 'catalogue',
    why: 'No page says that the catalogue is wrong.',
    models: {
      'gemini/gemini-2.5-pro-preview-tts': { cache_read: [1, 0.125] },
      'mistral/mistral-tiny': { cache_read: [0.25, 0.025] },
      'mistral/open-mistral-nemo': { input: [0.15, 0.3], output: [0.15, 0.3], cache_read: [0.15, 0.03] },
      'mistral/pixtral-large-latest': { cache_read: [2, 0.2] },
    },
  },
  {
    follow: 'catalogue',
    why: 'OpenAI lists no cache for it.',
    models: {
      'gpt-4o-search-preview': { cache_read: [2.5, 1.25] },
      'gpt-4o-search-preview-2025-03-11': { cache_read: [2.5, 1.25] },
    },
  },
  {
    follow: 'catalogue',
    why: 'The price of the maker’s own service counts.',
    models: {
      'gemini-2.5-pro-preview-tts': { cache_read: [1, 0.125] },
      'vertex_ai/claude-3-5-haiku': { input: [0.8, 1], output: [4, 5] },
      'vertex_ai/claude-3-5-haiku@20241022': { input: [0.8, 1], output: [4, 5] },
      'vertex_ai/gemini-2.0-flash': { input: [0.1, 0.15], output: [0.4, 0.6] },
      'vertex_ai/gemma-4-26b-a4b-it': { input: [0, 0.15], output: [0, 0.6], cache_read: [0, 0.015] },
    },
  },
  {
    follow: 'catalogue',
    why: 'The second source has no price.',
    models: {
      'kimi-k2-thinking-251104': { input: [0.57, 0], output: [2.3, 0] },
    },
  },
  {
    follow: 'provider',
    why: 'DeepSeek’s own page counts, which asks by the hour.',
    models: {
      'azure_ai/DeepSeek-V4-Flash-0731': { input: [0.22, 0.44], output: [0.66, 1.32], cache_read: [0.007, 0.014] },
      'azure_ai/deepseek-v3.2': { input: [0.2288, 0.58], output: [0.3432, 1.68] },
      'azure_ai/deepseek-v4-flash': { input: [0.22, 0.19], output: [0.66, 0.51], cache_read: [0.007, 0.028] },
      'azure_ai/deepseek-v4-pro': { input: [0.66, 1.74], output: [1.98, 3.48], cache_read: [0.022, 0.145] },
      'deepseek-chat': { input: [0.27, 0.28], output: [1.1, 0.42], cache_read: [0.07, 0.028] },
      'deepseek-reasoner': { input: [0.55, 0.28], output: [2.19, 0.42], cache_read: [0.14, 0.028] },
      'deepseek-v4-flash': { input: [0.22, 0.3], output: [0.66, 1.2], cache_read: [0.007, 0.006] },
      'deepseek-v4-flash-vision-exp': { input: [0.22, 0.3], output: [0.66, 1.2], cache_read: [0.007, 0.006] },
      'deepseek-v4-pro': { input: [0.66, 1.32], output: [1.98, 3.96], cache_read: [0.022, 0.044] },
      'deepseek/deepseek-chat': { input: [0.27, 0.28], output: [1.1, 0.42], cache_read: [0.07, 0.028] },
      'deepseek/deepseek-reasoner': { input: [0.55, 0.28], output: [2.19, 0.42], cache_read: [0.14, 0.028] },
      'deepseek/deepseek-v3.2': { input: [0.2288, 0.28], output: [0.3432, 0.4], cache_read: [0.2288, 0.028] },
      'deepseek/deepseek-v4-flash': { input: [0.22, 0.3], output: [0.66, 1.2], cache_read: [0.007, 0.006] },
      'deepseek/deepseek-v4-flash-vision-exp': { input: [0.22, 0.3], output: [0.66, 1.2], cache_read: [0.007, 0.006] },
      'deepseek/deepseek-v4-pro': { input: [0.66, 1.32], output: [1.98, 3.96], cache_read: [0.022, 0.044] },
    },
  },
  {
    follow: 'second source',
    why: 'OpenAI lists a price for the cache of tuned models.',
    models: {
      'ft:gpt-4o-2024-08-06': { cache_read: [3.75, 1.875] },
      'ft:gpt-4o-2024-11-20': { cache_write: [3.75, 1.875] },
      'ft:gpt-4o-mini-2024-07-18': { cache_read: [0.3, 0.15] },
    },
  },
  {
    follow: 'second source',
    why: 'The alias means a newer model, or the catalogue lacks its cache.',
    models: {
      'mistral/codestral-latest': { cache_read: [0.3, 0.03] },
      'mistral/devstral-small-latest': { cache_read: [0.1, 0.01] },
      'mistral/magistral-medium-latest': { input: [2, 1.5], output: [5, 7.5], cache_read: [2, 0.15] },
      'mistral/magistral-small-latest': { input: [0.5, 0.15], output: [1.5, 0.6], cache_read: [0.5, 0.015] },
      'mistral/ministral-3b-latest': { input: [0.04, 0.1], output: [0.04, 0.1], cache_read: [0.04, 0.01] },
      'mistral/mistral-large-latest': { input: [2, 0.5], output: [6, 1.5], cache_read: [2, 0.05] },
      'mistral/mistral-medium': { input: [0.4, 1.5], output: [2, 7.5], cache_read: [0.04, 0.15] },
      'mistral/mistral-small-latest': { input: [0.1, 0.15], output: [0.3, 0.6], cache_read: [0.1, 0.015] },
    },
  },
  {
    follow: 'second source',
    why: 'The catalogue has an introductory price that ended in September.',
    models: {
      'zai/glm-5.3-flash': { input: [0.075, 0.15], output: [0.25, 0.5], cache_read: [0.015, 0.03] },
    },
  },
  {
    follow: 'second source',
    why: 'The catalogue has an older price.',
    models: {
      'azure_ai/claude-sonnet-5-5': { cache_read: [0.2, 0.1] },
      'claude-sonnet-5-5': { cache_read: [0.2, 0.1] },
      'xai/grok-4.20-multi-agent': { input: [2, 1.25], output: [6, 2.5] },
      'xai/grok-4.20-multi-agent-latest': { input: [2, 1.25], output: [6, 2.5] },
      'xai/grok-code-fast': { input: [0.2, 1], output: [1.5, 2], cache_read: [0.02, 0.2] },
      'xai/grok-code-fast-1': { input: [0.2, 1], output: [1.5, 2], cache_read: [0.02, 0.2] },
      'xai/grok-code-fast-1-0825': { input: [0.2, 1], output: [1.5, 2], cache_read: [0.02, 0.2] },
    },
  },
  {
    follow: 'second source',
    why: 'The catalogue takes the name for another model.',
    models: {
      'gemini-3.8-flash-cyber': { input: [0.75, 1.5], output: [3.75, 7.5], cache_read: [0.075, 0.15] },
      'gemini-pro-latest': { input: [0.125, 2], output: [0.375, 12], cache_read: [0.125, 0.2] },
      'gemini/gemini-pro-latest': { input: [0.125, 2], output: [0.375, 12], cache_read: [0.125, 0.2] },
      'groq/openai/gpt-oss-safeguard-20b': { input: [0.15, 0.075], output: [0.6, 0.3], cache_read: [0.075, 0.037] },
      'vertex_ai/gemini-3.8-flash-cyber': { input: [0.75, 1.5], output: [3.75, 7.5], cache_read: [0.075, 0.15] },
    },
  },
]
