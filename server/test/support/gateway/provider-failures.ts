/** How providers say what went wrong, each in its own way. */

export type Situation = 'wrong key' | 'spent' | 'rate limit' | 'overload' | 'no model' | 'bad request'

export interface ProviderFailure {
  readonly status: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Status that the caller gets, if it differs. */
  readonly expectedStatus?: number
  /** True if the answer asks the caller to come back after seven seconds. */
  readonly waits?: true
}

/** A provider says nothing of a kind where it has no word for it. */
export type ProviderFailures = Readonly<Partial<Record<Situation, ProviderFailure>>>

const soon = { 'retry-after': '7' }

const waiting = (headers: object): { waits?: true } => (headers === soon ? { waits: true } : {})

/** platform.openai.com/docs/guides/error-codes; most providers took the form over. */
export const openaiSayings = (key: string): ProviderFailures => {
  const say = (status: number, message: string, type: string, code: string | null, headers = {}): ProviderFailure => ({
    status,
    ...waiting(headers),
    body: { error: { message, type, param: null, code } },
    headers,
  })
  return {
    'wrong key': say(401, `Incorrect API key provided: ${key}.`, 'invalid_request_error', 'invalid_api_key'),
    spent: say(429, 'You exceeded your current quota.', 'insufficient_quota', 'insufficient_quota'),
    'rate limit': say(
      429,
      'Rate limit reached in organization org-Ab12Cd34Ef56.',
      'requests',
      'rate_limit_exceeded',
      soon,
    ),
    overload: say(503, 'The engine is overloaded.', 'server_error', null),
    'no model': say(
      404,
      'The model `m` does not exist or project proj_Ab12Cd34Ef56 may not use it.',
      'invalid_request_error',
      'model_not_found',
    ),
    'bad request': say(400, 'Invalid value for temperature.', 'invalid_request_error', 'invalid_value'),
  }
}

/** platform.claude.com/docs/en/api/errors. */
const anthropic = (): ProviderFailures => {
  const say = (status: number, type: string, message: string, headers = {}): ProviderFailure => ({
    status,
    ...waiting(headers),
    body: { type: 'error', error: { type, message }, request_id: 'req_1' },
    headers,
  })
  return {
    'wrong key': say(401, 'authentication_error', 'invalid x-api-key'),
    spent: say(400, 'invalid_request_error', 'Your credit balance is too low to access the Anthropic API.'),
    'rate limit': say(429, 'rate_limit_error', 'This would exceed the rate limit of your organization.', soon),
    overload: say(529, 'overloaded_error', 'Overloaded'),
    'no model': say(404, 'not_found_error', 'model: m'),
    'bad request': say(400, 'invalid_request_error', 'messages: Field required'),
  }
}

/** ai.google.dev/gemini-api/docs/troubleshooting; details as google.rpc names them. */
const google = (): ProviderFailures => {
  const say = (code: number, status: string, message: string, details: readonly object[] = []): ProviderFailure => ({
    status: code,
    body: { error: { code, message, status, details } },
  })
  const reason = { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' }
  const retry = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '6.4s' }
  const place = 'projects/secret-project-1/locations/global/publishers/google/models/m'
  return {
    'wrong key': { ...say(400, 'INVALID_ARGUMENT', 'API key not valid.', [reason]), expectedStatus: 401 },
    spent: say(429, 'RESOURCE_EXHAUSTED', 'You exceeded your current quota, please check your plan.'),
    'rate limit': {
      ...say(429, 'RESOURCE_EXHAUSTED', 'You exceeded your current quota, retry in 6.4s.', [retry]),
      waits: true,
    },
    overload: say(503, 'UNAVAILABLE', 'The model is overloaded.'),
    'no model': say(404, 'NOT_FOUND', `${place} is not found.`),
    'bad request': say(400, 'INVALID_ARGUMENT', 'contents is not specified'),
  }
}

