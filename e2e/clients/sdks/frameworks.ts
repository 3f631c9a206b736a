import { models } from '../gateway.ts'
import { sdkClient } from '../sdk.ts'
import { embeddingModel } from '../side-upstream.ts'
import { openaiErrors } from './checks.ts'

/** Frameworks for agents around the official clients, in Python. */

const langchainErrors = (client: 'OpenAI' | 'Anthropic') => ({
  400: `${client}InvalidRequestError`,
  401: `${client}AuthenticationError`,
  429: `${client}RateLimitError`,
  500: `${client}APIError`,
  503: `${client}(APIError|OverloadedError)`,
  broken: `${client}.*Error|APIStatusError|InternalServerError|APIError`,
})

const pydantic = (['chat', 'responses', 'anthropic'] as const).map((api) =>
  sdkClient({
    name: `Pydantic AI, ${api}`,
    registry: 'pypi',
    packages: ['pydantic-ai-slim[openai,anthropic]'],
    program: 'pydantic_agent.py',
    says: { api },
    shows: 'thoughts',
    errors: {
      400: 'ModelRequestRejectedError',
      401: 'ModelAuthenticationError',
      429: 'ModelRateLimitError',
      500: 'ModelServerError',
      503: 'Model(Overloaded|Unavailable)Error',
      broken: '.+(Error|Behavior)',
    },
  }),
)

const openaiAgents = (['chat', 'responses'] as const).map((api) =>
  sdkClient({
    name: `OpenAI Agents, ${api}`,
    registry: 'pypi',
    packages: ['openai-agents'],
    program: 'openai_agent.py',
    says: { api },
    shows: 'thoughts',
    errors: { ...openaiErrors, broken: 'APIError' },
  }),
)

const langchainOpenai = (['chat', 'responses'] as const).map((api) =>
  sdkClient({
    name: `langchain-openai, ${api}`,
    registry: 'pypi',
    packages: ['langchain-openai'],
    program: 'langchain_chat.py',
    says: { api },
    // Its chat completions leave `reasoning_content` out.
    ...(api === 'responses' ? { shows: 'thoughts' } : {}),
    errors: langchainErrors('OpenAI'),
    extras: api === 'chat' ? [{ check: 'embeddings', model: embeddingModel, expected: [3, 3] }] : [],
  }),
)

const langchainAnthropic = sdkClient({
  name: 'langchain-anthropic',
  registry: 'pypi',
  packages: ['langchain-anthropic'],
  program: 'langchain_chat.py',
  says: { api: 'anthropic' },
  shows: 'thoughts',
  errors: langchainErrors('Anthropic'),
  extras: [{ check: 'count', model: models.anthropic, expected: true }],
})

export const frameworks = [...pydantic, ...openaiAgents, ...langchainOpenai, langchainAnthropic]
