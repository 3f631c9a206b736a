import { models } from '../gateway.ts'
import { sdkClient } from '../sdk.ts'
import { embeddingModel } from '../side-upstream.ts'
import { openaiErrors } from './checks.ts'

const errors = { ...openaiErrors, broken: 'APIError' }

const chat = [
  { check: 'embeddings', model: embeddingModel, expected: [[3, 3], 7] },
  { check: 'models', model: models.chat, expected: true },
]
const responses = [{ check: 'count', model: models.chat, expected: true }]

const languages = [
  { name: 'openai for Python', registry: 'pypi', program: 'openai_sdk.py' },
  { name: 'openai for Node', registry: 'npm', program: 'openai_sdk.mjs' },
] as const

export const openaiSdks = languages.flatMap(({ name, registry, program }) => {
  const common = { registry, packages: ['openai'], program, errors, shows: 'thoughts' } as const
  return [
    sdkClient({ ...common, name: `${name}, chat`, says: { api: 'chat' }, extras: chat }),
    sdkClient({ ...common, name: `${name}, responses`, says: { api: 'responses' }, extras: responses }),
  ]
})
