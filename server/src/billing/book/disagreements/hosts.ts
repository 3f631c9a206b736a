import type { Disagreement } from './disagreement.ts'

/** Open models on services that host them. */
export const hosts: readonly Disagreement[] = [
  {
    follow: 'catalogue',
    why: 'Hosts change their prices often, and no page of theirs was read.',
    models: {
      'deepinfra/anthropic/claude-3-7-sonnet-latest': { input: [3, 3.3], output: [15, 16.5], cache_read: [0.3, 0.33] },
      'deepinfra/anthropic/claude-4-opus': { input: [15, 16.5], output: [75, 82.5] },
      'deepinfra/anthropic/claude-4-sonnet': { input: [3, 3.3], output: [15, 16.5] },
      'fireworks_ai/accounts/fireworks/models/deepseek-v4-flash-0731': {
        input: [0.14, 0.22],
        output: [0.28, 0.66],
        cache_read: [0.028, 0.007],
      },
      'fireworks_ai/accounts/fireworks/models/deepseek-v4-pro': {
        input: [1.74, 1.2],
        output: [3.48, 1.2],
        cache_read: [0.145, 0.6],
      },
      'fireworks_ai/accounts/fireworks/models/gemma-3-27b-it': { input: [0.1, 0.9], output: [0.1, 0.9] },
      'fireworks_ai/accounts/fireworks/models/glm-4p7': { cache_read: [0.6, 0.3] },
      'fireworks_ai/accounts/fireworks/models/gpt-oss-120b': { cache_read: [0.014, 0.015] },
      'fireworks_ai/accounts/fireworks/models/llama-v3p1-8b-instruct': { input: [0.2, 0.1], output: [0.2, 0.1] },
      'fireworks_ai/accounts/fireworks/models/minimax-m2p1': { cache_read: [0.3, 0.03] },
      'fireworks_ai/accounts/fireworks/routers/kimi-k3-us': {
        input: [3.3, 4.5],
        output: [16.5, 22.5],
        cache_read: [0.33, 0.45],
      },
      'novita/meta-llama/llama-3.1-8b-instruct': { input: [0.05, 0.02] },
      'novita/meta-llama/llama-3.3-70b-instruct': { input: [0.39, 0.135], output: [0.39, 0.4] },
      'novita/mistralai/mistral-nemo': { input: [0.17, 0.04] },
      'together_ai/NousResearch/Nous-Hermes-2-Mixtral-8x7B-DPO': { input: [0.9, 0.6], output: [0.9, 0.6] },
      'together_ai/meta-llama/Llama-3.3-70B-Instruct-Turbo': { input: [0.88, 1.04], output: [0.88, 1.04] },
      'together_ai/mistralai/Mixtral-8x7B-Instruct-v0.1': { input: [0.9, 0.6], output: [0.9, 0.6] },
    },
  },
  {
    follow: 'catalogue',
    why: 'The provider’s page rounds as the catalogue does, and names other prices for these models.',
    models: {
      'cloudflare/@cf/meta/llama-2-7b-chat-fp16': { input: [0.556, 1.923], output: [6.667, 1.923] },
      'cloudflare/@cf/meta/llama-3.2-11b-vision-instruct': { input: [0.049, 0.0485] },
      'cloudflare/@cf/meta/llama-3.2-3b-instruct': { input: [0.051, 0.0509] },
      'cloudflare/@cf/mistral/mistral-7b-instruct-v0.1': { input: [0.11, 1.923], output: [0.19, 1.923] },
      'cloudflare/@cf/qwen/qwen3-30b-a3b-fp8': { input: [0.051, 0.0509] },
      'cloudflare/@cf/zai-org/glm-4.7-flash': { input: [0.06, 0.0605] },
    },
  },
]
