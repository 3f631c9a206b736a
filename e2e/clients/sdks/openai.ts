import { models } from '../gateway.ts'
import { sdkClient } from '../sdk.ts'
import { embeddingModel } from '../side-upstream.ts'

const errors = {
  400: 'BadRequestError',
  401: 'AuthenticationError',
  429: 'RateLimitError',
  500: 'InternalServerError',
  503: 'InternalServerError',
  broken: 'APIError',
}

const extras = [
  { check: 'embeddings', model: embeddingModel, expected: [[3, 3], 7] },
  { check: 'models', model: models.chat, expected: true },
]

const python = { registry: 'pypi', packages: ['openai'], program: 'openai_sdk.py', errors, shows: 'thoughts' } as const

export const openaiSdks = [
  sdkClient({ ...python, name: 'openai for Python, chat', says: { api: 'chat' }, extras }),
  sdkClient({
    ...python,
    name: 'openai for Python, responses',
    says: { api: 'responses' },
    extras: [{ check: 'count', model: models.chat, expected: true }],
  }),
]
