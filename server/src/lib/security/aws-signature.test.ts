import { expect, it } from 'vitest'
import { describedSignature } from '../../../test/support/lib/described-signature.ts'
import { type AwsIdentity, awsSignature } from './aws-signature.ts'

const identity: Omit<AwsIdentity, 'service'> = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  region: 'us-east-1',
}
const bucket = 'https://examplebucket.s3.amazonaws.com'
const ofNothing = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

// docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
it.each([
  ['/test.txt', { range: 'bytes=0-9' }, 'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41'],
  ['/?lifecycle', {}, 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543'],
  ['/?max-keys=2&prefix=J', {}, '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7'],
])('signs AWS’s published example %s', async (path, headers, signature) => {
  const { authorization } = await awsSignature({ ...identity, service: 's3' })({
    method: 'GET',
    url: `${bucket}${path}`,
    headers: { 'x-amz-content-sha256': ofNothing, ...headers },
    at: Date.parse('2013-05-24T00:00:00Z'),
  })
  expect(authorization).toContain('Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request')
  expect(authorization).toContain(`Signature=${signature}`)
})

const at = Date.parse('2026-01-02T03:04:05.678Z')

it.each([
  ['a b+c', '/a%20b+c', '/a%20b%2Bc'],
  ['unicode', '/%C3%A9/%E6%97%A5', '/%C3%A9/%E6%97%A5'],
  ['double slashes', '/folder//x/', '/folder//x/'],
  ['characters that addresses may leave', "/it's(1)!*~$&,;:=@", '/it%27s%281%29%21%2A~%24%26%2C%3B%3A%3D%40'],
  ['an encoded percent sign', '/100%25', '/100%25'],
])('encodes the path of S3 once: %s', async (_, path, canonicalPath) => {
  const sign = awsSignature({ ...identity, sessionToken: 'T/1+', service: 's3' })
  const headers = await sign({ method: 'PUT', url: `${bucket}${path}?uploadId=a%20%26b&partNumber=1`, body: 'x', at })
  expect(headers).toMatchObject({ 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD', 'x-amz-security-token': 'T/1+' })
  const { authorization, ...others } = headers
  const request = { method: 'PUT', path: canonicalPath, query: 'partNumber=1&uploadId=a%20%26b', headers: others }
  expect(authorization).toBe(describedSignature(request, { ...identity, service: 's3' }))
})

it.each([
  ['a colon', '/model/a.b-v1%3A0/invoke', '/model/a.b-v1%253A0/invoke'],
  ['a blank and a plus', '/model/a%20b+c', '/model/a%2520b%2Bc'],
  ['unicode', '/model/%C3%A9', '/model/%25C3%25A9'],
  ['double slashes', '/base//model/x', '/base/model/x'],
])('encodes the path of Bedrock twice: %s', async (_, path, canonicalPath) => {
  const url = `http://localhost:4010${path}`
  const { authorization, ...others } = await awsSignature({ ...identity, service: 'bedrock' })({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from('{"é":1}'),
    at,
  })
  expect(others).toEqual({
    'content-type': 'application/json',
    host: 'localhost:4010',
    'x-amz-content-sha256': 'ddcfcf4765da163969972bb20660092ca2787782d9352d1d8a38e93f70acf3bf',
    'x-amz-date': '20260102T030405Z',
  })
  const request = { method: 'POST', path: canonicalPath, query: '', headers: others }
  expect(authorization).toBe(describedSignature(request, { ...identity, service: 'bedrock' }))
})
