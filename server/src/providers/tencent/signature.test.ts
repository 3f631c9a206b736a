import { expect, it } from 'vitest'
import { pascal, snake } from './language.ts'
import { tc3Authorization } from './signature.ts'

/** cloud.tencent.com/document/api/1729/101843: the published example, whose secret is 32 asterisks. */
it('makes the signature of Tencent’s published example', () => {
  const body = Buffer.from('{"Limit": 1, "Filters": [{"Values": ["\\u672a\\u547d\\u540d"], "Name": "instance-name"}]}')
  const request = {
    service: 'cvm',
    host: 'cvm.tencentcloudapi.com',
    action: 'DescribeInstances',
    contentType: 'application/json; charset=utf-8',
    body,
    timestamp: 1551113065,
  }
  expect(tc3Authorization(request, 'AKID********************************', '*'.repeat(32))).toBe(
    'TC3-HMAC-SHA256 Credential=AKID********************************/2019-02-25/cvm/tc3_request, ' +
      'SignedHeaders=content-type;host;x-tc-action, ' +
      'Signature=10b1a37a7301a02ca19a647ad722d5e43b4b3cff309d421d85b46093f6ab6c4f',
  )
})

it('converts member names to PascalCase and back', () => {
  const pascalCase = {
    ToolCalls: [{ Id: 'x', Function: { Name: 'n', Arguments: '{"CamelCase":1}' } }],
    Usage: { PromptTokens: 1 },
  }
  const snakeCase = {
    tool_calls: [{ id: 'x', function: { name: 'n', arguments: '{"CamelCase":1}' } }],
    usage: { prompt_tokens: 1 },
  }
  expect(snake(pascalCase)).toEqual(snakeCase)
  expect(pascal(snakeCase)).toEqual(pascalCase)
})
