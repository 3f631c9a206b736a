import { describe, expect, it } from 'vitest'
import { testChannel } from '../../test/support/relay/ports.ts'
import { providerOf } from '../providers/index.ts'
import { refusalOf } from './upstream/upstream-failure.ts'

const refused = (body: unknown, status = 400, organization = '', native = false) =>
  refusalOf(
    { status, body: Buffer.from(JSON.stringify(body)), retryAfter: undefined, native },
    testChannel({ organization }),
    'channel-key',
  )

const google = (code: number, detail: object) => ({ error: { code, message: 'no', status: 'X', details: [detail] } })

// RFC 9110 §15: a client would wait for the answer behind an interim status, and read no error behind the others.
it.each([100, 103, 204, 205, 304])('are answered with a status that can have a body, not %i', (status) => {
  const body = Buffer.from('{"error":{"message":"no"}}')
  const upstream = { status: 400, body, retryAfter: undefined }
  const channel = testChannel({ statusCodeMapping: new Map([[400, status]]) })
  expect(refusalOf(upstream, channel, 'k')).toMatchObject({ status, answer: { status: 502, message: 'no' } })
  expect(refusalOf({ ...upstream, status, native: true }, testChannel(), 'k').answer.status).toBe(502)
})

describe('Google’s details', () => {
  it('say that a key is wrong, where the status says that the request is', () => {
    const detail = { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' }
    expect(refused(google(400, detail))).toMatchObject({
      status: 401,
      answer: { status: 502, code: 'credentials_failed' },
      failure: { status: 401 },
    })
    expect(refused(google(400, detail), 400, '', true)).toMatchObject({ status: 401, answer: { status: 502 } })
    expect(refused(google(400, { ...detail, reason: 'OTHER' }))).toMatchObject({ status: 400 })
  })

  it('say when to come back', () => {
    const detail = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '36.2s' }
    expect(refused(google(429, detail), 429)).toMatchObject({
      answer: { retryAfter: '37' },
      failure: { retryAfter: '37' },
    })
  })
})

it.each([
  ['arn:aws:iam::123456789012:user/me is not authorized', '*** is not authorized'],
  ['Rate limit in org-Ab12Cd34Ef56 and proj_Ab12Cd34Ef56', 'Rate limit in *** and ***'],
  ['projects/my-project-1/locations/x was not found', 'projects/***/locations/x was not found'],
  ['It is not enabled in project 123456789.', 'It is not enabled in project ***.'],
  ['acme has no access', '*** has no access'],
  ['The project is large, and so is the organization', 'The project is large, and so is the organization'],
])('keeps accounts from clients, but not from operators: %s', (message, shown) => {
  const { answer, failure } = refused({ error: { message } }, 404, 'acme')
  expect(answer.message).toBe(shown)
  expect(failure.cause).toContain(message)
})

describe('a refusal of the channel’s credentials', () => {
  const wrongKey = { error: { message: 'Incorrect API key provided: sk-…', type: 'invalid_request_error', code: 'x' } }

  it.each([401, 403])('with %i gives the client our error text and the operator the provider’s', (status) => {
    const { answer, failure, status: decides } = refused(wrongKey, status)
    expect(answer).toMatchObject({
      status: 502,
      type: 'upstream_error',
      code: 'credentials_failed',
      message: '上游凭证无效或无法获取',
      english: 'The credentials of the upstream are not valid or could not be fetched',
      cause: expect.stringContaining(`upstream status ${status}: `),
    })
    expect(failure).toMatchObject({ status, code: 'x', message: 'Incorrect API key provided: sk-…' })
    expect(decides).toBe(status)
  })

  it('keeps the status that the operator has mapped it to', () => {
    const body = Buffer.from(JSON.stringify(wrongKey))
    const channel = testChannel({ statusCodeMapping: new Map([[401, 503]]) })
    const { answer } = refusalOf({ status: 401, body, retryAfter: undefined, native: true }, channel, 'k')
    expect(answer).toMatchObject({ status: 503, code: 'credentials_failed' })
  })

  it('is not meant where a provider checked what was asked', () => {
    const error = { code: 403, message: 'Your input was flagged', metadata: { reasons: ['violence'] } }
    expect(refused({ error }, 403).answer).toMatchObject({ status: 403, message: 'Your input was flagged' })
  })
})

it('knows MiniMax’s errors, which look like answers', () => {
  const [language] = providerOf(35)?.languages ?? []
  const { errorOf } = language?.dialect({} as never) ?? {}
  expect(errorOf?.({ base_resp: { status_code: 1008, status_msg: 'insufficient balance' } })).toMatchObject({
    message: 'insufficient balance',
    code: '1008',
    status: 402,
  })
  expect(errorOf?.({ base_resp: { status_code: 0, status_msg: '' }, choices: [] })).toBeUndefined()
})
