import { sdkClient } from '../sdk.ts'
import {
  anthropicErrors,
  anthropicExtras,
  cohereErrors,
  cohereExtras,
  geminiExtras,
  mistralErrors,
  mistralExtras,
} from './checks.ts'

/** Clients for Node of providers other than OpenAI. */

const anthropic = sdkClient({
  name: '@anthropic-ai/sdk',
  registry: 'npm',
  packages: ['@anthropic-ai/sdk'],
  program: 'anthropic_sdk.mjs',
  shows: 'thoughts',
  errors: { ...anthropicErrors, broken: 'APIError|InternalServerError' },
  extras: anthropicExtras,
})

const googleGenai = sdkClient({
  name: '@google/genai',
  registry: 'npm',
  packages: ['@google/genai'],
  program: 'google_genai.mjs',
  shows: 'thoughts',
  errors: { 400: 'ApiError', 401: 'ApiError', 429: 'ApiError', 500: 'ApiError', 503: 'ApiError', broken: 'ApiError' },
  extras: geminiExtras,
})

const callErrors = {
  400: '_?APICallError',
  401: '_?APICallError',
  429: '_?APICallError',
  500: '_?APICallError',
  503: '_?APICallError',
  broken: '.+',
}

const ai = (['openai-compatible', 'anthropic', 'google', 'deepseek'] as const).map((api) =>
  sdkClient({
    name: `AI SDK, ${api}`,
    registry: 'npm',
    packages: ['ai', '@ai-sdk/openai-compatible', '@ai-sdk/anthropic', '@ai-sdk/google', '@ai-sdk/deepseek'],
    program: 'ai_sdk.mjs',
    says: { api },
    shows: 'thoughts',
    errors: callErrors,
  }),
)

const mistral = sdkClient({
  name: '@mistralai/mistralai',
  registry: 'npm',
  packages: ['@mistralai/mistralai'],
  program: 'mistral_sdk.mjs',
  errors: mistralErrors,
  extras: mistralExtras,
})

const cohere = sdkClient({
  name: 'cohere-ai',
  registry: 'npm',
  packages: ['cohere-ai'],
  program: 'cohere_sdk.mjs',
  shows: 'thoughts',
  errors: cohereErrors,
  extras: cohereExtras,
})

export const nodeSdks = [anthropic, googleGenai, ...ai, mistral, cohere]
