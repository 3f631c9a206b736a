import { models } from '../gateway.ts'
import { sdkClient } from '../sdk.ts'
import { codeModel, embeddingModel, plainStep, rerankModel, sideModels, sideNames } from '../side-upstream.ts'

/** Clients for Node of providers other than OpenAI. */

const anthropic = sdkClient({
  name: '@anthropic-ai/sdk',
  registry: 'npm',
  packages: ['@anthropic-ai/sdk'],
  program: 'anthropic_sdk.mjs',
  shows: 'thoughts',
  errors: {
    400: 'BadRequestError',
    401: 'AuthenticationError',
    429: 'RateLimitError',
    500: 'InternalServerError',
    503: 'ServiceUnavailableError|OverloadedError',
    broken: 'APIError|InternalServerError',
  },
  extras: [
    { check: 'count', model: models.anthropic, expected: true },
    { check: 'models', model: models.anthropic, expected: true },
  ],
})

const googleGenai = sdkClient({
  name: '@google/genai',
  registry: 'npm',
  packages: ['@google/genai'],
  program: 'google_genai.mjs',
  shows: 'thoughts',
  errors: { 400: 'ApiError', 401: 'ApiError', 429: 'ApiError', 500: 'ApiError', 503: 'ApiError', broken: 'ApiError' },
  extras: [
    { check: 'count', model: models.gemini, expected: true },
    { check: 'embeddings', model: sideNames.geminiEmbedding, expected: [3, 3] },
    { check: 'models', model: models.gemini, expected: true },
  ],
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
  errors: { 400: 'SDKError', 401: 'SDKError', 429: 'SDKError', 500: 'SDKError', 503: 'SDKError', broken: '.*Error' },
  extras: [
    { check: 'embeddings', model: embeddingModel, expected: [3, 3] },
    { check: 'middle', model: codeModel, expected: 'return a + b' },
    { check: 'models', model: models.chat, expected: true },
  ],
})

const cohere = sdkClient({
  name: 'cohere-ai',
  registry: 'npm',
  packages: ['cohere-ai'],
  program: 'cohere_sdk.mjs',
  shows: 'thoughts',
  errors: {
    400: 'BadRequestError',
    401: 'UnauthorizedError',
    429: 'TooManyRequestsError',
    500: 'InternalServerError',
    503: 'ServiceUnavailableError',
    broken: '.*Error',
  },
  extras: [
    { check: 'v1', model: sideModels('chat').plain, expected: plainStep.text },
    { check: 'embeddings', model: sideNames.cohereEmbedding, expected: [3, 3] },
    { check: 'rerank', model: rerankModel, expected: [1, 0] },
    { check: 'models', model: models.chat, expected: true },
  ],
})

export const nodeSdks = [anthropic, googleGenai, ...ai, mistral, cohere]
