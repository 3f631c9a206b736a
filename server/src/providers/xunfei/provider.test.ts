import { expect, it } from 'vitest'
import { signedQuery } from './provider.ts'
import { versionOf } from './versions.ts'

/** xfyun.cn/doc/spark/general_url_authentication.html: the published example and the digest that it prints. */
it('makes the signature of iFlytek’s published example', () => {
  const query = signedQuery(
    { host: 'spark-api.xf-yun.com', path: '/v1.1/chat', now: Date.UTC(2023, 4, 5, 10, 43, 39) },
    { apiKey: 'addd2272b6d8b7c8abdd79531420ca3b', apiSecret: 'MjlmNzkzNmZkMDQ2OTc0ZDdmNGE2ZTZi' },
  )
  const parameters = new URLSearchParams(query)
  expect(parameters.get('date')).toBe('Fri, 05 May 2023 10:43:39 GMT')
  expect(parameters.get('host')).toBe('spark-api.xf-yun.com')
  const digest = Buffer.from('cf980776ede9c55578003332938ebbc0e58343daba050cd1de77cc4e373f0da4', 'hex').toString(
    'base64',
  )
  expect(Buffer.from(parameters.get('authorization') ?? '', 'base64').toString()).toBe(
    `api_key="addd2272b6d8b7c8abdd79531420ca3b", algorithm="hmac-sha256", headers="host date request-line", signature="${digest}"`,
  )
})

it.each([
  ['SparkDesk', '', '/v1.1/chat', 'lite'],
  ['SparkDesk', 'v2.1', '/v2.1/chat', 'generalv2'],
  ['SparkDesk-v3.1', 'v2.1', '/v3.1/chat', 'generalv3'],
  ['SparkDesk-v4.0', '', '/v4.0/chat', '4.0Ultra'],
  ['SparkDesk-Max-32k', '', '/chat/max-32k', 'max-32k'],
  ['SparkDesk-x1', '', '/v1/x1', 'spark-x'],
  ['SparkDesk-v9.9', '', '/v9.9/chat', 'generalv9.9'],
])('model %s with channel version %j has the path %s and the domain %s', (model, other, path, domain) => {
  expect(versionOf(model, other)).toMatchObject({ path, domain })
})