/** docs.aws.amazon.com/bedrock: API_runtime_InvokeModel, errors. */
const aws = (): ProviderFailures => ({
  'wrong key': { status: 403, body: { message: 'The security token included in the request is invalid.' } },
  'rate limit': {
    status: 429,
    body: { message: 'Too many requests, please wait before trying again.' },
    headers: soon,
  },
  overload: { status: 503, body: { message: 'Bedrock is unable to process your request.' } },
  'no model': {
    status: 404,
    body: { message: 'arn:aws:bedrock:us-east-1:123456789012:inference-profile/m not found' },
  },
  'bad request': { status: 400, body: { message: 'Malformed input request' } },
})

/** cloud.tencent.com/document/api/1729/101841: the status is always 200. */
const tencent = (): ProviderFailures => {
  const say = (expectedStatus: number, Code: string, Message: string): ProviderFailure => ({
    status: 200,
    expectedStatus: expectedStatus,
    body: { Response: { Error: { Code, Message }, RequestId: 'r' } },
  })
  return {
    'wrong key': say(401, 'AuthFailure.SecretIdNotFound', 'The SecretId is not found.'),
    spent: say(403, 'FailedOperation.ServiceStopArrears', 'The account is in arrears.'),
    'rate limit': say(429, 'RequestLimitExceeded.UinLimitExceeded', 'Too many requests.'),
    overload: say(502, 'InternalError', 'Internal error.'),
    'no model': say(404, 'ResourceNotFound', 'No such model.'),
    'bad request': say(400, 'InvalidParameter', 'Invalid parameter.'),
  }
}

/** cloud.baidu.com/doc/WENXINWORKSHOP/s/tlmyncueh: the status is always 200. */
const baidu = (): ProviderFailures => {
  const say = (expectedStatus: number, error_code: number, error_msg: string): ProviderFailure => ({
    status: 200,
    expectedStatus: expectedStatus,
    body: { error_code, error_msg, id: 'r' },
  })
  return {
    'wrong key': say(401, 110, 'Access token invalid or no longer valid'),
    spent: say(429, 17, 'Open api daily request limit reached'),
    'rate limit': say(429, 18, 'Open api qps request limit reached'),
    overload: say(503, 336_100, 'try again'),
    'no model': say(404, 3, 'Unsupported openapi method'),
    'bad request': say(400, 336_003, 'the length of messages must be an odd number'),
  }
}

/** platform.minimaxi.com/docs, error codes: the status is always 200. */
const minimax = (): ProviderFailures => {
  const say = (expectedStatus: number, status_code: number, status_msg: string): ProviderFailure => ({
    status: 200,
    expectedStatus: expectedStatus,
    body: { id: 'r', choices: null, usage: null, base_resp: { status_code, status_msg } },
  })
  return {
    'wrong key': say(401, 1004, 'login fail: Please carry the API key'),
    spent: say(402, 1008, 'insufficient balance'),
    'rate limit': say(429, 1002, 'rate limit exceeded(RPM)'),
    overload: say(502, 1013, 'internal error'),
    'bad request': say(400, 2013, 'invalid params'),
  }
}

/** One member, `form`, holds the words. */
const plain = (form: (message: string, code: string, status: number) => unknown): ProviderFailures => {
  const say = (status: number, code: string, message: string, headers = {}): ProviderFailure => ({
    status,
    ...waiting(headers),
    body: form(message, code, status),
    headers,
  })
  return {
    'wrong key': say(401, 'unauthorized', 'The token is invalid'),
    spent: say(402, 'quota_exceeded', 'The credit is used up'),
    'rate limit': say(429, 'too_many_requests', 'Too many requests', soon),
    overload: say(503, 'unavailable', 'The server is busy'),
    'no model': say(404, 'model_not_found', 'No such model'),
    'bad request': say(400, 'invalid_param', 'A parameter is wrong'),
  }
}

/** Those with words of their own, by channel type. */
export const ownSayings: Readonly<Record<number, ProviderFailures>> = {
  4: plain((error) => ({ error })),
  11: google(),
  14: anthropic(),
  15: baidu(),
  17: plain((message, code) => ({ code, message, request_id: 'r' })),
  23: tencent(),
  24: google(),
  33: aws(),
  34: plain((message) => ({ id: 'r', message })),
  35: minimax(),
  37: plain((message, code, status) => ({ code, message, status })),
  39: plain((message) => ({ result: null, success: false, errors: [{ code: 10_000, message }], messages: [] })),
  41: google(),
}
