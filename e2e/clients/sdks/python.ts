import { models } from '../gateway.ts'
import { sdkClient } from '../sdk.ts'
import { embeddingModel, sideNames } from '../side-upstream.ts'
import {
  anthropicErrors,
  anthropicExtras,
  cohereErrors,
  cohereExtras,
  geminiExtras,
  mistralErrors,
  mistralExtras,
} from './checks.ts'

/** Clients for Python of providers other than OpenAI. */

const anthropic = sdkClient({
  name: 'anthropic for Python',
  registry: 'pypi',
  packages: ['anthropic'],
  program: 'anthropic_sdk.py',
  shows: 'thoughts',
  errors: { ...anthropicErrors, broken: 'APIStatusError|InternalServerError|APIError' },
  extras: anthropicExtras,
})

const googleGenai = sdkClient({
  name: 'google-genai for Python',
  registry: 'pypi',
  packages: ['google-genai'],
  program: 'google_genai.py',
  shows: 'thoughts',
  errors: {
    400: 'ClientError',
    401: 'ClientError',
    429: 'ClientError',
    500: 'ServerError',
    503: 'ServerError',
    broken: 'ServerError|APIError|UnknownApiResponseError',
  },
  extras: geminiExtras,
})

const cohere = sdkClient({
  name: 'cohere for Python',
  registry: 'pypi',
  packages: ['cohere'],
  program: 'cohere_sdk.py',
  shows: 'thoughts',
  errors: cohereErrors,
  extras: cohereExtras,
})

const voyage = sdkClient({
  name: 'voyageai for Python',
  registry: 'pypi',
  packages: ['voyageai'],
  program: 'voyage_sdk.py',
  talks: false,
  upstreams: ['chat'],
  extras: [
    { check: 'embeddings', model: embeddingModel, expected: [[3, 3], 7] },
    {
      check: 'rerank',
      model: sideNames.voyageRerank,
      expected: [
        [1, 'b'],
        [0, 'a'],
      ],
    },
    { check: 'wrong key', model: embeddingModel, expected: 'AuthenticationError' },
  ],
})

const mistral = sdkClient({
  name: 'mistralai for Python',
  registry: 'pypi',
  packages: ['mistralai'],
  program: 'mistral_sdk.py',
  errors: mistralErrors,
  extras: mistralExtras,
})

const huggingface = sdkClient({
  name: 'huggingface_hub for Python',
  registry: 'pypi',
  packages: ['huggingface_hub'],
  program: 'huggingface.py',
  shows: 'thoughts',
  errors: {
    400: 'BadRequestError',
    401: 'HfHubHTTPError',
    429: 'HfHubHTTPError',
    500: 'HfHubHTTPError',
    503: 'HfHubHTTPError|InferenceTimeoutError',
    broken: '.*Error',
  },
})

const bedrock = sdkClient({
  name: 'boto3, bedrock-runtime',
  registry: 'pypi',
  packages: ['boto3'],
  program: 'bedrock.py',
  shows: 'thoughts',
  errors: {
    400: 'ValidationException',
    401: 'UnrecognizedClientException|AccessDeniedException|ClientError',
    429: 'ThrottlingException',
    500: 'InternalServerException',
    503: 'ServiceUnavailableException',
    broken: 'EventStreamError',
  },
})

const ark = (['chat', 'responses'] as const).map((api) =>
  sdkClient({
    name: `Ark for Python, ${api}`,
    registry: 'pypi',
    packages: ['volcengine-ark-runtime'],
    program: 'ark_sdk.py',
    says: { api },
    shows: 'thoughts',
    errors: {
      400: 'ArkBadRequestError',
      401: 'ArkAuthenticationError',
      429: 'ArkRateLimitError',
      500: 'ArkInternalServerError',
      503: 'ArkInternalServerError',
      broken: 'ArkAPIError',
    },
    extras: api === 'chat' ? [{ check: 'embeddings', model: embeddingModel, expected: [[3, 3], 7] }] : [],
  }),
)

const gigachat = sdkClient({
  name: 'gigachat for Python',
  registry: 'pypi',
  packages: ['gigachat'],
  program: 'gigachat_sdk.py',
  calls: false,
  errors: {
    400: 'BadRequestError',
    401: 'AuthenticationError',
    429: 'RateLimitError',
    500: 'ServerError',
    503: 'ServerError',
    broken: '.*Error',
  },
  extras: [{ check: 'models', model: models.chat, expected: true }],
})

export const pythonSdks = [anthropic, googleGenai, cohere, voyage, mistral, huggingface, bedrock, ...ark, gigachat]
