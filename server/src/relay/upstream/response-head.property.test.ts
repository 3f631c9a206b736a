import fc from 'fast-check'
import { expect, it } from 'vitest'
import { costHeaders, statedInHead } from '../../billing/stated/stated-costs.ts'
import { learnedLimits, limitSigns } from './limit-headers.ts'
import { receiptOfHead, requestIdHeaders, requestIdOfHead } from './request-id.ts'
import { readHead } from './response-head.ts'
import { type Headers, headerText } from './upstream.ts'

const names = fc.constantFrom(
  ...requestIdHeaders,
  ...limitSigns,
  ...costHeaders,
  ...['content-type', 'content-encoding', 'x-tollgate-receipt', 'date', 'x-own', '__proto__', 'constructor'],
)
const texts = fc.oneof(
  fc.constantFrom('', ' ', 'req_1', 'ü', '12', '0.5', 'Application/JSON; charset=utf-8', 'GZIP'),
  fc.string(),
)
const heads = fc
  .array(fc.tuple(names, fc.oneof(texts, fc.array(texts, { maxLength: 2 }), fc.constant(undefined))), { maxLength: 8 })
  .map((entries): Headers => Object.fromEntries(entries))

it('says of a head what its readers say', () => {
  fc.assert(
    fc.property(heads, (headers) => {
      const said = readHead(headers)
      expect(said.type).toBe(headerText(headers, 'content-type').toLowerCase())
      expect(said.encoding).toBe(headerText(headers, 'content-encoding').toLowerCase())
      expect(said.requestId).toBe(requestIdOfHead(headers))
      if (!said.saysLimits) expect(learnedLimits(headers, () => 0)).toBeUndefined()
      if (!said.saysCost) expect(statedInHead(headers)).toBeUndefined()
      if (!said.hasReceipt) expect(receiptOfHead(headers)).toBeUndefined()
    }),
    { numRuns: 3000 },
  )
})

it('says where there is anything to read', () => {
  for (const name of limitSigns) expect(readHead({ [name]: '5' }).saysLimits).toBe(true)
  for (const name of costHeaders) expect(readHead({ [name]: '0.5' }).saysCost).toBe(true)
  expect(readHead({ 'x-tollgate-receipt': 'r' }).hasReceipt).toBe(true)
  const nothing = {
    type: 'text/plain',
    encoding: '',
    requestId: '',
    saysLimits: false,
    saysCost: false,
    hasReceipt: false,
  }
  expect(readHead({ 'content-type': 'text/plain', date: 'x' })).toEqual(nothing)
})
