import { models } from '../gateway.ts'
import { codeModel, embeddingModel, plainStep, rerankModel, sideModels, sideNames } from '../side-upstream.ts'

/** Checks and error classes that the Node and Python clients of one provider share. */

export const openaiErrors = {
  400: 'BadRequestError',
  401: 'AuthenticationError',
  429: 'RateLimitError',
  500: 'InternalServerError',
  503: 'InternalServerError',
} as const

export const anthropicErrors = {
  400: 'BadRequestError',
  401: 'AuthenticationError',
  429: 'RateLimitError',
  500: 'InternalServerError',
  503: 'ServiceUnavailableError|OverloadedError',
} as const

export const anthropicExtras = [
  { check: 'count', model: models.anthropic, expected: true },
  { check: 'models', model: models.anthropic, expected: true },
] as const

export const geminiExtras = [
  { check: 'count', model: models.gemini, expected: true },
  { check: 'embeddings', model: sideNames.geminiEmbedding, expected: [3, 3] },
  { check: 'models', model: models.gemini, expected: true },
] as const

export const cohereErrors = {
  400: 'BadRequestError',
  401: 'UnauthorizedError',
  429: 'TooManyRequestsError',
  500: 'InternalServerError',
  503: 'ServiceUnavailableError',
  broken: '.*Error',
} as const

export const cohereExtras = [
  { check: 'v1', model: sideModels('chat').plain, expected: plainStep.text },
  { check: 'embeddings', model: sideNames.cohereEmbedding, expected: [3, 3] },
  { check: 'rerank', model: rerankModel, expected: [1, 0] },
  { check: 'models', model: models.chat, expected: true },
] as const

export const mistralErrors = {
  400: 'SDKError',
  401: 'SDKError',
  429: 'SDKError',
  500: 'SDKError',
  503: 'SDKError',
  broken: '.*Error',
} as const

export const mistralExtras = [
  { check: 'embeddings', model: embeddingModel, expected: [3, 3] },
  { check: 'middle', model: codeModel, expected: 'return a + b' },
  { check: 'models', model: models.chat, expected: true },
] as const
