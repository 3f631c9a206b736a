import { type Answer, completion, json, reset, silence } from './scripted-upstream.ts'

const text =
  (body: string, status = 200, type = 'application/json'): Answer =>
  ({ response }) => {
    response.writeHead(status, { 'content-type': type }).end(body)
  }

/** A head and half a body, then `next`. */
const half =
  (next: Answer): Answer =>
  (call) => {
    call.response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
    call.response.write('{"id":"chatcmpl-1","choices":[', () => next(call))
  }

export const openaiError = (message: string, type: string, code: string | null) => ({
  error: { message, type, param: null, code },
})

/** A provider’s fault, and what it comes to. */
export interface Fault {
  readonly when: string
  readonly answer: Answer
  readonly status: number
  readonly message: string
  readonly type: string
  readonly code: string | null
  /** For the operator. */
  readonly cause: RegExp
  /** Of the provider, in the list of attempts. */
  readonly upstreamStatus: number
}

export const channelKey = 'sk-secret-of-the-channel'

const upstreamError = { type: 'upstream_error' } as const

export const faults: readonly Fault[] = [
  {
    when: 'refuses the channel’s key',
    answer: json(
      openaiError(`Incorrect API key provided: ${channelKey}`, 'invalid_request_error', 'invalid_api_key'),
      401,
    ),
    status: 502,
    message: '上游凭证无效或无法获取',
    ...upstreamError,
    code: 'credentials_failed',
    cause: /^upstream status 401: .*Incorrect API key/,
    upstreamStatus: 401,
  },
  {
    when: 'forbids',
    answer: json(openaiError('Country not supported', 'request_forbidden', 'unsupported_country'), 403),
    status: 502,
    message: '上游凭证无效或无法获取',
    ...upstreamError,
    code: 'credentials_failed',
    cause: /^upstream status 403: /,
    upstreamStatus: 403,
  },
  {
    when: 'does not know the model',
    answer: json(openaiError('The model does not exist', 'invalid_request_error', 'model_not_found'), 404),
    status: 404,
    message: 'The model does not exist',
    type: 'invalid_request_error',
    code: 'model_not_found',
    cause: /^upstream status 404: /,
    upstreamStatus: 404,
  },
  {
    when: 'is busy',
    answer: json(openaiError('Rate limit reached in organization org-1', 'requests', 'rate_limit_exceeded'), 429),
    status: 429,
    message: '当前分组上游负载已饱和，请稍后再试',
    type: 'requests',
    code: 'rate_limit_exceeded',
    cause: /^upstream status 429: .*org-1/,
    upstreamStatus: 429,
  },
  {
    when: 'has an error of its own',
    answer: json(openaiError('The server had an error', 'server_error', null), 500),
    status: 500,
    message: 'The server had an error',
    type: 'server_error',
    code: null,
    cause: /^upstream status 500: /,
    upstreamStatus: 500,
  },
  {
    when: 'is overloaded and says so loosely',
    answer: json({ message: 'overloaded' }, 503),
    status: 503,
    message: 'overloaded',
    ...upstreamError,
    code: 'bad_response_status_code',
    cause: /^upstream status 503: /,
    upstreamStatus: 503,
  },
  {
    when: 'sends a page',
    answer: text('<html><h1>502 Bad Gateway</h1></html>', 502, 'text/html'),
    status: 502,
    message: 'bad response status code 502',
    ...upstreamError,
    code: 'bad_response_status_code',
    cause: /Bad Gateway/,
    upstreamStatus: 502,
  },
  {
    when: 'does not answer in time',
    answer: silence,
    status: 504,
    message: '上游响应超时',
    ...upstreamError,
    code: 'upstream_timeout',
    cause: /UND_ERR_HEADERS_TIMEOUT/,
    upstreamStatus: 0,
  },
  {
    when: 'falls silent in the middle of a body',
    answer: half(silence),
    status: 504,
    message: '上游响应超时',
    ...upstreamError,
    code: 'upstream_timeout',
    cause: /UND_ERR_BODY_TIMEOUT/,
    upstreamStatus: 200,
  },
  {
    when: 'cuts the connection',
    answer: reset,
    status: 502,
    message: '请求上游地址失败',
    ...upstreamError,
    code: 'do_request_failed',
    cause: /./,
    upstreamStatus: 0,
  },
  {
    when: 'cuts the connection in the middle of a body',
    answer: half(reset),
    status: 502,
    message: '上游连接中断',
    ...upstreamError,
    code: 'upstream_broke',
    cause: /./,
    upstreamStatus: 200,
  },
  {
    when: 'sends half a JSON',
    answer: text(JSON.stringify(completion()).slice(0, 90)),
    status: 502,
    message: '上游返回了无法解析的内容',
    ...upstreamError,
    code: 'bad_response_body',
    cause: /JSON/,
    upstreamStatus: 200,
  },
  {
    when: 'sends nothing',
    answer: text(''),
    status: 502,
    message: '上游返回了无法解析的内容',
    ...upstreamError,
    code: 'bad_response_body',
    cause: /JSON/,
    upstreamStatus: 200,
  },
  {
    when: 'hides an error in a success',
    answer: json(openaiError('Quota of the provider is used up', 'quota_error', 'out_of_credit')),
    status: 502,
    message: 'Quota of the provider is used up',
    type: 'quota_error',
    code: 'out_of_credit',
    cause: /Quota of the provider/,
    upstreamStatus: 502,
  },
]
